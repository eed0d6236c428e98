//! A hand as a tree: which joints a recording has poses of, and what each hangs on.

use holotape::{Frame, Hand, Joint, Pose, PoseCurves, Recording};
use prost_types::Timestamp;

use super::WORLD;
use super::emitter::transform;
use super::message::{Color, FrameTransform, LinePrimitive, LineType, SceneEntity};
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

const BONE_THICKNESS_M: f64 = 0.005;

pub(super) struct Skeleton {
    hand: Hand,
    links: Vec<Bone>,
    /// The ends of each bone, as places in the list of joints.
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
        let has_pose = |joint: &Joint| *joint != Joint::None && is_complete(recording.hand(hand).joint(*joint));
        let frame_id = |joint: Joint| format!("{hand}/{joint}");
        let joints: Vec<_> = Joint::ALL.into_iter().filter(has_pose).collect();
        let link = |&joint: &Joint| {
            // Some devices leave joints out: a tip then hangs on the next joint that there is.
            let parent = towards_wrist(joint).find(has_pose);
            Bone {
                joint,
                parent: parent.and_then(|parent| joints.iter().position(|joint| *joint == parent)),
                frame_id: frame_id(joint),
                parent_frame_id: parent.map_or(WORLD.to_owned(), frame_id),
            }
        };
        let links: Vec<_> = joints.iter().map(link).collect();
        let bones = links.iter().enumerate().filter_map(|(child, link)| Some([link.parent? as u32, child as u32]));
        let bone_ends = bones.flatten().collect();
        Self { hand, links, bone_ends }
    }

    pub(super) fn hand(&self) -> Hand {
        self.hand
    }

    /// The names of the joints, in the order of their poses.
    pub(super) fn joint_names(&self) -> String {
        self.links.iter().map(|link| link.joint.name()).collect::<Vec<_>>().join(",")
    }

    /// The poses of all joints, if the hand was tracked: frames have none of a hand that was not.
    pub(super) fn poses(&self, frame: &Frame) -> Option<Vec<Pose>> {
        let hand = frame.hand(self.hand).filter(|_| !self.links.is_empty())?;
        self.links.iter().map(|link| hand.joint(link.joint)).collect()
    }

    /// Each joint in the space of the one that it hangs on, so that viewers draw bones between them.
    pub(super) fn transforms(&self, poses: &[Pose], at: Timestamp) -> impl Iterator<Item = FrameTransform> {
        self.links.iter().zip(poses).filter_map(move |(link, pose)| {
            let local = link.parent.map_or(Some(*pose), |parent| relative(&poses[parent], pose));
            transform(at, &link.parent_frame_id, &link.frame_id, local?)
        })
    }

    /// The bones as lines; nothing while any end of them is nowhere.
    pub(super) fn bones(&self, poses: &[Pose], at: Timestamp) -> Option<SceneEntity> {
        let is_somewhere = poses.iter().all(|pose| pose.position.iter().all(|number| number.is_finite()));
        is_somewhere.then(|| SceneEntity {
            timestamp: Some(at),
            frame_id: WORLD.to_owned(),
            id: self.hand.name().to_owned(),
            lines: vec![LinePrimitive {
                r#type: LineType::LineList as i32,
                pose: Some(Pose::IDENTITY.into()),
                thickness: BONE_THICKNESS_M,
                points: poses.iter().map(|pose| pose.position.into()).collect(),
                color: Some(colour(self.hand)),
                indices: self.bone_ends.clone(),
            }],
        })
    }
}

fn is_complete(pose: &PoseCurves) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|curve| !curve.keys.is_empty())
}

/// A pose in the space of another one, if both are poses.
fn relative(parent: &Pose, child: &Pose) -> Option<Pose> {
    Some(RigidPose::from_pose(child)?.relative_to(&RigidPose::from_pose(parent)?).pose())
}

/// Blue and orange, which nearly everybody can tell apart.
fn colour(hand: Hand) -> Color {
    match hand {
        Hand::Left => Color { r: 0.0, g: 0.45, b: 0.7, a: 1.0 },
        Hand::Right => Color { r: 0.9, g: 0.6, b: 0.0, a: 1.0 },
    }
}
