//! Hand skeletons: the joints of each system, their names, order and axes, and how missing ones are constructed.

mod construct;
mod rotation;
mod table;

use glam::{DMat3, DQuat, DVec3};

pub use construct::{construct_missing, palm_pose};
pub(crate) use rotation::joint_rotation;
pub use rotation::rotations_from_positions;

use crate::{Hand, Joint, Pose, Space};

named_enum! {
    /// The hand skeleton of a system: which joints it has, in which order, with which names and axes.
    ///
    /// ```
    /// use holotape::{Joint, Skeleton};
    ///
    /// assert_eq!(Skeleton::OpenXr.index(Joint::Palm), Some(0));
    /// assert_eq!(Skeleton::WebXr.joint_name(Joint::IndexTip), Some("index-finger-tip"));
    /// assert_eq!(Skeleton::ArKit.joint_named("thumbKnuckle"), Some(Joint::ThumbMetacarpalJoint));
    /// assert_eq!(Skeleton::WebXr.lacking().collect::<Vec<_>>(), [Joint::Palm]);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Skeleton: name {
        /// MRTK: the 27 joint slots of a recording.
        Mrtk = "MRTK",
        /// OpenXR: 26 joints, the palm first. Windows, hl2ss, StreamRecorder, psi and Isaac Teleop use the same.
        OpenXr = "OpenXR",
        /// Unity XR Hands: 26 joints in the order of MRTK, without `None`.
        UnityXrHands = "Unity XR Hands",
        /// WebXR: 25 joints, without a palm.
        WebXr = "WebXR",
        /// ARKit on visionOS: 25 joints of the hand without a palm, and two of the forearm.
        ArKit = "ARKit",
        /// Project Aria: the positions of 21 landmarks.
        Aria = "Project Aria",
        /// MANO: the positions of 16 joints and 5 tips.
        Mano = "MANO",
    }
}

/// The axes of a joint, as unit vectors in its own coordinates.
///
/// ```
/// use holotape::{Hand, Skeleton};
///
/// let axes = Skeleton::OpenXr.axes(Hand::Left).unwrap();
/// assert_eq!((axes.bone, axes.back), ([0.0, 0.0, -1.0], [0.0, 1.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAxes {
    /// The direction along the bone, towards the tip.
    pub bone: [f64; 3],
    /// The direction out of the back of the hand.
    pub back: [f64; 3],
}

impl Skeleton {
    /// The number of joints of a hand in this skeleton, also of those that a recording does not have.
    #[must_use]
    pub const fn joint_count(self) -> usize {
        match self {
            Self::Mrtk | Self::ArKit => 27,
            Self::OpenXr | Self::UnityXrHands => 26,
            Self::WebXr => 25,
            Self::Aria | Self::Mano => 21,
        }
    }

    /// The joints that this skeleton shares with a recording, in its order.
    ///
    /// ```
    /// use holotape::{Joint, Skeleton};
    ///
    /// let mut joints = Skeleton::OpenXr.joints();
    /// assert_eq!([joints.next(), joints.next()], [Some(Joint::Palm), Some(Joint::Wrist)]);
    /// ```
    pub fn joints(self) -> impl Iterator<Item = Joint> {
        (0..self.joint_count()).filter_map(move |index| self.joint(index))
    }

    /// The joints of a recording that this skeleton lacks, except [`Joint::None`].
    pub fn lacking(self) -> impl Iterator<Item = Joint> {
        Joint::ALL.into_iter().skip(1).filter(move |joint| self.index(*joint).is_none())
    }

    /// The index of a joint in this skeleton; `None` if it lacks the joint.
    ///
    /// ```
    /// use holotape::{Joint, Skeleton};
    ///
    /// assert_eq!(Skeleton::OpenXr.index(Joint::PinkyTip), Some(25));
    /// assert_eq!(Skeleton::WebXr.index(Joint::Palm), None);
    /// ```
    #[must_use]
    pub const fn index(self, joint: Joint) -> Option<usize> {
        match table::entry(self, joint) {
            Some(entry) => Some(entry.index),
            None => None,
        }
    }

    /// The joint at an index of this skeleton; `None` if a recording does not have it.
    #[must_use]
    pub const fn joint(self, index: usize) -> Option<Joint> {
        let mut n = 0;
        while n < Joint::COUNT {
            let joint = Joint::ALL[n];
            if matches!(self.index(joint), Some(found) if found == index) {
                return Some(joint);
            }
            n += 1;
        }
        None
    }

    /// The name of a joint in this skeleton, `index-finger-tip` in WebXR for example.
    #[must_use]
    pub const fn joint_name(self, joint: Joint) -> Option<&'static str> {
        match table::entry(self, joint) {
            Some(entry) => Some(entry.name),
            None => None,
        }
    }

    /// The joint with a name of this skeleton.
    #[must_use]
    pub fn joint_named(self, name: &str) -> Option<Joint> {
        Joint::ALL.into_iter().find(|joint| self.joint_name(*joint) == Some(name))
    }

    /// The coordinates of this skeleton.
    #[must_use]
    pub const fn space(self) -> Space {
        match self {
            Self::Mrtk | Self::UnityXrHands => Space::Unity,
            Self::OpenXr | Self::WebXr | Self::ArKit | Self::Aria | Self::Mano => Space::RightHanded,
        }
    }

    /// The axes of the joints of a hand; `None` if the skeleton has only positions.
    #[must_use]
    pub const fn axes(self, hand: Hand) -> Option<JointAxes> {
        let (bone, back) = match (self, hand) {
            (Self::Mrtk | Self::UnityXrHands, _) => ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
            (Self::OpenXr | Self::WebXr, _) => ([0.0, 0.0, -1.0], [0.0, 1.0, 0.0]),
            // The axes of one hand are those of the other, turned by 180° about z.
            (Self::ArKit, Hand::Left) => ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
            (Self::ArKit, Hand::Right) => ([-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            (Self::Aria | Self::Mano, _) => return None,
        };
        Some(JointAxes { bone, back })
    }

    /// Converts the pose of a joint from a recording to the space and the axes of this skeleton.
    ///
    /// ```
    /// use holotape::{Hand, Pose, Skeleton};
    ///
    /// let pose = Pose { position: [0.1, 1.0, 0.3], ..Pose::IDENTITY };
    /// let exported = Skeleton::OpenXr.export_pose(Hand::Left, pose);
    /// assert_eq!(exported.position, [0.1, 1.0, -0.3]);
    /// assert_eq!(Skeleton::OpenXr.import_pose(Hand::Left, exported), pose);
    /// ```
    #[must_use]
    pub fn export_pose(self, hand: Hand, pose: Pose) -> Pose {
        let pose = self.space().pose(pose);
        self.turn(hand).map_or(pose, |turn| rotated(pose, turn.inverse()))
    }

    /// Converts the pose of a joint from the space and the axes of this skeleton to those of a recording.
    #[must_use]
    pub fn import_pose(self, hand: Hand, pose: Pose) -> Pose {
        self.space().pose(self.turn(hand).map_or(pose, |turn| rotated(pose, turn)))
    }

    /// The rotation from this skeleton's axes to those that a recording has in the same space; `None` if they are equal.
    fn turn(self, hand: Hand) -> Option<DQuat> {
        let axes = self.axes(hand)?;
        let forward = DVec3::from_array(self.space().vector([0.0, 0.0, 1.0]).map(f64::from));
        let [bone, back] = [axes.bone, axes.back].map(DVec3::from_array);
        let from_own = DMat3::from_cols(back.cross(bone), back, bone);
        let from_recorded = DMat3::from_cols(DVec3::Y.cross(forward), DVec3::Y, forward);
        let turn = DQuat::from_mat3(&(from_own * from_recorded.transpose()));
        (bone != forward || back != DVec3::Y).then(|| turn.normalize())
    }
}

impl Joint {
    /// A typical radius of the joint in metres, for systems that require one. Recordings have none.
    ///
    /// ```
    /// assert_eq!(holotape::Joint::IndexTip.typical_radius_m(), 0.007);
    /// ```
    #[must_use]
    pub const fn typical_radius_m(self) -> f32 {
        table::ROWS[self.index()].radius_m
    }
}

fn rotated(pose: Pose, turn: DQuat) -> Pose {
    let rotation = DQuat::from_array(pose.rotation.map(f64::from)) * turn;
    Pose { rotation: rotation.as_quat().to_array(), ..pose }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn poses() -> impl Strategy<Value = Pose> {
        let rotation = prop::array::uniform4(-1.0_f64..1.0).prop_filter_map("zero", |values| {
            let rotation = DQuat::from_array(values);
            (rotation.length() > 0.1).then(|| rotation.normalize().as_quat().to_array())
        });
        (prop::array::uniform3(-3.0_f32..3.0), rotation).prop_map(|(position, rotation)| Pose { position, rotation })
    }

    proptest! {
        #[test]
        fn shared_joints_return_from_every_skeleton(
            pose in poses(),
            skeleton in prop::sample::select(&Skeleton::ALL[..]),
            hand in prop::sample::select(&Hand::ALL[..]),
        ) {
            for joint in skeleton.joints() {
                let index = skeleton.index(joint).unwrap();
                let exported = skeleton.export_pose(hand, pose);
                let imported = skeleton.import_pose(hand, exported);
                prop_assert_eq!(skeleton.joint(index), Some(joint));
                prop_assert!(imported.distance_m(&pose) < 1e-6);
                prop_assert!(imported.angle_deg(&pose).to_radians() < 1e-6);
            }
        }

        #[test]
        fn axes_point_along_the_bone_and_out_of_the_back(
            pose in poses(),
            skeleton in prop::sample::select(&Skeleton::ALL[..]),
            hand in prop::sample::select(&Hand::ALL[..]),
        ) {
            let exported = skeleton.export_pose(hand, pose);
            let Some(axes) = skeleton.axes(hand) else { return Ok(()) };
            let direction = |pose: Pose, axis: [f64; 3]| {
                DQuat::from_array(pose.rotation.map(f64::from)).normalize() * DVec3::from_array(axis)
            };
            let expected = |axis| {
                let recorded = direction(pose, axis).as_vec3().to_array();
                DVec3::from_array(skeleton.space().vector(recorded).map(f64::from))
            };
            prop_assert!(direction(exported, axes.bone).distance(expected([0.0, 0.0, 1.0])) < 1e-5);
            prop_assert!(direction(exported, axes.back).distance(expected([0.0, 1.0, 0.0])) < 1e-5);
        }
    }

    #[test]
    fn every_skeleton_numbers_its_joints_once() {
        let extra = |skeleton| if skeleton == Skeleton::ArKit { 2 } else { 0 };
        for skeleton in Skeleton::ALL {
            let mut indices: Vec<_> = Joint::ALL.into_iter().filter_map(|joint| skeleton.index(joint)).collect();
            indices.sort_unstable();
            assert_eq!(indices, (0..skeleton.joint_count() - extra(skeleton)).collect::<Vec<_>>(), "{skeleton}");
        }
    }

    #[test]
    fn names_are_unique() {
        for skeleton in Skeleton::ALL {
            for joint in skeleton.joints() {
                let name = skeleton.joint_name(joint).unwrap();
                assert_eq!(skeleton.joint_named(name), Some(joint), "{skeleton}: {name}");
            }
        }
    }

    #[test]
    fn axes_of_both_hands_of_arkit_are_right_handed_mirror_images() {
        // Palm down, fingers forward: the bone is -z, the back of the hand y, in both hands.
        let flat = Pose::IDENTITY;
        for hand in Hand::ALL {
            let exported = Skeleton::ArKit.export_pose(hand, flat);
            let z = DQuat::from_array(exported.rotation.map(f64::from)) * DVec3::Z;
            // From the index to the little finger of the left hand, the other way round on the right: to the left.
            assert!(z.distance(DVec3::NEG_X) < 1e-6, "{hand}: {z}");
        }
    }
}
