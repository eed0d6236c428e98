//! Joints as seen from their parents.

use holotape::{BoolCurve, BoolEvaluator, Joint};

use super::gap::Gap;
use super::sampled::{Pace, rising};
use super::track::{Place, PoseTracks, take_the_short_way};

/// Which joint of those that are there one hangs on: the nearest on the way to the wrist.
pub(super) fn parent_among<T>(joints: &[Option<T>], joint: Joint) -> Option<Joint> {
    std::iter::successors(joint.parent(), |parent| parent.parent()).find(|parent| joints[parent.index()].is_some())
}

/// The joints of a hand as seen from their parents, all at the times of all keys of the hand, and more where these are far
/// apart: there they are where they were. Between keys a joint goes straight as seen from its parent, not from the world;
/// how far that takes it while somebody sees the hand goes into the gap.
pub(super) fn localised(
    joints: &[Option<PoseTracks>],
    tracked: &BoolCurve,
    pace: &Pace<'_>,
    gap: &mut Gap,
) -> Vec<Option<PoseTracks>> {
    let is_seen = tracked.evaluator();
    let keys = key_times(joints);
    let between = pace.fill(&keys).into_iter().filter(|time| is_seen.value_at(f64::from(*time)));
    let times = rising(between.chain(keys.iter().copied()).collect());
    let worlds: Vec<_> = joints.iter().map(|joint| joint.as_ref().map(|tracks| places(tracks, &times))).collect();
    let locals: Vec<_> = Joint::ALL
        .iter()
        .map(|joint| {
            let world = worlds[joint.index()].as_ref()?;
            let parent = parent_among(&worlds, *joint).and_then(|parent| worlds[parent.index()].as_ref());
            Some(parent.map_or_else(|| world.clone(), |parent| seen_from(world, parent)))
        })
        .collect();
    measure(&worlds, &locals, &times, &is_seen, gap);
    locals.into_iter().map(|local| Some(PoseTracks::of_places(&local?, &times))).collect()
}

fn key_times(joints: &[Option<PoseTracks>]) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    let mut last: &[f32] = &[];
    for joint in joints.iter().flatten() {
        for own in [&joint.position.times, &joint.rotation.times] {
            // Most joints share their times with the one before.
            if own != last {
                times.extend(own);
                last = own;
            }
        }
    }
    rising(times)
}

fn places(tracks: &PoseTracks, times: &[f32]) -> Vec<Place> {
    let each = tracks.position.onto(times).into_iter().zip(tracks.rotation.onto(times));
    each.map(|(position, rotation)| Place::new(position, rotation)).collect()
}

fn seen_from(world: &[Place], parent: &[Place]) -> Vec<Place> {
    let mut local: Vec<_> = world.iter().zip(parent).map(|(world, parent)| world.seen_from(parent)).collect();
    take_the_short_way(&mut local);
    local
}

/// In the middle between two keys, where it is furthest.
fn measure(
    worlds: &[Option<Vec<Place>>],
    locals: &[Option<Vec<Place>>],
    times: &[f32],
    is_seen: &BoolEvaluator<'_>,
    gap: &mut Gap,
) {
    for (span, pair) in times.windows(2).enumerate() {
        if !is_seen.value_at(f64::midpoint(pair[0].into(), pair[1].into())) {
            continue;
        }
        let middle = |places: &[Place]| places[span].middle(&places[span + 1]);
        let mut shown: Vec<Option<Place>> = vec![None; worlds.len()];
        for joint in Joint::ALL {
            let Some((world, local)) = worlds[joint.index()].as_ref().zip(locals[joint.index()].as_ref()) else {
                continue;
            };
            let parent = parent_among(&shown, joint).and_then(|parent| shown[parent.index()]);
            let local = middle(local);
            let place = parent.map_or(local, |parent| parent.carry(&local));
            gap.widen_by_poses(&middle(world).pose(), &place.pose());
            shown[joint.index()] = Some(place);
        }
    }
}
