//! What frames cannot hold of a recording, in the same words whoever writes them.

use holotape::{Curve, CurveRef, Hand, Joint, PoseCurves, PoseId, Recording};

use crate::curve::{key_times, merge_times};
use crate::{Loss, LossKind, Losses};

/// What a format of frames does hold, of the things that not all of them do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameCapabilities {
    /// The joint None.
    pub(crate) none_joint: bool,
    /// Poses of hands while they were not tracked.
    pub(crate) untracked: bool,
    /// What is before time 0.
    pub(crate) before_start: bool,
}

/// What is lost of a recording by frames, whatever their times.
pub(crate) fn frame_losses(recording: &Recording, kept: FrameCapabilities) -> Losses {
    let mut losses = Losses::default();
    losses.extend(none_joints(recording).filter(|_| !kept.none_joint));
    losses.extend(incomplete(recording, kept.none_joint));
    losses.extend(Hand::ALL.into_iter().filter(|_| !kept.untracked).filter_map(|hand| untracked(recording, hand)));
    losses.extend(before_start(recording).filter(|_| !kept.before_start));
    losses
}

fn none_joints(recording: &Recording) -> Option<Loss> {
    let has_keys =
        |hand: &Hand| curves_of(recording.hand(*hand).joint(Joint::None)).any(|curve| !curve.keys.is_empty());
    let hands: Vec<_> = Hand::ALL.into_iter().filter(has_keys).map(Hand::name).collect();
    let message = || format!("the joint None ({}): stands for no joint", hands.join(" and "));
    (!hands.is_empty()).then(|| Loss::new(LossKind::Joints, message()))
}

/// Keys of what has no pose, for it takes all of the curves to have one.
pub(crate) fn incomplete(recording: &Recording, with_none_joint: bool) -> Option<Loss> {
    let has_place = |id: &PoseId| with_none_joint || !matches!(id, PoseId::Joint(_, Joint::None));
    let poses = recording.poses().filter(|(id, pose)| has_place(id) && is_incomplete(curves_of(pose)));
    let gaze = recording.gaze.iter().filter(|gaze| is_incomplete(gaze.origin.iter().chain(&gaze.direction)));
    let names: Vec<_> = poses.map(|(id, _)| id.to_string()).chain(gaze.map(|_| "gaze".to_owned())).collect();
    let (first, others) = names.split_first()?;
    let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    Some(Loss::new(LossKind::Unusable, format!("{first}{others}: no pose without all of its curves")))
}

fn is_incomplete<'a>(mut curves: impl Iterator<Item = &'a Curve> + Clone) -> bool {
    curves.clone().any(|curve| curve.keys.is_empty()) && curves.any(|curve| !curve.keys.is_empty())
}

/// Keys of a hand while nobody saw it.
fn untracked(recording: &Recording, hand: Hand) -> Option<Loss> {
    let curves = recording.hand(hand).joints.iter().flat_map(curves_of);
    let tracked = recording.hand(hand).tracked.evaluator();
    let times = merge_times(curves.map(|curve| key_times(CurveRef::Float(curve))));
    let unseen = times.into_iter().filter(|time| !tracked.value_at(f64::from(*time))).count();
    let message = || format!("keys of the {hand} hand where it was not tracked (at {unseen} times): left out");
    (unseen > 0).then(|| Loss::new(LossKind::Untracked, message()))
}

fn before_start(recording: &Recording) -> Option<Loss> {
    let times = merge_times(recording.curves().map(|(_, curve)| key_times(curve)));
    let early = times.partition_point(|time| *time < 0.0);
    (early > 0).then(|| Loss::new(LossKind::Resampled, format!("keys before time 0 (at {early} times): left out")))
}

fn curves_of(pose: &PoseCurves) -> impl Iterator<Item = &Curve> + Clone {
    pose.position.iter().chain(&pose.rotation)
}
