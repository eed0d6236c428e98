//! The central pupil frame (CPF) of Aria glasses: between the eyes, x left, y up, z forward.
//!
//! Tables are in the frame of a camera. Where the camera is relative to the eyes is in the calibration of the glasses,
//! which is not part of MPS. So the nominal dimensions are used, which differ by some millimetres between sizes.

use glam::{DMat3, DQuat, DVec3};

use crate::rigid::RigidPose;

/// A generation of glasses. Each has its device frame at another camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glasses {
    Gen1,
    Gen2,
}

impl Glasses {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Gen1 => "Aria Gen 1",
            Self::Gen2 => "Aria Gen 2",
        }
    }

    /// The generation whose cameras are upright if this direction, in the device frame, is up.
    pub(super) fn from_up(up: DVec3) -> Self {
        if up.x < up.y { Self::Gen1 } else { Self::Gen2 }
    }

    /// The pose of the device frame in CPF: position, y axis and z axis of the left (front) SLAM camera, averaged over
    /// sizes.
    fn device_in_cpf(self) -> RigidPose {
        let [position, y, z] = match self {
            Self::Gen1 => [[0.0702, 0.00237, 0.00885], [0.793353, 0.0, -0.608761], [0.607927, -0.052336, 0.792266]],
            Self::Gen2 => {
                [[0.0692, 0.00588, 0.01166], [-0.138127, -0.912873, -0.384166], [0.308866, -0.408244, 0.859034]]
            }
        };
        let [y, z] = [y, z].map(DVec3::from_array);
        let z = z.normalize();
        let x = y.cross(z).normalize();
        RigidPose {
            position: DVec3::from_array(position),
            rotation: DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)).normalize(),
        }
    }

    /// The pose of CPF in the device frame.
    pub(super) fn cpf_in_device(self) -> RigidPose {
        RigidPose::ORIGIN.relative_to(&self.device_in_cpf())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generation_follows_from_the_upright_camera() {
        for glasses in [Glasses::Gen1, Glasses::Gen2] {
            let up = glasses.cpf_in_device().rotation * DVec3::Y;
            assert_eq!(Glasses::from_up(up), glasses);
        }
    }

    #[test]
    fn eyes_look_ahead_and_left_of_the_camera_is_outside() {
        for glasses in [Glasses::Gen1, Glasses::Gen2] {
            let camera = glasses.device_in_cpf();
            // The camera is to the left of the eyes, in front of them, and looks forward and outwards.
            assert!(camera.position.x > 0.05 && camera.position.z > 0.0);
            let forward = camera.rotation * DVec3::Z;
            assert!(forward.z > 0.7 && forward.x > 0.2, "{forward}");
        }
    }
}
