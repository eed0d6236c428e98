//! The joint hierarchy of a hand: the joints that have poses, and their parents.

use holotape::{Frame, Hand, Joint, Pose, Recording};
use prost_types::Timestamp;

use super::WORLD;
use super::emitter::transform;
use super::message::{Color, FrameTransform, LinePrimitive, SceneEntity, line_primitive};
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

const BONE_THICKNESS_M: f64 = 0.005;

pub(super) struct Skeleton {
    pub(super) hand: Hand,
    bones: Vec<Bone>,
    /// The ends of each bone, as joint indexes.
    bone_ends: Vec<u32>,
}

struct Bone {
    joint: Joint,
    parent: Option<usize>,
    frame_id: String,
    parent_frame_id: String,
}

impl Skeleton {
    pub(super) fn new(recording: &Recording, hand: Hand) -> Self {
        let has_pose =
            |joint: &Joint| *joint != Joint::None && recording.hand(hand).joint(*joint).pose_at(0.0).is_some();
        let frame_id = |joint: Joint| format!("{hand}/{joint}");
        let joints: Vec<_> = Joint::ALL.into_iter().filter(has_pose).collect();
        let bone = |&joint: &Joint| {
            // Some devices omit joints: the next existing joint towards the wrist is the parent.
            let parent = towards_wrist(joint).find(has_pose);
            Bone {
                joint,
                parent: parent.and_then(|parent| joints.iter().position(|joint| *joint == parent)),
                frame_id: frame_id(joint),
                parent_frame_id: parent.map_or(WORLD.to_owned(), frame_id),
            }
        };
        let bones: Vec<_> = joints.iter().map(bone).collect();
        let ends = bones.iter().enumerate().filter_map(|(child, bone)| Some([bone.parent? as u32, child as u32]));
        let bone_ends = ends.flatten().collect();
        Self { hand, bones, bone_ends }
    }

    /// The comma-separated joint names, in the order of the poses.
    pub(super) fn joint_names(&self) -> String {
        self.bones.iter().map(|bone| bone.joint.name()).collect::<Vec<_>>().join(",")
    }

    /// The poses of all joints; `None` while the hand is not tracked.
    pub(super) fn poses(&self, frame: &Frame) -> Option<Vec<Pose>> {
        let hand = frame.hand(self.hand).filter(|_| !self.bones.is_empty())?;
        self.bones.iter().map(|bone| hand.joint(bone.joint)).collect()
    }

    /// The transform of each joint relative to its parent, so that viewers draw bones between them.
    pub(super) fn transforms(&self, poses: &[Pose], at: Timestamp) -> impl Iterator<Item = FrameTransform> {
        self.bones.iter().zip(poses).filter_map(move |(bone, pose)| {
            let local = bone.parent.map_or(Some(*pose), |parent| relative(&poses[parent], pose));
            transform(at, &bone.parent_frame_id, &bone.frame_id, local?)
        })
    }

    /// The bones as lines; `None` if a position is not finite.
    pub(super) fn bones(&self, poses: &[Pose], at: Timestamp) -> Option<SceneEntity> {
        let is_finite = poses.iter().all(|pose| pose.position.iter().all(|value| value.is_finite()));
        is_finite.then(|| SceneEntity {
            timestamp: Some(at),
            frame_id: WORLD.to_owned(),
            id: self.hand.name().to_owned(),
            lines: vec![LinePrimitive {
                r#type: line_primitive::Type::LineList as i32,
                pose: Some(Pose::IDENTITY.into()),
                thickness: BONE_THICKNESS_M,
                points: poses.iter().map(|pose| pose.position.into()).collect(),
                color: Some(colour(self.hand)),
                indices: self.bone_ends.clone(),
            }],
        })
    }
}

/// A pose relative to its parent; `None` if one of them is invalid.
fn relative(parent: &Pose, child: &Pose) -> Option<Pose> {
    Some(RigidPose::from_pose(child)?.relative_to(&RigidPose::from_pose(parent)?).pose())
}

/// Blue and orange, which most people with colour blindness can distinguish.
fn colour(hand: Hand) -> Color {
    match hand {
        Hand::Left => Color { r: 0.0, g: 0.45, b: 0.7, a: 1.0 },
        Hand::Right => Color { r: 0.9, g: 0.6, b: 0.0, a: 1.0 },
    }
}
