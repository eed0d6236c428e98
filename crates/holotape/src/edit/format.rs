//! The format of a recording that is made of several.

use crate::Recording;
use crate::format::{Format, Layout};

/// Gives a recording the first format of those it is made of that loses nothing of it, or else one that never does.
pub(super) fn choose_format(recording: &mut Recording, made_of: &[&Recording]) {
    const LOSSLESS_FORMAT: Format = Format { layout: Layout::Full11, marker_list: true };
    for format in made_of.iter().map(|recording| recording.format).chain([Format::default(), LOSSLESS_FORMAT]) {
        recording.format = format;
        if recording.losses().is_empty() {
            return;
        }
    }
}
