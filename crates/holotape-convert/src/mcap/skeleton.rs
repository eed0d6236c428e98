//! The joint hierarchy of a hand: the joints that have poses, and their parents.

use holotape::{Frame, Hand, Joint, Pose, Recording};

use super::WORLD;
use super::message::line_primitive;
use super::protobuf::{append_double, append_message, append_numbers, append_text};
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

const BONE_THICKNESS_M: f64 = 0.005;

pub(super) struct Skeleton {
    pub(super) hand: Hand,
    bones: Vec<Bone>,
    /// The ends of each bone, as joint indexes in little-endian byte order.
    bone_ends: Vec<u8>,
}

struct Bone {
    joint: Joint,
    parent: Option<usize>,
    /// The names of the frame and its parent, as fields of a transform.
    frame_ids: Vec<u8>,
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
                frame_ids: frame_ids(&parent.map_or(WORLD.to_owned(), frame_id), &frame_id(joint)),
            }
        };
        let bones: Vec<_> = joints.iter().map(bone).collect();
        let ends = bones.iter().enumerate().filter_map(|(child, bone)| Some([bone.parent? as u32, child as u32]));
        let bone_ends = ends.flatten().flat_map(u32::to_le_bytes).collect();
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

    /// Appends the transform of each joint relative to its parent, so that viewers draw bones between them.
    pub(super) fn append_transforms(&self, poses: &[Pose], timestamp: &[u8], out: &mut Vec<u8>) {
        for (bone, pose) in self.bones.iter().zip(poses) {
            if let Some(local) = bone.parent.map_or(Some(*pose), |parent| relative(&poses[parent], pose)) {
                append_transform(out, timestamp, &bone.frame_ids, &local);
            }
        }
    }

    /// Whether the bones can be drawn: all positions are finite.
    pub(super) fn are_finite(poses: &[Pose]) -> bool {
        poses.iter().all(|pose| pose.position.iter().all(|value| value.is_finite()))
    }

    /// Appends the bones as lines: the fields of a `SceneEntity`.
    pub(super) fn append_bones(&self, poses: &[Pose], timestamp: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(timestamp);
        append_text(out, 2, WORLD);
        append_text(out, 3, self.hand.name());
        append_message(out, 11, |out| {
            out.extend([1 << 3, line_primitive::Type::LineList as u8]);
            append_message(out, 2, |out| append_pose(out, &Pose::IDENTITY));
            append_double(out, 3, BONE_THICKNESS_M);
            poses.iter().for_each(|pose| append_numbers(out, 5, pose.position));
            append_message(out, 6, |out| {
                (1..).zip(colour(self.hand)).for_each(|(field, value)| append_double(out, field, value));
            });
            if !self.bone_ends.is_empty() {
                append_message(out, 8, |out| out.extend_from_slice(&self.bone_ends));
            }
        });
    }
}

/// Names of a frame and its parent, as fields of a `FrameTransform`.
pub(super) fn frame_ids(parent: &str, child: &str) -> Vec<u8> {
    let mut fields = Vec::new();
    append_text(&mut fields, 2, parent);
    append_text(&mut fields, 3, child);
    fields
}

/// Appends the transform of a frame relative to its parent, unless it is not finite, which viewers reject.
pub(super) fn append_transform(out: &mut Vec<u8>, timestamp: &[u8], frame_ids: &[u8], pose: &Pose) {
    if pose.position.iter().chain(&pose.rotation).all(|value| value.is_finite()) {
        append_message(out, 1, |out| {
            out.extend_from_slice(timestamp);
            out.extend_from_slice(frame_ids);
            append_numbers(out, 4, pose.position);
            append_numbers(out, 5, pose.rotation);
        });
    }
}

/// Appends the fields of a `Pose`.
pub(super) fn append_pose(out: &mut Vec<u8>, pose: &Pose) {
    append_numbers(out, 1, pose.position);
    append_numbers(out, 2, pose.rotation);
}

/// A pose relative to its parent; `None` if one of them is invalid.
fn relative(parent: &Pose, child: &Pose) -> Option<Pose> {
    Some(RigidPose::from_pose(child)?.relative_to(&RigidPose::from_pose(parent)?).pose())
}

/// Blue and orange, which most people with colour blindness can distinguish: red, green, blue and opacity.
fn colour(hand: Hand) -> [f64; 4] {
    match hand {
        Hand::Left => [0.0, 0.45, 0.7, 1.0],
        Hand::Right => [0.9, 0.6, 0.0, 1.0],
    }
}
