//! How the joints of a hand are turned, from their positions alone.
//!
//! A joint's z axis runs along the bone to the next joint, a tip's along the bone from the joint before; y points out of
//! the back of the hand, which the wrist and the outer knuckles give; and fingers bend about x, so that what is up at one
//! bone is up at the next, bent with it.

use glam::{DMat3, DQuat, DVec3};

use crate::check::point::Point;
use crate::{Hand, HandCurves, Joint};

/// Times at which a bone is measured to learn its usual length.
const MEASUREMENTS: usize = 100;

/// A bone this much shorter or longer than usual says nothing: the hand is on its way from one shape to another.
const NO_TRUST_SHARE: f64 = 0.5;

/// The positions of a hand's joints.
#[derive(Debug)]
pub(super) struct Skeleton<'a> {
    hand: Hand,
    points: [Option<Point<'a>>; Joint::COUNT],
    usual_m: [f64; Joint::COUNT],
}

/// How a joint should be turned, and from 0 to 1 how much to believe it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) rotation: DQuat,
    pub(super) trust: f64,
}

impl<'a> Skeleton<'a> {
    pub(super) fn new(hand: Hand, curves: &'a HandCurves) -> Self {
        let points = curves.joints.each_ref().map(Point::new);
        let mut skeleton = Self { hand, points, usual_m: [0.0; Joint::COUNT] };
        skeleton.usual_m = Joint::ALL.map(|joint| skeleton.usual_length(curves, joint).unwrap_or(0.0));
        skeleton
    }

    /// How a joint is turned at a time, if there are positions to tell.
    pub(super) fn stance(&self, joint: Joint, time: f64) -> Option<Stance> {
        match joint {
            Joint::None => None,
            Joint::Wrist
            | Joint::Palm
            | Joint::IndexMetacarpal
            | Joint::MiddleMetacarpal
            | Joint::RingMetacarpal
            | Joint::PinkyMetacarpal => self.facing_along(joint, self.out_of_back(time)?, time),
            Joint::ThumbMetacarpalJoint => self.facing_along(joint, self.to_thumb_side(time)?, time),
            _ => self.bent_from_parent(joint, time),
        }
    }

    /// Where a joint is at a time.
    fn point(&self, joint: Joint, time: f64) -> Option<DVec3> {
        self.points[joint.index()].as_ref()?.at(time)
    }

    fn facing_along(&self, joint: Joint, up: DVec3, time: f64) -> Option<Stance> {
        let bone = self.bone(joint, time)?;
        Some(Stance { rotation: facing(bone, up)?, trust: self.trust(joint, bone) })
    }

    fn bent_from_parent(&self, joint: Joint, time: f64) -> Option<Stance> {
        let parent = self.stance(joint.parent()?, time)?;
        if is_tip(joint) {
            return Some(parent);
        }
        let bone = self.bone(joint, time)?;
        let bend = DQuat::from_rotation_arc(parent.rotation * DVec3::Z, bone.try_normalize()?);
        let trust = parent.trust.min(self.trust(joint, bone));
        Some(Stance { rotation: (bend * parent.rotation).normalize(), trust })
    }

    /// Out of the back of the hand: across the plane of the wrist and the outer knuckles.
    fn out_of_back(&self, time: f64) -> Option<DVec3> {
        let wrist = self.point(Joint::Wrist, time)?;
        let [index, pinky] = [self.point(Joint::IndexKnuckle, time)?, self.point(Joint::PinkyKnuckle, time)?];
        let across = (index - wrist).cross(pinky - wrist);
        Some(if self.hand == Hand::Left { -across } else { across })
    }

    /// To the side of the thumb, whose back faces away from the little finger.
    fn to_thumb_side(&self, time: f64) -> Option<DVec3> {
        Some(self.point(Joint::IndexKnuckle, time)? - self.point(Joint::PinkyKnuckle, time)?)
    }

    /// Along the bone that a joint's z axis runs along.
    fn bone(&self, joint: Joint, time: f64) -> Option<DVec3> {
        let [from, to] = match joint {
            Joint::Wrist => [Joint::Wrist, Joint::MiddleMetacarpal],
            Joint::Palm => [Joint::MiddleMetacarpal, Joint::MiddleKnuckle],
            _ if is_tip(joint) => [joint.parent()?, joint],
            _ => [joint, *Joint::ALL.get(joint.index() + 1)?],
        };
        Some(self.point(to, time)? - self.point(from, time)?)
    }

    fn trust(&self, joint: Joint, bone: DVec3) -> f64 {
        let (length, usual) = (bone.length(), self.usual_m[joint.index()]);
        let share = (length / usual).min(usual / length);
        if share > NO_TRUST_SHARE { (share - NO_TRUST_SHARE) / (1.0 - NO_TRUST_SHARE) } else { 0.0 }
    }

    fn usual_length(&self, curves: &HandCurves, joint: Joint) -> Option<f64> {
        let keys = &curves.joint(joint).position[0].keys;
        let times = keys.iter().step_by(keys.len() / MEASUREMENTS + 1).map(|key| f64::from(key.time));
        let mut lengths: Vec<_> = times.filter_map(|time| Some(self.bone(joint, time)?.length())).collect();
        let middle = lengths.len() / 2;
        (middle < lengths.len()).then(|| *lengths.select_nth_unstable_by(middle, f64::total_cmp).1)
    }
}

fn is_tip(joint: Joint) -> bool {
    matches!(joint, Joint::ThumbTip | Joint::IndexTip | Joint::MiddleTip | Joint::RingTip | Joint::PinkyTip)
}

/// The rotation of something whose z axis points to `forward` and whose y axis is as near to `up` as that allows.
fn facing(forward: DVec3, up: DVec3) -> Option<DQuat> {
    let z = forward.try_normalize()?;
    let x = up.cross(z).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)))
}
