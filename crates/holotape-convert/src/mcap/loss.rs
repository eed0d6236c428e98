//! What a log cannot hold of a recording.

use holotape::Recording;

use super::clock::LogClock;
use crate::{Loss, LossKind, Losses};

pub(super) fn gaze_loss(blind_frames: usize) -> Option<Loss> {
    let message = || format!("gaze without a direction ({blind_frames} frames): left out");
    (blind_frames > 0).then(|| Loss::new(LossKind::Gaze, message()))
}

/// Frames and markers at times that the log does not have.
pub(super) fn time_losses(recording: &Recording, times: &[f64], clock: &LogClock) -> Losses {
    // What is before time 0 is lost to all formats of frames.
    let frames = times.iter().filter(|time| **time >= 0.0 && clock.ns(**time).is_none()).count();
    let markers = recording.markers.iter().filter(|marker| clock.ns(marker.time.into()).is_none()).count();
    let loss = |kind, count: usize, what: &str| {
        (count > 0).then(|| Loss::new(kind, format!("{what} beyond what a log can count ({count}): left out")))
    };
    let mut losses = Losses::default();
    losses.extend(loss(LossKind::Resampled, frames, "frames"));
    losses.extend(loss(LossKind::Markers, markers, "markers before time 0 or"));
    losses
}
