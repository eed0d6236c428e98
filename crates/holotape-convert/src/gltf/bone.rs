//! The static mesh of a bone between a joint and its parent.

use glam::{DQuat, DVec3};
use gltf_json::Node;
use gltf_json::scene::UnitQuaternion;

use super::rotation::FORWARD;
use super::track::{PoseTracks, rigid_pose, to_finite_f32};
use crate::rigid::median_vector;

/// Samples used to estimate the length of a bone.
const MAX_SAMPLES: usize = 64;

/// Shorter bones are hidden inside the spheres of the joints.
const MIN_M: f64 = 0.001;

/// Returns a child node of the joint `from` that reaches to `to`, at the median offset between the two.
pub(super) fn bone(from: &PoseTracks, to: &PoseTracks, radius_m: f32) -> Option<Node> {
    let offset = median_offset(from, to)?;
    let length_m = offset.length();
    if !(length_m > MIN_M && length_m.is_finite()) {
        return None;
    }
    let rotation = DQuat::from_rotation_arc(FORWARD, offset / length_m);
    Some(Node {
        rotation: Some(UnitQuaternion(rotation.to_array().map(to_finite_f32))),
        scale: Some([radius_m, radius_m, to_finite_f32(length_m)]),
        ..Node::default()
    })
}

/// The position of `to` in the coordinates of `from`: the median of each component.
fn median_offset(from: &PoseTracks, to: &PoseTracks) -> Option<DVec3> {
    let all = &to.position.times;
    let times: Vec<_> = all.iter().copied().step_by(all.len().div_ceil(MAX_SAMPLES).max(1)).collect();
    let starts = from.position.resample(&times).into_iter().zip(from.rotation.resample(&times));
    let ends = to.position.resample(&times).into_iter();
    let offset =
        |((position, rotation), end)| rigid_pose(end, rotation).relative_to(&rigid_pose(position, rotation)).position;
    let offsets: Vec<DVec3> = starts.zip(ends).map(offset).collect();
    median_vector(&offsets)
}
