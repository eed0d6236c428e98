//! The rotations of a hand's joints from their positions.
//!
//! The z axis of a joint points along the bone to the next joint; a tip has the rotation of the joint before it. The y axis
//! points out of the back of the hand, which follows from the wrist and the outer knuckles. Fingers bend about x, so the y
//! axis of one bone, bent along, is that of the next.

use glam::{DMat3, DQuat, DVec3};

use crate::{Hand, Joint};

/// The rotations of a hand's joints, computed from their positions: the z axis of a joint points along the bone to the next
/// joint, the y axis out of the back of the hand. Fingers bend about x. A tip has the rotation of the joint before it.
///
/// A joint has no rotation if positions are missing from which it follows: its own, that of the next joint, and those of the
/// wrist and of the knuckles of index and little finger.
///
/// ```
/// use holotape::{Hand, Joint, rotations_from_positions};
///
/// // A flat right hand with fingers along z; x points to the right.
/// let mut positions = [None; Joint::COUNT];
/// positions[Joint::Wrist.index()] = Some([0.0, 1.0, 0.0]);
/// positions[Joint::IndexKnuckle.index()] = Some([-0.02, 1.0, 0.1]);
/// positions[Joint::PinkyKnuckle.index()] = Some([0.03, 1.0, 0.09]);
/// positions[Joint::IndexMiddleJoint.index()] = Some([-0.02, 1.0, 0.14]);
/// let rotations = rotations_from_positions(Hand::Right, &positions);
/// assert_eq!(rotations[Joint::IndexKnuckle.index()], Some([0.0, 0.0, 0.0, 1.0]));
/// ```
#[must_use]
pub fn rotations_from_positions(
    hand: Hand,
    positions: &[Option<[f32; 3]>; Joint::COUNT],
) -> [Option<[f32; 4]>; Joint::COUNT] {
    let position = |joint: Joint| positions[joint.index()].map(|at| DVec3::from_array(at.map(f64::from)));
    Joint::ALL.map(|joint| Some(joint_rotation(hand, joint, &position)?.as_quat().to_array()))
}

/// The rotation of a joint; `None` if positions are missing.
pub(crate) fn joint_rotation(hand: Hand, joint: Joint, position: &impl Fn(Joint) -> Option<DVec3>) -> Option<DQuat> {
    // The roots of the fingers are children of the wrist, but do not bend with it.
    let bends = joint.parent().filter(|parent| *parent != Joint::Wrist);
    let parent = bends.and_then(|parent| joint_rotation(hand, parent, position));
    if is_tip(joint) {
        return parent;
    }
    let bone = bone_direction(joint, position)?.try_normalize()?;
    match parent {
        Some(parent) => Some((DQuat::from_rotation_arc(parent * DVec3::Z, bone) * parent).normalize()),
        None => look_rotation(bone, up_direction(hand, joint, position)?),
    }
}

/// The direction of a joint's z axis, along its bone.
fn bone_direction(joint: Joint, position: &impl Fn(Joint) -> Option<DVec3>) -> Option<DVec3> {
    use Joint::{MiddleKnuckle, MiddleMetacarpal, Palm, Wrist};
    // Some devices omit the roots of the fingers.
    let first = |joints: [Joint; 2]| joints.into_iter().find_map(position);
    let [from, to] = match joint {
        Joint::None => return None,
        Wrist => [position(Wrist)?, first([MiddleMetacarpal, MiddleKnuckle])?],
        Palm => [first([MiddleMetacarpal, Wrist])?, position(MiddleKnuckle)?],
        _ => [position(joint)?, position(*Joint::ALL.get(joint.index() + 1)?)?],
    };
    Some(to - from)
}

/// The direction of a joint's y axis: out of the back of the hand, or for the thumb away from the little finger.
fn up_direction(hand: Hand, joint: Joint, position: &impl Fn(Joint) -> Option<DVec3>) -> Option<DVec3> {
    let [wrist, index, pinky] =
        [position(Joint::Wrist)?, position(Joint::IndexKnuckle)?, position(Joint::PinkyKnuckle)?];
    let across = (index - wrist).cross(pinky - wrist);
    Some(match (joint, hand) {
        (Joint::ThumbMetacarpalJoint | Joint::ThumbProximalJoint | Joint::ThumbDistalJoint, _) => index - pinky,
        (_, Hand::Left) => -across,
        (_, Hand::Right) => across,
    })
}

fn is_tip(joint: Joint) -> bool {
    matches!(joint, Joint::ThumbTip | Joint::IndexTip | Joint::MiddleTip | Joint::RingTip | Joint::PinkyTip)
}

/// The rotation whose z axis points to `forward` and whose y axis is as close to `up` as possible.
fn look_rotation(forward: DVec3, up: DVec3) -> Option<DQuat> {
    let z = forward.try_normalize()?;
    let x = up.cross(z).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)))
}
