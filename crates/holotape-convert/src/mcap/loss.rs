//! What a log cannot hold of a recording.

use holotape::{Curve, Hand, Joint, PoseCurves, PoseId, Recording};

use super::clock::Clock;
use crate::{Loss, LossKind, Losses};

/// What is lost whatever the times are.
pub(super) fn of_recording(recording: &Recording) -> Losses {
    let mut losses = Losses::default();
    losses.extend(of_none_slots(recording));
    losses.extend(of_parts(recording));
    losses.extend(Hand::ALL.into_iter().filter_map(|hand| of_untracked(recording, hand)));
    losses
}

pub(super) fn of_gaze(blind_frames: usize) -> Option<Loss> {
    let words = || format!("gaze without a direction ({blind_frames} frames): left out");
    (blind_frames > 0).then(|| Loss::new(LossKind::Gaze, words()))
}

/// Frames and markers at times that the log does not have.
pub(super) fn of_times(recording: &Recording, times: &[f64], clock: &Clock) -> Losses {
    let frames = times.iter().filter(|time| clock.ns(**time).is_none()).count();
    let markers = recording.markers.iter().filter(|marker| clock.ns(marker.time.into()).is_none()).count();
    let loss = |kind, count: usize, what: &str| {
        let words = || format!("{what} before time 0 or beyond what a log can count ({count}): left out");
        (count > 0).then(|| Loss::new(kind, words()))
    };
    let mut losses = Losses::default();
    losses.extend(loss(LossKind::Resampled, frames, "frames"));
    losses.extend(loss(LossKind::Markers, markers, "markers"));
    losses
}

fn of_none_slots(recording: &Recording) -> Option<Loss> {
    let has_keys =
        |hand: &Hand| curves_of(recording.hand(*hand).joint(Joint::None)).any(|curve| !curve.keys.is_empty());
    let hands: Vec<_> = Hand::ALL.into_iter().filter(has_keys).map(Hand::name).collect();
    let words = || format!("the joint None ({}): stands for no joint", hands.join(" and "));
    (!hands.is_empty()).then(|| Loss::new(LossKind::Joints, words()))
}

/// Keys of what has no pose, for it takes all of the curves to have one.
fn of_parts(recording: &Recording) -> Option<Loss> {
    let is_joint = |id: &PoseId| !matches!(id, PoseId::Joint(_, Joint::None));
    let poses = recording.poses().filter(|(id, pose)| is_joint(id) && is_part(curves_of(pose)));
    let gaze = recording.gaze.iter().filter(|gaze| is_part(gaze.origin.iter().chain(&gaze.direction)));
    let names = poses.map(|(id, _)| id.to_string()).chain(gaze.map(|_| "gaze".to_owned()));
    let names: Vec<_> = names.collect();
    let (first, others) = names.split_first()?;
    let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    Some(Loss::new(LossKind::Unusable, format!("{first}{others}: no pose without all of its curves")))
}

fn is_part<'a>(mut curves: impl Iterator<Item = &'a Curve> + Clone) -> bool {
    curves.clone().any(|curve| curve.keys.is_empty()) && curves.any(|curve| !curve.keys.is_empty())
}

fn of_untracked(recording: &Recording, hand: Hand) -> Option<Loss> {
    let tracked = recording.hand(hand).tracked.evaluator();
    let mut unseen: Vec<f32> = Vec::new();
    let mut last: Vec<f32> = Vec::new();
    for curve in recording.hand(hand).joints.iter().flat_map(curves_of) {
        let times: Vec<_> = curve.keys.iter().map(|key| key.time).filter(|time| time.is_finite()).collect();
        // Most curves share their times with the one before.
        if times != last {
            unseen.extend(times.iter().filter(|time| !tracked.value_at(f64::from(**time))));
            last = times;
        }
    }
    unseen.sort_unstable_by(f32::total_cmp);
    unseen.dedup();
    let words = || format!("the {hand} hand where it was not tracked (keys at {} times): no poses", unseen.len());
    (!unseen.is_empty()).then(|| Loss::new(LossKind::Untracked, words()))
}

fn curves_of(pose: &PoseCurves) -> impl Iterator<Item = &Curve> + Clone {
    pose.position.iter().chain(&pose.rotation)
}
