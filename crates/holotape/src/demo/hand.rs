//! A hand skeleton: from the pose of the wrist and the angles of the fingers to the poses of all joints.
//!
//! All hands here are right hands; a left one is mirrored. The +Z axis of every joint points along its bone to the
//! next joint, +Y out of the back of the hand, so bending towards the palm is a positive rotation about X.

use glam::{DQuat, DVec3};

use super::hand_shape::HandShape;
use crate::{Hand, Joint, Pose};

/// A position and a rotation in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RigidPose {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

impl RigidPose {
    const ORIGIN: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// The pose in 32 bits, with the quaternion whose w is not negative.
    pub(super) fn to_pose(self) -> Pose {
        let rotation = if self.rotation.w < 0.0 { -self.rotation } else { self.rotation };
        Pose { position: self.position.as_vec3().to_array(), rotation: rotation.as_quat().to_array() }
    }

    /// Transforms a local point to world space.
    pub(super) fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }

    /// The pose mirrored at the plane between left and right.
    pub(super) fn mirrored(self) -> Self {
        let DQuat { x, y, z, w } = self.rotation;
        Self { position: mirror_to(Hand::Left, self.position), rotation: DQuat::from_xyzw(x, -y, -z, w) }
    }
}

/// Mirrors a point of the right side if `hand` is the left one.
pub(super) fn mirror_to(hand: Hand, point: DVec3) -> DVec3 {
    match hand {
        Hand::Left => DVec3::new(-point.x, point.y, point.z),
        Hand::Right => point,
    }
}

/// The rotation whose +Z points along `forward` and whose +Y is as close to `up` as possible.
pub(super) fn look_rotation(forward: DVec3, up: DVec3) -> DQuat {
    let level = forward.x.hypot(forward.z);
    let aim = DQuat::from_rotation_y(forward.x.atan2(forward.z)) * DQuat::from_rotation_x((-forward.y).atan2(level));
    // The remaining rotation is about the direction itself, by the angle of `up` in the perpendicular plane.
    let (right, above) = (up.dot(aim * DVec3::X), up.dot(aim * DVec3::Y));
    aim * DQuat::from_rotation_z((-right).atan2(above))
}

/// The poses of a hand's joints, in the order of [`Joint::ALL`]; that of `None` is unused.
pub(super) type Joints = [RigidPose; Joint::COUNT];

/// The bones of a digit: the position of its root relative to the wrist, its rotation (about Y, X, Z in degrees), and
/// the lengths in metres from joint to joint to tip.
struct DigitBones<const N: usize> {
    root: [f64; 3],
    turn: [f64; 3],
    lengths: [f64; N],
}

// The lengths are means of adults' hands in radiographs, with the pad of the finger added to the last bone. The
// rotations spread the fingers over the arch of the knuckles.
const THUMB: DigitBones<3> =
    DigitBones { root: [-0.019, -0.012, 0.019], turn: [0.0; 3], lengths: [0.0462, 0.0316, 0.0256] };

const FINGERS: [DigitBones<4>; 4] = [
    DigitBones { root: [-0.013, -0.001, 0.033], turn: [-8.0, 0.0, 6.0], lengths: [0.0681, 0.0398, 0.0224, 0.0197] },
    // Straight ahead of the wrist, so that the wrist's +Z points along a bone as well.
    DigitBones { root: [0.0, 0.0, 0.035], turn: [0.0, 0.0, 0.0], lengths: [0.0646, 0.0446, 0.0263, 0.0213] },
    DigitBones { root: [0.011, -0.002, 0.033], turn: [7.0, 2.0, -6.0], lengths: [0.0580, 0.0414, 0.0257, 0.0212] },
    DigitBones { root: [0.020, -0.006, 0.029], turn: [14.0, 5.0, -13.0], lengths: [0.0537, 0.0327, 0.0181, 0.0197] },
];

/// The joints of a right hand.
pub(super) fn joints(wrist: RigidPose, shape: &HandShape) -> Joints {
    let mut joints = [RigidPose::ORIGIN; Joint::COUNT];
    joints[Joint::Wrist.index()] = wrist;

    let [away, lowered, turned, bends @ ..] = shape.thumb;
    let turn = [THUMB.turn[0] - away, THUMB.turn[1] + lowered, THUMB.turn[2] + turned];
    chain_bones(&mut joints, Joint::ThumbMetacarpalJoint, &wrist, &DigitBones { turn, ..THUMB }, bends.map(bend));

    let roots = [Joint::IndexMetacarpal, Joint::MiddleMetacarpal, Joint::RingMetacarpal, Joint::PinkyMetacarpal];
    for ((root, bones), [spread, knuckle, middle, distal]) in roots.into_iter().zip(&FINGERS).zip(shape.fingers) {
        let spread = DQuat::from_rotation_y(spread.to_radians());
        chain_bones(&mut joints, root, &wrist, bones, [spread * bend(knuckle), bend(middle), bend(distal)]);
    }

    let metacarpal = joints[Joint::MiddleMetacarpal.index()];
    let middle = metacarpal.position.midpoint(joints[Joint::MiddleKnuckle.index()].position);
    joints[Joint::Palm.index()] = RigidPose { position: middle, ..metacarpal };
    joints
}

/// Chains the bones of one digit from its root to its tip. The tip has the rotation of the joint before it.
fn chain_bones<const N: usize>(
    joints: &mut Joints,
    root: Joint,
    wrist: &RigidPose,
    bones: &DigitBones<N>,
    bends: impl IntoIterator<Item = DQuat>,
) {
    let [y, x, z] = bones.turn.map(f64::to_radians);
    let turn = DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z);
    let mut at = RigidPose { position: wrist.point(DVec3::from_array(bones.root)), rotation: wrist.rotation * turn };
    joints[root.index()] = at;
    let bends = bends.into_iter().chain([DQuat::IDENTITY]);
    for ((joint, length), bend) in joints[root.index() + 1..].iter_mut().zip(bones.lengths).zip(bends) {
        at.position = at.point(DVec3::Z * length);
        at.rotation = (at.rotation * bend).normalize();
        *joint = at;
    }
}

fn bend(degrees: f64) -> DQuat {
    DQuat::from_rotation_x(degrees.to_radians())
}

/// The pose of a joint relative to the wrist.
pub(super) fn joint_from_wrist(joint: Joint, shape: &HandShape) -> RigidPose {
    joints(RigidPose::ORIGIN, shape)[joint.index()]
}

/// Tips nearer than this start a pinch, in metres; tips further apart than `PINCH_END_M` end it.
const PINCH_START_M: f64 = 0.003;
const PINCH_END_M: f64 = 0.0045;

/// Whether a hand pinches, given whether it did in the frame before.
pub(super) fn is_pinching(joints: &Joints, was_pinching: bool) -> bool {
    pinch_gap(joints) < if was_pinching { PINCH_END_M } else { PINCH_START_M }
}

/// The distance between the tips of thumb and index finger, in metres.
pub(super) fn pinch_gap(joints: &Joints) -> f64 {
    joints[Joint::ThumbTip.index()].position.distance(joints[Joint::IndexTip.index()].position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn somewhere() -> RigidPose {
        RigidPose {
            position: DVec3::new(0.2, 1.3, 0.4),
            rotation: look_rotation(DVec3::new(0.3, -0.2, 0.8), DVec3::new(0.5, 0.9, 0.1)),
        }
    }

    #[test]
    fn facing_is_what_it_says() {
        let (forward, up) = (DVec3::new(0.3, -0.2, 0.8), DVec3::new(0.5, 0.9, 0.1));
        let rotation = look_rotation(forward, up);
        assert!((rotation * DVec3::Z).distance(forward.normalize()) < 1e-12);
        assert!((rotation * DVec3::X).dot(up).abs() < 1e-12);
        assert!((rotation * DVec3::Y).dot(up) > 0.0);
    }

    #[test]
    fn a_left_hand_is_the_mirror_image_of_a_right_one() {
        for right in joints(somewhere(), &HandShape::POINTING) {
            let left = right.mirrored();
            assert_eq!(left.mirrored(), right);
            for local in [DVec3::X, DVec3::Y, DVec3::Z] {
                let image = mirror_to(Hand::Left, right.point(local));
                assert!(left.point(mirror_to(Hand::Left, local)).distance(image) < 1e-12);
            }
        }
    }

    #[test]
    fn a_flat_right_hand_has_its_thumb_to_the_left() {
        let joints = joints(RigidPose::ORIGIN, &HandShape::OPEN);
        assert!(joints[Joint::ThumbTip.index()].position.x < -0.05);
        assert!(joints[Joint::PinkyTip.index()].position.x > 0.03);
        let length = joints[Joint::MiddleTip.index()].position.length();
        assert!((0.18..0.20).contains(&length), "{length}");
    }

    #[test]
    fn fingers_bend_into_the_palm() {
        let joints = joints(RigidPose::ORIGIN, &HandShape::POINTING);
        for tip in [Joint::MiddleTip, Joint::RingTip, Joint::PinkyTip] {
            let tip = joints[tip.index()].position;
            assert!((-0.07..-0.02).contains(&tip.y) && (0.04..0.09).contains(&tip.z), "{tip:?}");
        }
    }

    #[test]
    fn palm_and_tips_are_turned_as_the_bones_they_lie_on() {
        let joints = joints(somewhere(), &HandShape::READY);
        let alike = |a: Joint, b: Joint| joints[a.index()].rotation.dot(joints[b.index()].rotation) > 1.0 - 1e-12;
        assert!(alike(Joint::Palm, Joint::MiddleMetacarpal));
        assert!(alike(Joint::ThumbTip, Joint::ThumbDistalJoint));
        assert!(alike(Joint::PinkyTip, Joint::PinkyDistalJoint));
    }

    #[test]
    fn a_pinch_closes_without_fingers_passing_each_other() {
        let gap = |n: u32| {
            pinch_gap(&joints(somewhere(), &HandShape::READY.interpolate(&HandShape::PINCHED, f64::from(n) / 50.0)))
        };
        let gaps: Vec<_> = (0..=50).map(gap).collect();
        assert!(gaps.is_sorted_by(|a, b| a > b), "{gaps:?}");
        assert!(gaps[0] > 0.04 && gaps[50] < 0.002, "{gaps:?}");
    }
}
