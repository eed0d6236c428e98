//! The losses of all frame-based formats.

use holotape::{Curve, CurveId, Hand, Joint, PoseCurves, PoseId, Recording, WindowedRecording};

use crate::curve::merge_key_times;
use crate::{Loss, LossKind, Losses};

/// Which optional data a frame-based format can represent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameCapabilities {
    /// The joint None.
    pub(crate) none_joint: bool,
    /// Poses of untracked hands.
    pub(crate) untracked: bool,
    /// Keys before time 0.
    pub(crate) before_start: bool,
}

/// Returns what frames cannot represent, regardless of their times.
pub(crate) fn frame_losses(recording: &WindowedRecording<'_>, capabilities: FrameCapabilities) -> Losses {
    let mut losses = Losses::default();
    let outline = recording.outline();
    if !capabilities.none_joint {
        let has_keys =
            |hand: &Hand| curves_of(outline.hand(*hand).joint(Joint::None)).any(|curve| !curve.keys.is_empty());
        let hands: Vec<_> = Hand::ALL.into_iter().filter(has_keys).map(Hand::name).collect();
        losses.push_if(!hands.is_empty(), LossKind::Joints, || {
            format!("dropped the joint None ({}): it is a placeholder", hands.join(" and "))
        });
    }
    losses.extend(incomplete(outline, capabilities.none_joint));
    for hand in Hand::ALL.into_iter().filter(|_| !capabilities.untracked) {
        let count = untracked_times(recording, hand);
        losses.push_if(count > 0, LossKind::Untracked, || {
            format!("dropped keys of the {hand} hand at {count} times: not tracked")
        });
    }
    if !capabilities.before_start {
        let times = merge_key_times(recording.key_times().map(|(_, times)| times));
        let count = times.partition_point(|time| *time < 0.0);
        losses.push_if(count > 0, LossKind::Resampled, || format!("dropped keys at {count} times: before time 0"));
    }
    losses
}

/// Returns the loss of poses and rays that lack keys in some of their curves.
pub(crate) fn incomplete(recording: &Recording, with_none_joint: bool) -> Option<Loss> {
    let is_supported = |id: &PoseId| with_none_joint || !matches!(id, PoseId::Joint(_, Joint::None));
    let poses = recording.poses().filter(|(id, pose)| is_supported(id) && is_incomplete(curves_of(pose)));
    let gaze = recording.gaze.iter().filter(|gaze| is_incomplete(gaze.origin.iter().chain(&gaze.direction)));
    let names: Vec<_> = poses.map(|(id, _)| id.to_string()).chain(gaze.map(|_| "gaze".to_owned())).collect();
    let (first, others) = names.split_first()?;
    let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    Some(Loss::new(LossKind::Unusable, format!("dropped {first}{others}: some of the curves have no keys")))
}

fn is_incomplete<'a>(mut curves: impl Iterator<Item = &'a Curve> + Clone) -> bool {
    curves.clone().any(|curve| curve.keys.is_empty()) && curves.any(|curve| !curve.keys.is_empty())
}

/// The number of times at which an untracked hand has keys.
fn untracked_times(recording: &WindowedRecording<'_>, hand: Hand) -> usize {
    let is_of_hand = |id: CurveId| matches!(id, CurveId::Joint(of, ..) if of == hand);
    let curves = recording.key_times().filter(|(id, _)| is_of_hand(*id));
    let tracked = recording.outline().hand(hand).tracked.evaluator();
    let times = merge_key_times(curves.map(|(_, times)| times));
    times.into_iter().filter(|time| !tracked.value_at(f64::from(*time))).count()
}

fn curves_of(pose: &PoseCurves) -> impl Iterator<Item = &Curve> + Clone {
    pose.position.iter().chain(&pose.rotation)
}
