//! Bones that no hand has: too long, or of a length that changes.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::joint_position::JointPosition;
use crate::{Hand, Joint, PoseId, VectorId};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for hand in Hand::ALL {
        for joint in Joint::ALL {
            let lengths = bone_lengths(context, hand, joint);
            let ids = VectorId::Position(PoseId::Joint(hand, joint)).curve_ids();
            findings.add(FindingKind::LongBones, &ids, find_long_bones(&lengths, context.options.max_bone_m));
            findings.add(
                FindingKind::UnsteadyBones,
                &ids,
                find_unsteady_bones(&lengths, context.options.max_bone_change),
            );
        }
    }
}

/// The length of the bone to a joint, with the times at which it has it: at the joint's keys while the hand was tracked
/// and the joint that it hangs on was recorded too.
fn bone_lengths(context: CheckContext<'_>, hand: Hand, joint: Joint) -> Vec<(f64, f64)> {
    let pose = context.recording.hand(hand).joint(joint);
    let parent = joint.parent().map(|parent| context.recording.hand(hand).joint(parent));
    let Some((root, tip)) = parent.and_then(JointPosition::new).zip(JointPosition::new(pose)) else {
        return Vec::new();
    };
    let spans = context.tracked.hand(hand);
    let keys = pose.position[0].keys.iter().map(|key| f64::from(key.time));
    let tracked = keys.filter(|time| spans.find(*time).is_some());
    tracked.filter_map(|time| Some((time, root.at(time)?.distance(tip.at(time)?)))).collect()
}

fn find_long_bones(lengths: &[(f64, f64)], max_m: f64) -> Occurrences {
    let mut occurrences = Occurrences::default();
    lengths.iter().filter(|(_, length)| *length > max_m).for_each(|(time, length)| occurrences.add(*time, *length));
    occurrences
}

fn find_unsteady_bones(lengths: &[(f64, f64)], max_change: f64) -> Occurrences {
    let mut occurrences = Occurrences::default();
    let Some(median) = median(lengths).filter(|median| *median > 0.0) else { return occurrences };
    for (time, length) in lengths {
        let change = (length / median - 1.0).abs();
        if change > max_change {
            occurrences.add(*time, change);
        }
    }
    occurrences
}

fn median(lengths: &[(f64, f64)]) -> Option<f64> {
    let mut lengths: Vec<_> = lengths.iter().map(|(_, length)| *length).collect();
    let middle = lengths.len() / 2;
    (middle < lengths.len()).then(|| *lengths.select_nth_unstable_by(middle, f64::total_cmp).1)
}
