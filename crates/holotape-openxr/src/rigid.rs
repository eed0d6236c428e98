//! Rigid transforms, and the axes of OpenXR and Unity.
//!
//! OpenXR is right-handed with −z forward, Unity left-handed with z forward. Mirroring z maps each to the other.

use glam::{DMat3, DQuat, DVec3};
use holotape::{Pose, Ray};
use openxr_sys::{Posef, Quaternionf, Vector3f};

/// A rotation and a translation: the pose of one space in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rigid {
    pub(crate) rotation: DQuat,
    pub(crate) position: DVec3,
}

impl Rigid {
    pub(crate) const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, position: DVec3::ZERO };

    /// The pose of C in A, if `self` is that of B in A and `inner` that of C in B.
    pub(crate) fn then(self, inner: Self) -> Self {
        Self {
            rotation: (self.rotation * inner.rotation).normalize(),
            position: self.position + self.rotation * inner.position,
        }
    }

    pub(crate) fn inverse(self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, position: -(rotation * self.position) }
    }

    /// Rounded to 0.01 mm and about 0.001°: an offset that a runtime computes from a moving head has noise in its last
    /// digits, by which two replays would differ.
    pub(crate) fn rounded(self) -> Self {
        // The sum makes a negative zero positive.
        let round = |value: f64| (value * 1e5).round() / 1e5 + 0.0;
        Self {
            rotation: DQuat::from_array(self.rotation.to_array().map(round)).normalize(),
            position: DVec3::from_array(self.position.to_array().map(round)),
        }
    }

    /// An application may pass a quaternion of any length; a length of zero is no rotation.
    pub(crate) fn from_openxr(pose: Posef) -> Self {
        let Quaternionf { x, y, z, w } = pose.orientation;
        let rotation = DQuat::from_array([x, y, z, w].map(f64::from));
        let rotation = if rotation.length_squared() > 1e-12 { rotation.normalize() } else { DQuat::IDENTITY };
        let Vector3f { x, y, z } = pose.position;
        Self { rotation, position: DVec3::from_array([x, y, z].map(f64::from)) }
    }

    pub(crate) fn to_openxr(self) -> Posef {
        let [x, y, z, w] = self.rotation.to_array().map(|value| value as f32);
        let orientation = Quaternionf { x, y, z, w };
        let [x, y, z] = self.position.to_array().map(|value| value as f32);
        Posef { orientation, position: Vector3f { x, y, z } }
    }

    pub(crate) fn from_unity(pose: Pose) -> Self {
        let [x, y, z, w] = pose.rotation.map(f64::from);
        let [px, py, pz] = pose.position.map(f64::from);
        let rotation = DQuat::from_xyzw(-x, -y, z, w);
        let rotation = if rotation.length_squared() > 1e-12 { rotation.normalize() } else { DQuat::IDENTITY };
        Self { rotation, position: DVec3::new(px, py, -pz) }
    }

    pub(crate) fn to_unity(self) -> Pose {
        let [x, y, z, w] = self.rotation.to_array().map(|value| value as f32);
        let [px, py, pz] = self.position.to_array().map(|value| value as f32);
        Pose { position: [px, py, -pz], rotation: [-x, -y, z, w] }
    }

    /// The ray from the position along −z.
    pub(crate) fn to_unity_ray(self) -> Ray {
        let pose = self.to_unity();
        Ray { origin: pose.position, direction: pose.forward() }
    }

    /// The pose at the origin of a ray whose −z is its direction; its y is as near to up as possible.
    pub(crate) fn from_unity_ray(ray: Ray) -> Self {
        let mirrored = |[x, y, z]: [f32; 3]| DVec3::new(f64::from(x), f64::from(y), -f64::from(z));
        let back = (-mirrored(ray.direction)).try_normalize().unwrap_or(DVec3::Z);
        let right = DVec3::Y.cross(back).try_normalize().unwrap_or(DVec3::X);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(right, back.cross(right), back));
        Self { rotation, position: mirrored(ray.origin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned() -> Rigid {
        Rigid {
            rotation: DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(-0.3),
            position: DVec3::new(0.1, 1.5, -0.4),
        }
    }

    #[test]
    fn rounded_offset_has_no_noise() {
        let eye = Rigid { position: DVec3::new(0.0315, 0.0, 0.0), ..Rigid::IDENTITY };
        let noise = Rigid { rotation: DQuat::from_rotation_y(1e-6), position: DVec3::new(3e-7, -2e-7, 1e-7) };
        assert_eq!(noise.then(eye).rounded(), eye);
        let turned = turned().rounded();
        assert!(
            (turned.rotation.length() - 1.0).abs() < 1e-12
                && turned.rotation.angle_between(self::turned().rotation) < 2e-5
        );
    }

    #[test]
    fn forward_of_openxr_is_forward_of_unity() {
        let head = turned();
        let pose = head.to_unity();
        let forward = head.rotation * DVec3::NEG_Z;
        let expected = [forward.x, forward.y, -forward.z];
        for (value, expected) in pose.forward().into_iter().zip(expected) {
            assert!((f64::from(value) - expected).abs() < 1e-6, "{pose:?}");
        }
        assert_eq!(pose.position, [0.1, 1.5, 0.4]);
    }

    #[test]
    fn inverse_undoes_a_transform() {
        let nothing = turned().inverse().then(turned());
        assert!(nothing.position.length() < 1e-12 && nothing.rotation.angle_between(DQuat::IDENTITY) < 1e-6);
    }

    #[test]
    fn ray_becomes_a_pose_and_a_ray_again() {
        let ray = Ray { origin: [0.1, 1.6, 0.2], direction: [0.6, 0.0, 0.8] };
        let again = Rigid::from_unity_ray(ray).to_unity_ray();
        for (a, b) in again.origin.into_iter().chain(again.direction).zip(ray.origin.into_iter().chain(ray.direction)) {
            assert!((a - b).abs() < 1e-6, "{again:?}");
        }
    }
}
