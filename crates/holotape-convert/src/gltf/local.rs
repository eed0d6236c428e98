//! Joints as seen from their parents.

use holotape::{BoolCurve, BoolEvaluator, Joint};

use super::deviation::Deviation;
use super::sampled::SampleDensity;
use super::track::{PoseTracks, align_signs, middle, nearest_pose, rigid_pose};
use crate::curve::{merge_times, sort_dedup};
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

/// Which joint of those that are there one hangs on: the nearest on the way to the wrist.
pub(super) fn nearest_parent<T>(joints: &[Option<T>], joint: Joint) -> Option<Joint> {
    towards_wrist(joint).find(|parent| joints[parent.index()].is_some())
}

/// The joints of a hand as seen from their parents, all at the times of all keys of the hand, and more where these are far
/// apart: there they are where they were. Between keys a joint goes straight as seen from its parent, not from the world;
/// how far that takes it while somebody sees the hand goes into the gap.
pub(super) fn to_local_space(
    joints: &[Option<PoseTracks>],
    tracked: &BoolCurve,
    pace: &SampleDensity<'_>,
    gap: &mut Deviation,
) -> Vec<Option<PoseTracks>> {
    let is_seen = tracked.evaluator();
    let keys = key_times(joints);
    let between = pace.fill(&keys).into_iter().filter(|time| is_seen.value_at(f64::from(*time)));
    let times = sort_dedup(between.chain(keys.iter().copied()).collect());
    let worlds: Vec<_> = joints.iter().map(|joint| joint.as_ref().map(|tracks| rigid_poses(tracks, &times))).collect();
    let locals: Vec<_> = Joint::ALL
        .iter()
        .map(|joint| {
            let world = worlds[joint.index()].as_ref()?;
            let parent = nearest_parent(&worlds, *joint).and_then(|parent| worlds[parent.index()].as_ref());
            Some(parent.map_or_else(|| world.clone(), |parent| relative_to(world, parent)))
        })
        .collect();
    measure(joints, &locals, &times, &is_seen, gap);
    locals.into_iter().map(|local| Some(PoseTracks::from_poses(&local?, &times))).collect()
}

fn key_times(joints: &[Option<PoseTracks>]) -> Vec<f32> {
    merge_times(joints.iter().flatten().flat_map(|joint| [&joint.position.times, &joint.rotation.times]))
}

fn rigid_poses(tracks: &PoseTracks, times: &[f32]) -> Vec<RigidPose> {
    let each = tracks.position.resample(times).into_iter().zip(tracks.rotation.resample(times));
    each.map(|(position, rotation)| rigid_pose(position, rotation)).collect()
}

fn relative_to(world: &[RigidPose], parent: &[RigidPose]) -> Vec<RigidPose> {
    let mut local: Vec<_> = world.iter().zip(parent).map(|(world, parent)| world.relative_to(parent)).collect();
    align_signs(&mut local);
    local
}

/// In the middle between two keys, where it is furthest.
fn measure(
    joints: &[Option<PoseTracks>],
    locals: &[Option<Vec<RigidPose>>],
    times: &[f32],
    is_seen: &BoolEvaluator<'_>,
    gap: &mut Deviation,
) {
    let middles: Vec<_> = times.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    let truths: Vec<_> =
        joints.iter().map(|joint| joint.as_ref().map(|tracks| rigid_poses(tracks, &middles))).collect();
    let seen = middles.iter().map(|middle| is_seen.value_at(f64::from(*middle)));
    for (span, _) in seen.enumerate().filter(|(_, is_seen)| *is_seen) {
        let mut shown: Vec<Option<RigidPose>> = vec![None; locals.len()];
        for joint in Joint::ALL {
            let Some((truth, local)) = truths[joint.index()].as_ref().zip(locals[joint.index()].as_ref()) else {
                continue;
            };
            let local = middle(&local[span], &local[span + 1]);
            let parent = nearest_parent(&shown, joint).and_then(|parent| shown[parent.index()]);
            let place = parent.map_or(local, |parent| parent.compose(&local));
            gap.widen_by_poses(&nearest_pose(&truth[span]), &nearest_pose(&place));
            shown[joint.index()] = Some(place);
        }
    }
}
