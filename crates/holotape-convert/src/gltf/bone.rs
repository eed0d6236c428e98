//! What lies between a joint and the one that it hangs on.

use glam::{DQuat, DVec3};
use gltf_json::Node;
use gltf_json::scene::UnitQuaternion;

use super::rotation::FORWARD;
use super::track::{PoseTracks, rigid_pose, to_finite_f32};

/// So many moments say well enough how long a bone is.
const MAX_SAMPLES: usize = 64;

/// Shorter bones are hidden by the joints at their ends.
const MIN_M: f64 = 0.001;

/// A node to hang on a joint that reaches from there to another, as it does most of the time.
pub(super) fn bone(from: &PoseTracks, to: &PoseTracks, radius_m: f32) -> Option<Node> {
    let reach = median_offset(from, to);
    let length_m = reach.length();
    if !(length_m > MIN_M && length_m.is_finite()) {
        return None;
    }
    let turn = DQuat::from_rotation_arc(FORWARD, reach / length_m);
    Some(Node {
        rotation: Some(UnitQuaternion(turn.to_array().map(to_finite_f32))),
        scale: Some([radius_m, radius_m, to_finite_f32(length_m)]),
        ..Node::default()
    })
}

/// Where the one is as seen from the other: the median of each component.
fn median_offset(from: &PoseTracks, to: &PoseTracks) -> DVec3 {
    let all = &to.position.times;
    let times: Vec<_> = all.iter().copied().step_by(all.len().div_ceil(MAX_SAMPLES).max(1)).collect();
    let begins = from.position.resample(&times).into_iter().zip(from.rotation.resample(&times));
    let ends = to.position.resample(&times).into_iter();
    let reach =
        |((position, rotation), end)| rigid_pose(end, rotation).relative_to(&rigid_pose(position, rotation)).position;
    let reaches: Vec<DVec3> = begins.zip(ends).map(reach).collect();
    DVec3::from_array([0, 1, 2].map(|n| median(reaches.iter().map(|reach| reach[n]).collect())))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
