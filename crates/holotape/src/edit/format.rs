//! The format of a recording that combines several.

use crate::Recording;
use crate::format::{Format, Layout};

/// Chooses the first format of the sources that represents the recording without loss, or else a lossless one.
pub(super) fn choose_format(recording: &mut Recording, sources: &[&Recording]) {
    const LOSSLESS_FORMAT: Format = Format { layout: Layout::Full11, marker_list: true };
    for format in sources.iter().map(|recording| recording.format).chain([Format::default(), LOSSLESS_FORMAT]) {
        recording.format = format;
        if recording.losses().is_empty() {
            return;
        }
    }
}
