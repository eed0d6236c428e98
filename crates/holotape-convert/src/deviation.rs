//! How far two motions are apart.

use holotape::{Pose, Ray};

/// Smaller deviations are not reported.
pub(crate) const NOTICEABLE_M: f64 = 1e-6;
pub(crate) const NOTICEABLE_DEG: f64 = 1e-3;

/// The largest deviations found so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deviation {
    pub(crate) distance_m: f64,
    pub(crate) angle_deg: f64,
}

impl Deviation {
    pub(crate) fn include(&mut self, distance_m: f64, angle_deg: f64) {
        // `max` ignores NaN.
        *self = Self { distance_m: self.distance_m.max(distance_m), angle_deg: self.angle_deg.max(angle_deg) };
    }

    pub(crate) fn include_poses(&mut self, one: &Pose, other: &Pose) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }

    pub(crate) fn include_rays(&mut self, one: &Ray, other: &Ray) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }
}
