//! Bones that are too long, or whose length changes.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::joint_position::JointPosition;
use crate::{Hand, Joint, PoseId, VectorId};

pub(super) fn check(context: CheckContext<'_>, hand: Hand, findings: &mut FindingAggregator) {
    for joint in Joint::ALL {
        let lengths = bone_lengths(context, hand, joint);
        let ids = VectorId::Position(PoseId::Joint(hand, joint)).curve_ids();
        findings.add(FindingKind::LongBones, &ids, find_long_bones(&lengths, context.options.max_bone_m));
        findings.add(FindingKind::UnsteadyBones, &ids, find_unsteady_bones(&lengths, context.options.max_bone_change));
    }
}

/// The times and lengths of the bone to a joint, at the joint's keys while the hand is tracked and the parent joint is
/// recorded.
fn bone_lengths(context: CheckContext<'_>, hand: Hand, joint: Joint) -> Vec<(f64, f64)> {
    let pose = context.recording.hand(hand).joint(joint);
    let parent = joint.parent().map(|parent| context.recording.hand(hand).joint(parent));
    let Some((root, tip)) = parent.and_then(JointPosition::new).zip(JointPosition::new(pose)) else {
        return Vec::new();
    };
    let spans = context.tracked.hand(hand);
    let keys = pose.position[0].keys.iter().map(|key| f64::from(key.time));
    let tracked = keys.filter(|time| spans.find(*time).is_some());
    let (mut near_root, mut near_tip) = ([0; 3], [0; 3]);
    let mut length = |time| Some(root.near(time, &mut near_root)?.distance(tip.near(time, &mut near_tip)?));
    tracked.filter_map(|time| Some((time, length(time)?))).collect()
}

fn find_long_bones(lengths: &[(f64, f64)], max_m: f64) -> Occurrences {
    lengths.iter().copied().filter(|(_, length)| *length > max_m).collect()
}

fn find_unsteady_bones(lengths: &[(f64, f64)], max_change: f64) -> Occurrences {
    let Some(median) = median(lengths).filter(|median| *median > 0.0) else { return Occurrences::default() };
    let changes = lengths.iter().map(|(time, length)| (*time, (length / median - 1.0).abs()));
    changes.filter(|(_, change)| *change > max_change).collect()
}

fn median(lengths: &[(f64, f64)]) -> Option<f64> {
    let mut lengths: Vec<_> = lengths.iter().map(|(_, length)| *length).collect();
    let middle = lengths.len() / 2;
    (middle < lengths.len()).then(|| *lengths.select_nth_unstable_by(middle, f64::total_cmp).1)
}
