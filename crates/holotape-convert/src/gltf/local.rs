//! Converts joint poses to the coordinates of their parents.

use holotape::{BoolCurve, BoolEvaluator, Joint};

use super::sampled::SampleDensity;
use super::track::{PoseTracks, align_signs, middle, nearest_pose};
use crate::curve::{merge_times, sort_dedup};
use crate::deviation::Deviation;
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

/// The nearest joint towards the wrist that has an entry in `joints`.
pub(super) fn nearest_parent<T>(joints: &[Option<T>], joint: Joint) -> Option<Joint> {
    towards_wrist(joint).find(|parent| joints[parent.index()].is_some())
}

/// Returns the joints of a hand relative to their parents, all with the same key times: the times of all keys of the
/// hand, and more where these are far apart. At those times joints are exactly where they were recorded. Between them
/// they are interpolated relative to their parents; `deviation` gets the resulting errors while the hand is tracked.
pub(super) fn to_local_space(
    joints: &[Option<PoseTracks>],
    tracked: &BoolCurve,
    density: &SampleDensity<'_>,
    deviation: &mut Deviation,
) -> Vec<Option<PoseTracks>> {
    let is_visible = tracked.evaluator();
    let key_times = joints.iter().flatten().flat_map(|joint| [&joint.position.times, &joint.rotation.times]);
    let keys = merge_times(key_times.map(|times| times.iter().copied()));
    let between = density.fill(&keys).into_iter().filter(|time| is_visible.value_at(f64::from(*time)));
    let times = sort_dedup(between.chain(keys.iter().copied()).collect());
    let worlds = poses_at(joints, &times);
    let parent_of = |joint| nearest_parent(&worlds, joint).and_then(|parent| worlds[parent.index()].as_ref());
    let local = |joint: &Joint| {
        let world = worlds[joint.index()].as_ref()?;
        Some(parent_of(*joint).map_or_else(|| world.clone(), |parent| relative_to(world, parent)))
    };
    let locals: Vec<_> = Joint::ALL.iter().map(local).collect();
    measure(joints, &locals, &times, &is_visible, deviation);
    locals.into_iter().map(|local| Some(PoseTracks::from_poses(&local?, &times))).collect()
}

fn poses_at(joints: &[Option<PoseTracks>], times: &[f32]) -> Vec<Option<Vec<RigidPose>>> {
    joints.iter().map(|joint| Some(joint.as_ref()?.poses_at(times))).collect()
}

fn relative_to(world: &[RigidPose], parent: &[RigidPose]) -> Vec<RigidPose> {
    let mut local: Vec<_> = world.iter().zip(parent).map(|(world, parent)| world.relative_to(parent)).collect();
    align_signs(&mut local);
    local
}

/// Measures in the middle of each segment, where the deviation is largest.
fn measure(
    joints: &[Option<PoseTracks>],
    locals: &[Option<Vec<RigidPose>>],
    times: &[f32],
    is_visible: &BoolEvaluator<'_>,
    deviation: &mut Deviation,
) {
    let middles: Vec<_> = times.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    let recorded = poses_at(joints, &middles);
    let visible = middles.iter().map(|middle| is_visible.value_at(f64::from(*middle)));
    for (segment, _) in visible.enumerate().filter(|(_, is_visible)| *is_visible) {
        let mut shown: Vec<Option<RigidPose>> = vec![None; locals.len()];
        for joint in Joint::ALL {
            let Some((recorded, local)) = recorded[joint.index()].as_ref().zip(locals[joint.index()].as_ref()) else {
                continue;
            };
            let local = middle(&local[segment], &local[segment + 1]);
            let parent = nearest_parent(&shown, joint).and_then(|parent| shown[parent.index()]);
            let pose = parent.map_or(local, |parent| parent.compose(&local));
            deviation.include_poses(&nearest_pose(&recorded[segment]), &nearest_pose(&pose));
            shown[joint.index()] = Some(pose);
        }
    }
}
