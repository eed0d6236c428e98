//! The values of one node property over time, as in a glTF animation sampler.

use glam::{DQuat, DVec3, DVec4};
use holotape::{Pose, align_sign};

use crate::curve::lerp;
use crate::rigid::RigidPose;

/// Values at increasing times.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Track<const N: usize> {
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<[f32; N]>,
}

/// Position and rotation of a node over time, in right-handed coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PoseTracks {
    pub(super) position: Track<3>,
    pub(super) rotation: Track<4>,
}

impl<const N: usize> Track<N> {
    /// Interpolates the values linearly at other increasing times.
    pub(super) fn resample(&self, times: &[f32]) -> Vec<[f32; N]> {
        if self.times == times {
            return self.values.clone();
        }
        let mut after = 0;
        let value = |time: &f32| {
            while self.times.get(after).is_some_and(|own| own <= time) {
                after += 1;
            }
            let before = after.saturating_sub(1);
            match (self.times.get(before), self.times.get(after)) {
                (Some(t0), Some(t1)) if after > 0 => {
                    let fraction = f64::from(time - t0) / f64::from(t1 - t0);
                    lerp(self.values[before].map(f64::from), self.values[after].map(f64::from), fraction)
                        .map(to_finite_f32)
                }
                _ => self.values[before],
            }
        };
        times.iter().map(value).collect()
    }
}

impl PoseTracks {
    pub(super) fn from_poses(poses: &[RigidPose], times: &[f32]) -> Self {
        let (positions, rotations) = poses.iter().map(nearest_pose).map(|pose| (pose.position, pose.rotation)).unzip();
        Self {
            position: Track { times: times.to_vec(), values: positions },
            rotation: Track { times: times.to_vec(), values: rotations },
        }
    }

    /// The poses at increasing times, in 64 bits for arithmetic.
    pub(super) fn poses_at(&self, times: &[f32]) -> Vec<RigidPose> {
        // Interpolated rotations may be shorter than 1.
        let pose = |(position, rotation): ([f32; 3], [f32; 4])| RigidPose {
            position: DVec3::from_array(position.map(f64::from)),
            rotation: unit(rotation.map(f64::from)),
        };
        self.position.resample(times).into_iter().zip(self.rotation.resample(times)).map(pose).collect()
    }
}

/// Flips quaternion signs so that consecutive ones are nearest to each other.
pub(super) fn align_signs(poses: &mut [RigidPose]) {
    for next in 1..poses.len() {
        let [previous, rotation] = [next - 1, next].map(|n| poses[n].rotation.to_array());
        poses[next].rotation = DQuat::from_array(align_sign(previous, rotation));
    }
}

/// Rounds to the nearest finite float: glTF has no infinities.
pub(super) fn to_finite_f32(value: f64) -> f32 {
    (value as f32).clamp(f32::MIN, f32::MAX)
}

/// The midpoint, where slerp and nlerp agree.
pub(super) fn middle(from: &RigidPose, to: &RigidPose) -> RigidPose {
    RigidPose { position: from.position.midpoint(to.position), rotation: from.rotation.lerp(to.rotation, 0.5) }
}

pub(super) fn nearest_pose(pose: &RigidPose) -> Pose {
    Pose {
        position: pose.position.to_array().map(to_finite_f32),
        rotation: pose.rotation.to_array().map(to_finite_f32),
    }
}

/// Normalizes a rotation; without a length it becomes the identity, as in Unity.
pub(super) fn unit(rotation: [f64; 4]) -> DQuat {
    DVec4::from_array(rotation).try_normalize().map_or(DQuat::IDENTITY, DQuat::from_vec4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resample_interpolates_linearly() {
        let track = Track { times: vec![1.0, 2.0, 4.0], values: vec![[10.0], [20.0], [40.0]] };
        let times = [0.0, 1.0, 1.25, 2.0, 3.0, 4.0, 9.0];
        assert_eq!(track.resample(&times).concat(), [10.0, 10.0, 12.5, 20.0, 30.0, 40.0, 40.0]);
    }
}
