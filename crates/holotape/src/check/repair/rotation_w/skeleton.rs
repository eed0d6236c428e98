//! How the joints of a hand are turned, from their positions alone.
//!
//! A joint's z axis runs along the bone to the next joint, and tips are turned as the joint before; y points out of the back
//! of the hand, which the wrist and the outer knuckles give; and fingers bend about x, so that what is up at one bone is up
//! at the next, bent with it.

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

    /// How a joint is turned at a time, if there are positions to tell.
    pub(super) fn rotation(&self, joint: Joint, time: f64) -> Option<DQuat> {
        // The roots of the fingers hang on the wrist, but do not bend with it.
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

    /// Where the first of these joints is that has a position at all: some devices leave out the roots of the fingers.
    fn joint_position(&self, joints: &[Joint], time: f64) -> Option<DVec3> {
        joints.iter().find_map(|joint| self.points[joint.index()].as_ref())?.at(time)
    }

    /// Along the bone that a joint's z axis runs along.
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

    /// Where a joint's y axis points to: out of the back of the hand, or of the thumb, which faces away from the little
    /// finger.
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

/// The rotation of something whose z axis points to `forward` and whose y axis is as near to `up` as that allows.
fn look_rotation(forward: DVec3, up: DVec3) -> Option<DQuat> {
    let z = forward.try_normalize()?;
    let x = up.cross(z).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)))
}
