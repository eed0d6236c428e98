//! A span of a recording.

use std::ops::Bound;

use holotape::Recording;

/// Start and end, in seconds; unbounded where `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpanSecs {
    pub(crate) from: Option<f64>,
    pub(crate) to: Option<f64>,
}

impl SpanSecs {
    /// The bounds that `holotape trim` would use. An end at or after the end of the recording is unbounded, so that a
    /// marker at the very end is kept.
    pub(crate) fn bounds(self, recording: &Recording) -> (Bound<f64>, Bound<f64>) {
        let end = recording.duration_secs();
        let to = self.to.filter(|to| (*to as f32) < end || to.is_nan());
        (self.from.map_or(Bound::Unbounded, Bound::Included), to.map_or(Bound::Unbounded, Bound::Excluded))
    }

    pub(crate) fn is_unbounded(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}
