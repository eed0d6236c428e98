//! Rigid transforms.

use glam::{DQuat, DVec3};
use holotape::Pose;
use openxr_sys as xr;

/// The pose of one space in another, with the axes of OpenXR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    pub rotation: DQuat,
    pub position: DVec3,
}

impl Rigid {
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, position: DVec3::ZERO };

    pub fn new(yaw_deg: f64, position: [f64; 3]) -> Self {
        Self { rotation: DQuat::from_rotation_y(yaw_deg.to_radians()), position: position.into() }
    }

    /// The pose of C in A, if `self` is that of B in A and `inner` that of C in B.
    pub fn then(self, inner: Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, position: self.position + self.rotation * inner.position }
    }

    pub fn inverse(self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, position: -(rotation * self.position) }
    }

    pub fn to_openxr(self) -> xr::Posef {
        let [x, y, z, w] = self.rotation.to_array().map(|value| value as f32);
        let orientation = xr::Quaternionf { x, y, z, w };
        let [x, y, z] = self.position.to_array().map(|value| value as f32);
        xr::Posef { orientation, position: xr::Vector3f { x, y, z } }
    }

    pub fn from_openxr(pose: xr::Posef) -> Self {
        let xr::Quaternionf { x, y, z, w } = pose.orientation;
        let xr::Vector3f { x: px, y: py, z: pz } = pose.position;
        let rotation = DQuat::from_array([x, y, z, w].map(f64::from)).normalize();
        Self { rotation, position: DVec3::from_array([px, py, pz].map(f64::from)) }
    }

    /// A pose of a recording, which is left-handed.
    pub fn from_recording(pose: Pose) -> Self {
        let [x, y, z, w] = pose.rotation.map(f64::from);
        let [px, py, pz] = pose.position.map(f64::from);
        Self { rotation: DQuat::from_xyzw(-x, -y, z, w).normalize(), position: DVec3::new(px, py, -pz) }
    }

    /// Asserts that two poses agree within 0.02 mm and 0.002°, what 32 bits of two transforms leave.
    #[track_caller]
    pub fn assert_near(self, other: Self, what: &str) {
        let (distance_m, angle) = (self.position.distance(other.position), self.rotation.angle_between(other.rotation));
        assert!(distance_m < 2e-5, "{what}: {} mm apart: {self:?} and {other:?}", distance_m * 1e3);
        assert!(angle.to_degrees() < 2e-3, "{what}: {}° apart: {self:?} and {other:?}", angle.to_degrees());
    }
}
