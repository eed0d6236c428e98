//! The tolerances of [`optimize`](super::optimize()).

use crate::{PoseId, Tolerance, VectorOwner};

options! {
    /// The tolerances of [`optimize`](super::optimize()). Negative values and NaN count as 0.
    ///
    /// ```
    /// use holotape::{Tolerance, optimize::OptimizeOptions};
    ///
    /// let coarse = OptimizeOptions::new().with_joint(Tolerance { position_m: 0.005, rotation_deg: 1.0 });
    /// assert_ne!(coarse, OptimizeOptions::default());
    /// ```
    pub struct OptimizeOptions {
        /// The tolerance for the joints of both hands. By default [`Tolerance::JOINT`], as in MRTK.
        with_joint(joint: Tolerance) = Tolerance::JOINT,
        /// The tolerance for the head. By default [`Tolerance::CAMERA`], as in MRTK.
        with_camera(camera: Tolerance) = Tolerance::CAMERA,
        /// The tolerance for the gaze. By default [`Tolerance::GAZE`], as in MRTK.
        with_gaze(gaze: Tolerance) = Tolerance::GAZE,
    }
}

impl OptimizeOptions {
    pub(super) const fn tolerance(&self, owner: VectorOwner) -> Tolerance {
        match owner {
            VectorOwner::Pose(PoseId::Camera) => self.camera,
            VectorOwner::Pose(PoseId::Joint(..)) => self.joint,
            VectorOwner::Gaze => self.gaze,
        }
    }
}
