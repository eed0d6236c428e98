//! What a log cannot represent.

use holotape::Recording;

use super::clock::LogClock;
use crate::{Loss, LossKind, Losses};

pub(super) fn gaze_loss(frames: usize) -> Option<Loss> {
    let message = || format!("dropped the gaze of {frames} frames: it has no direction");
    (frames > 0).then(|| Loss::new(LossKind::Gaze, message()))
}

/// Frames and markers at times that a log cannot represent.
pub(super) fn time_losses(recording: &Recording, times: &[f64], clock: &LogClock) -> Losses {
    // Frames before time 0 are reported by `frame_losses`.
    let frames = times.iter().filter(|time| **time >= 0.0 && clock.ns(**time).is_none()).count();
    let markers = recording.markers.iter().filter(|marker| clock.ns(marker.time.into()).is_none()).count();
    let loss = |kind, count: usize, what: &str| {
        (count > 0).then(|| Loss::new(kind, format!("dropped {count} {what} the range of log times")))
    };
    let mut losses = Losses::default();
    losses.extend(loss(LossKind::Resampled, frames, "frames beyond"));
    losses.extend(loss(LossKind::Markers, markers, "markers before time 0 or beyond"));
    losses
}
