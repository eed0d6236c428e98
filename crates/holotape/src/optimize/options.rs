//! The tolerances of [`optimize`](super::optimize()).

use crate::{PoseId, Tolerance, VectorOwner};

/// The tolerances of [`optimize`](super::optimize()). Negative values and NaN count as 0.
///
/// ```
/// use holotape::{Tolerance, optimize::OptimizeOptions};
///
/// let coarse = OptimizeOptions::new().with_joint(Tolerance { position_m: 0.005, rotation_deg: 1.0 });
/// assert_ne!(coarse, OptimizeOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizeOptions {
    joint: Tolerance,
    camera: Tolerance,
    gaze: Tolerance,
}

impl OptimizeOptions {
    /// The defaults are MRTK's: [`Tolerance::JOINT`], [`Tolerance::CAMERA`] and [`Tolerance::GAZE`].
    #[must_use]
    pub const fn new() -> Self {
        Self { joint: Tolerance::JOINT, camera: Tolerance::CAMERA, gaze: Tolerance::GAZE }
    }

    /// The tolerance for the joints of both hands.
    #[must_use]
    pub const fn with_joint(self, joint: Tolerance) -> Self {
        Self { joint, ..self }
    }

    /// The tolerance for the head.
    #[must_use]
    pub const fn with_camera(self, camera: Tolerance) -> Self {
        Self { camera, ..self }
    }

    /// The tolerance for the gaze.
    #[must_use]
    pub const fn with_gaze(self, gaze: Tolerance) -> Self {
        Self { gaze, ..self }
    }

    pub(super) const fn tolerance(&self, owner: VectorOwner) -> Tolerance {
        match owner {
            VectorOwner::Pose(PoseId::Camera) => self.camera,
            VectorOwner::Pose(PoseId::Joint(..)) => self.joint,
            VectorOwner::Gaze => self.gaze,
        }
    }
}

impl Default for OptimizeOptions {
    fn default() -> Self {
        Self::new()
    }
}
