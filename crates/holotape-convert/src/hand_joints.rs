//! Hands of sources that lack joints of a recording, which are constructed, or pinches.

use holotape::{Hand, Joint, Pose, PoseId, Skeleton, construct_missing};

use crate::assemble::RecordingAssembler;
use crate::{Loss, LossKind};

/// The joints of a hand at one time, in Unity's space: `None` if the source has no pose, `Some(None)` if it is invalid.
pub(crate) type JointValues = [Option<Option<Pose>>; Joint::COUNT];

/// Adds the joints of a hand, and constructs those that its skeleton lacks.
pub(crate) fn push_hand(
    assembler: &mut RecordingAssembler,
    skeleton: Skeleton,
    hand: Hand,
    time_secs: f64,
    joints: &JointValues,
) {
    let mut complete = joints.map(Option::flatten);
    construct_missing(&mut complete);
    for joint in Joint::ALL.into_iter().skip(1) {
        let is_given = skeleton.index(joint).is_some();
        let pose = if is_given { joints[joint.index()] } else { complete[joint.index()].map(Some) };
        assembler.pose(PoseId::Joint(hand, joint), time_secs, pose);
    }
}

/// The loss of reading hands of ARKit.
pub(crate) fn arkit_palm_loss() -> Loss {
    let message = "invented the palms: ARKit has none; placed in the middle of the metacarpal bones";
    Loss::new(LossKind::Invented, message)
}

/// The loss of reading hands from a source that has no pinches.
pub(crate) fn pinch_loss(source: &str) -> Loss {
    Loss::new(LossKind::Flags, format!("left the pinches empty: {source} does not record them"))
}
