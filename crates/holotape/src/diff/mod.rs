//! Comparison of two recordings: of their contents, and of their motion.

mod motion;
mod structure;

pub use motion::{MaxDifference, PoseDiff, RayDiff};
pub use structure::{Aspect, Difference};

use crate::Recording;
use crate::Tolerance;

/// The differences of two recordings.
///
/// Poses are compared at the key times of both, from 0 to the end of the shorter one, those of a hand while it is tracked
/// in both. Linear curves differ most at one of their keys, so positions are not compared in between; if curves have
/// tangents, times in between are compared as well.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// use holotape::{Tolerance, diff::Diff};
///
/// let mut moved = recording.clone();
/// for (_, height) in moved.camera.as_mut().unwrap().position[1].keys.iter_mut() {
///     *height += 0.01;
/// }
/// let diff = Diff::between(&recording, &moved);
/// assert!((diff.poses[0].max_position_m.value - 0.01).abs() < 1e-6);
/// assert!(!diff.is_within(&Tolerance { position_m: 0.001, rotation_deg: 0.2 }));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diff {
    /// Differences in their contents.
    pub differences: Vec<Difference>,
    /// The time up to which poses were compared.
    #[cfg_attr(feature = "json", serde(serialize_with = "crate::json::frame::serialize_float"))]
    pub compared_secs: f64,
    /// The poses that both recordings have.
    pub poses: Vec<PoseDiff>,
    /// The gaze, if both recordings have one.
    pub gaze: Option<RayDiff>,
}

impl Diff {
    /// Compares two recordings.
    #[must_use]
    pub fn between(a: &Recording, b: &Recording) -> Self {
        let compared_secs = f64::from(a.duration_secs().min(b.duration_secs()));
        let (poses, gaze) = motion::compare(a, b, compared_secs);
        Self { differences: structure::compare(a, b, compared_secs), compared_secs, poses, gaze }
    }

    /// Returns whether the motion is equal within a tolerance, and flags and markers are equal. Version, layout and number
    /// of keys are ignored.
    #[must_use]
    pub fn is_within(&self, tolerance: &Tolerance) -> bool {
        let is_near = |position: &MaxDifference, angle: &MaxDifference| {
            position.value <= tolerance.position_m && angle.value <= tolerance.rotation_deg
        };
        self.differences.iter().all(|difference| !difference.aspect.affects_motion())
            && self.poses.iter().all(|pose| is_near(&pose.max_position_m, &pose.max_rotation_deg))
            && self.gaze.iter().all(|gaze| is_near(&gaze.max_origin_m, &gaze.max_direction_deg))
    }
}
