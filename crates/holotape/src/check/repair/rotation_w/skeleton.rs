//! Computes the rotations of a hand's joints from their positions.
//!
//! The z axis of a joint points along the bone to the next joint; a tip has the rotation of the joint before it. The y axis
//! points out of the back of the hand, which follows from the wrist and the outer knuckles. Fingers bend about x, so the y
//! axis of one bone, bent along, is that of the next.

use glam::{DMat3, DQuat, DVec3};

use crate::check::joint_position::JointPosition;
use crate::{Hand, HandCurves, Joint};

/// The positions of a hand's joints.
#[derive(Debug)]
pub(super) struct Skeleton<'a> {
    hand: Hand,
    points: [Option<JointPosition<'a>>; Joint::COUNT],
}

impl<'a> Skeleton<'a> {
    pub(super) fn new(hand: Hand, curves: &'a HandCurves) -> Self {
        Self { hand, points: curves.joints.each_ref().map(JointPosition::new) }
    }

    /// The rotation of a joint at a time; `None` if positions are missing.
    pub(super) fn rotation(&self, joint: Joint, time: f64) -> Option<DQuat> {
        // The roots of the fingers are children of the wrist, but do not bend with it.
        let bends = joint.parent().filter(|parent| *parent != Joint::Wrist);
        let parent = bends.and_then(|parent| self.rotation(parent, time));
        if is_tip(joint) {
            return parent;
        }
        let bone = self.bone_direction(joint, time)?.try_normalize()?;
        match parent {
            Some(parent) => Some((DQuat::from_rotation_arc(parent * DVec3::Z, bone) * parent).normalize()),
            None => look_rotation(bone, self.up_direction(joint, time)?),
        }
    }

    /// The position of the first of these joints that has one: some devices omit the roots of the fingers.
    fn joint_position(&self, joints: &[Joint], time: f64) -> Option<DVec3> {
        joints.iter().find_map(|joint| self.points[joint.index()].as_ref())?.at(time)
    }

    /// The direction of a joint's z axis, along its bone.
    fn bone_direction(&self, joint: Joint, time: f64) -> Option<DVec3> {
        use Joint::{MiddleKnuckle, MiddleMetacarpal, Palm, Wrist};
        let next = Joint::ALL.get(joint.index() + 1);
        let [from, to] = match joint {
            Joint::None => return None,
            Wrist => {
                [self.joint_position(&[Wrist], time)?, self.joint_position(&[MiddleMetacarpal, MiddleKnuckle], time)?]
            }
            Palm => {
                [self.joint_position(&[MiddleMetacarpal, Wrist], time)?, self.joint_position(&[MiddleKnuckle], time)?]
            }
            _ => [self.joint_position(&[joint], time)?, self.joint_position(&[*next?], time)?],
        };
        Some(to - from)
    }

    /// The direction of a joint's y axis: out of the back of the hand, or for the thumb away from the little finger.
    fn up_direction(&self, joint: Joint, time: f64) -> Option<DVec3> {
        let [wrist, index, pinky] = [Joint::Wrist, Joint::IndexKnuckle, Joint::PinkyKnuckle].map(|joint| [joint]);
        let [wrist, index, pinky] = [
            self.joint_position(&wrist, time)?,
            self.joint_position(&index, time)?,
            self.joint_position(&pinky, time)?,
        ];
        let across = (index - wrist).cross(pinky - wrist);
        Some(match (joint, self.hand) {
            (Joint::ThumbMetacarpalJoint | Joint::ThumbProximalJoint | Joint::ThumbDistalJoint, _) => index - pinky,
            (_, Hand::Left) => -across,
            (_, Hand::Right) => across,
        })
    }
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
