//! The messages of frames as values of the generated types: slow, but it mentions no field numbers.

use holotape::{Frame, Hand, Joint, Marker, Pose, Recording};
use prost::Message;
use prost_types::Timestamp;

use super::encoder::{HandState, pose_along_ray};
use super::message::{
    self, Color, FrameTransform, FrameTransforms, LinePrimitive, Log, PoseInFrame, PosesInFrame, SceneEntity,
    SceneEntityDeletion, SceneUpdate, line_primitive, log, scene_entity_deletion,
};
use super::topics::Topic;
use crate::joint::towards_wrist;
use crate::rigid::RigidPose;

type EncodedMessage = (Topic, u64, Vec<u8>);

/// The joints of a hand that have poses.
struct Joints {
    hand: Hand,
    joints: Vec<Joint>,
}

impl Joints {
    fn poses(&self, frame: &Frame) -> Option<Vec<Pose>> {
        let hand = frame.hand(self.hand)?;
        self.joints.iter().map(|joint| hand.joint(*joint)).collect()
    }

    fn parent(&self, index: usize) -> Option<usize> {
        let parent = towards_wrist(self.joints[index]).find(|joint| self.joints.contains(joint))?;
        self.joints.iter().position(|joint| *joint == parent)
    }

    fn transforms(&self, poses: &[Pose], at: Timestamp) -> Vec<FrameTransform> {
        let name = |index: usize| format!("{}/{}", self.hand, self.joints[index]);
        let transform_of = |index: usize| {
            let Some(parent) = self.parent(index) else {
                return transform(at, "world", &name(index), poses[index]);
            };
            let (child, parent_pose) = (RigidPose::from_pose(&poses[index])?, RigidPose::from_pose(&poses[parent])?);
            transform(at, &name(parent), &name(index), child.relative_to(&parent_pose).pose())
        };
        (0..poses.len()).filter_map(transform_of).collect()
    }

    fn bones(&self, poses: &[Pose], at: Timestamp) -> Option<SceneEntity> {
        let color = match self.hand {
            Hand::Left => Color { r: 0.0, g: 0.45, b: 0.7, a: 1.0 },
            Hand::Right => Color { r: 0.9, g: 0.6, b: 0.0, a: 1.0 },
        };
        let ends = (0..poses.len()).filter_map(|index| Some([self.parent(index)? as u32, index as u32]));
        let line = LinePrimitive {
            r#type: line_primitive::Type::LineList as i32,
            pose: Some(Pose::IDENTITY.into()),
            thickness: 0.005,
            points: poses.iter().map(|pose| pose.position.into()).collect(),
            color: Some(color),
            indices: ends.flatten().collect(),
        };
        let is_finite = poses.iter().all(|pose| pose.position.iter().all(|value| value.is_finite()));
        is_finite.then(|| SceneEntity {
            timestamp: Some(at),
            frame_id: "world".to_owned(),
            id: self.hand.name().to_owned(),
            lines: vec![line],
        })
    }
}

/// All messages of frames, in order.
pub(super) fn messages(recording: &Recording, frames: &[(u64, Frame)]) -> Vec<EncodedMessage> {
    let hands = Hand::ALL.map(|hand| {
        let has_pose = |joint: &Joint| recording.hand(hand).joint(*joint).pose_at(0.0).is_some();
        Joints { hand, joints: Joint::ALL[1..].iter().copied().filter(has_pose).collect() }
    });
    let mut shown = [false; 2];
    let mut messages = Vec::new();
    for (time_ns, frame) in frames {
        let at = timestamp(*time_ns);
        let mut push = |topic, data: Vec<u8>| messages.push((topic, *time_ns, data));
        let camera = frame.camera.and_then(|pose| transform(at, "world", "camera", pose));
        let mut transforms: Vec<_> = camera.into_iter().collect();
        for hand in &hands {
            transforms.extend(hand.poses(frame).map(|poses| hand.transforms(&poses, at)).unwrap_or_default());
        }
        if !transforms.is_empty() {
            push(Topic::Transforms, FrameTransforms { transforms }.encode_to_vec());
        }
        if let Some(camera) = frame.camera {
            push(Topic::Camera, in_world(camera.into(), at).encode_to_vec());
        }
        if let Some(gaze) = frame.gaze.and_then(pose_along_ray) {
            push(Topic::Gaze, in_world(gaze, at).encode_to_vec());
        }
        for hand in &hands {
            if let Some(poses) = hand.poses(frame) {
                let poses = poses.into_iter().map(Into::into).collect();
                let message = PosesInFrame { timestamp: Some(at), frame_id: "world".to_owned(), poses };
                push(Topic::Joints(hand.hand), message.encode_to_vec());
            }
            if let Some(state) = frame.hand(hand.hand) {
                let state = HandState { time: frame.time, tracked: state.tracked, pinching: state.pinching };
                push(Topic::State(hand.hand), serde_json::to_vec(&state).unwrap());
            }
        }
        let update = scene_update(&hands, frame, at, &mut shown);
        if update != SceneUpdate::default() {
            push(Topic::Bones, update.encode_to_vec());
        }
    }
    messages
}

fn scene_update(hands: &[Joints; 2], frame: &Frame, at: Timestamp, shown: &mut [bool; 2]) -> SceneUpdate {
    let mut update = SceneUpdate::default();
    for (hand, is_shown) in hands.iter().zip(shown) {
        let entity = hand.poses(frame).and_then(|poses| hand.bones(&poses, at));
        if *is_shown && entity.is_none() {
            update.deletions.push(SceneEntityDeletion {
                timestamp: Some(at),
                r#type: scene_entity_deletion::Type::MatchingId as i32,
                id: hand.hand.name().to_owned(),
            });
        }
        *is_shown = entity.is_some();
        update.entities.extend(entity);
    }
    update
}

pub(super) fn marker(marker: &Marker, time_ns: u64) -> EncodedMessage {
    let log = Log {
        timestamp: Some(timestamp(time_ns)),
        level: log::Level::Info as i32,
        message: marker.name.clone(),
        name: "marker".to_owned(),
    };
    (Topic::Markers, time_ns, log.encode_to_vec())
}

pub(super) fn static_transforms(time_ns: u64) -> EncodedMessage {
    let pose = Pose { position: [0.0; 3], rotation: [0.5, -0.5, -0.5, 0.5] };
    let transforms = transform(timestamp(time_ns), "map", "world", pose).into_iter().collect();
    (Topic::StaticTransforms, time_ns, FrameTransforms { transforms }.encode_to_vec())
}

fn transform(at: Timestamp, parent: &str, child: &str, pose: Pose) -> Option<FrameTransform> {
    let is_finite = pose.position.iter().chain(&pose.rotation).all(|value| value.is_finite());
    is_finite.then(|| FrameTransform {
        timestamp: Some(at),
        parent_frame_id: parent.to_owned(),
        child_frame_id: child.to_owned(),
        translation: Some(pose.position.into()),
        rotation: Some(pose.rotation.into()),
    })
}

fn in_world(pose: message::Pose, at: Timestamp) -> PoseInFrame {
    PoseInFrame { timestamp: Some(at), frame_id: "world".to_owned(), pose: Some(pose) }
}

fn timestamp(time_ns: u64) -> Timestamp {
    Timestamp { seconds: (time_ns / 1_000_000_000) as i64, nanos: (time_ns % 1_000_000_000) as i32 }
}
