//! A part of a take.

use std::ops::Bound;

use holotape::Recording;
use serde::Deserialize;

/// From and to, in seconds; all there is where they are not given.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub(crate) struct SpanSecs {
    pub(crate) from: Option<f64>,
    pub(crate) to: Option<f64>,
}

impl SpanSecs {
    /// The bounds that `holotape trim` would take. Up to the end means everything from there on, too: whoever leaves the end
    /// where it is does not mean to lose the marker that is there.
    pub(crate) fn bounds(self, recording: &Recording) -> (Bound<f64>, Bound<f64>) {
        let end = recording.duration_secs();
        let to = self.to.filter(|to| (*to as f32) < end || to.is_nan());
        (self.from.map_or(Bound::Unbounded, Bound::Included), to.map_or(Bound::Unbounded, Bound::Excluded))
    }

    /// Whether it is all there is.
    pub(crate) fn is_unbounded(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}
