//! Converts frames and markers to messages.

use std::io::Write;

use glam::{DMat3, DQuat, DVec3};
use holotape::{Frame, Hand, HandFrame, Marker, Pose, Ray, Recording, Result};
use prost_types::Timestamp;
use serde::Serialize;

use super::log::{LogWriter, Topic};
use super::message::{
    self, FrameTransform, FrameTransforms, Log, PoseInFrame, PosesInFrame, Quaternion, SceneEntityDeletion,
    SceneUpdate, log, scene_entity_deletion,
};
use super::skeleton::Skeleton;
use super::{CAMERA, MAP, WORLD};

/// Converts to the convention of robotics: x forward, y left, z up, i.e. (-z, -x, y).
const WORLD_IN_MAP: Pose = Pose { position: [0.0; 3], rotation: [0.5, -0.5, -0.5, 0.5] };

/// Writes messages, and keeps track of the bones that viewers show.
pub(super) struct MessageEmitter<W: Write> {
    pub(super) log: LogWriter<W>,
    skeletons: [Skeleton; 2],
    are_bones_shown: [bool; 2],
    /// Frames whose gaze has no direction.
    pub(super) undirected_gaze_frames: usize,
}

#[derive(Serialize)]
struct HandState {
    time: f64,
    tracked: bool,
    pinching: bool,
}

impl<W: Write> MessageEmitter<W> {
    pub(super) fn new(recording: &Recording, out: W) -> Result<Self> {
        let skeletons = Hand::ALL.map(|hand| Skeleton::new(recording, hand));
        let log = LogWriter::new(out, skeletons.each_ref().map(Skeleton::joint_names))?;
        Ok(Self { log, skeletons, are_bones_shown: [false; 2], undirected_gaze_frames: 0 })
    }

    /// Writes the static transforms. They have a separate topic: viewers that seek look for the last message per topic.
    pub(super) fn emit_static(&mut self, time_ns: u64) -> Result<()> {
        let transforms = transform(timestamp(time_ns), MAP, WORLD, WORLD_IN_MAP).into_iter().collect();
        self.send(Topic::StaticTransforms, time_ns, &FrameTransforms { transforms })
    }

    /// Writes all messages of a frame in right-handed coordinates.
    pub(super) fn frame(&mut self, frame: &Frame, time_ns: u64) -> Result<()> {
        let hands = self.skeletons.each_ref().map(|skeleton| skeleton.poses(frame));
        self.transforms(frame, &hands, time_ns)?;
        if let Some(camera) = frame.camera {
            self.send(Topic::Camera, time_ns, &in_world(camera.into(), time_ns))?;
        }
        match frame.gaze.map(pose_along_ray) {
            Some(Some(gaze)) => self.send(Topic::Gaze, time_ns, &in_world(gaze, time_ns))?,
            Some(None) => self.undirected_gaze_frames += 1,
            None => {}
        }
        for (hand, poses) in Hand::ALL.into_iter().zip(&hands) {
            if let Some(poses) = poses {
                let poses = poses.iter().map(|pose| (*pose).into()).collect();
                let message = PosesInFrame { timestamp: Some(timestamp(time_ns)), frame_id: WORLD.to_owned(), poses };
                self.send(Topic::Joints(hand), time_ns, &message)?;
            }
            if let Some(HandFrame { tracked, pinching, .. }) = frame.hand(hand) {
                let state = HandState { time: frame.time, tracked: *tracked, pinching: *pinching };
                let json = serde_json::to_vec(&state).map_err(std::io::Error::from)?;
                self.log.write_message(Topic::State(hand), time_ns, &json)?;
            }
        }
        self.bones(&hands, time_ns)
    }

    pub(super) fn marker(&mut self, marker: &Marker, time_ns: u64) -> Result<()> {
        let log = Log {
            timestamp: Some(timestamp(time_ns)),
            level: log::Level::Info as i32,
            message: marker.name.clone(),
            name: "marker".to_owned(),
        };
        self.send(Topic::Markers, time_ns, &log)
    }

    fn transforms(&mut self, frame: &Frame, hands: &[Option<Vec<Pose>>; 2], time_ns: u64) -> Result<()> {
        let at = timestamp(time_ns);
        let camera = frame.camera.and_then(|pose| transform(at, WORLD, CAMERA, pose));
        let hands = self.skeletons.iter().zip(hands).filter_map(|(skeleton, poses)| Some((skeleton, poses.as_ref()?)));
        let joints = hands.flat_map(|(skeleton, poses)| skeleton.transforms(poses, at));
        let transforms: Vec<_> = camera.into_iter().chain(joints).collect();
        if transforms.is_empty() {
            return Ok(());
        }
        self.send(Topic::Transforms, time_ns, &FrameTransforms { transforms })
    }

    /// Writes the bones of tracked hands, and deletes those of hands that are no longer tracked.
    fn bones(&mut self, hands: &[Option<Vec<Pose>>; 2], time_ns: u64) -> Result<()> {
        let at = timestamp(time_ns);
        let mut update = SceneUpdate::default();
        for ((skeleton, poses), is_shown) in self.skeletons.iter().zip(hands).zip(&mut self.are_bones_shown) {
            let entity = poses.as_ref().and_then(|poses| skeleton.bones(poses, at));
            if *is_shown && entity.is_none() {
                update.deletions.push(SceneEntityDeletion {
                    timestamp: Some(at),
                    r#type: scene_entity_deletion::Type::MatchingId as i32,
                    id: skeleton.hand.name().to_owned(),
                });
            }
            *is_shown = entity.is_some();
            update.entities.extend(entity);
        }
        if update == SceneUpdate::default() {
            return Ok(());
        }
        self.send(Topic::Bones, time_ns, &update)
    }

    fn send(&mut self, topic: Topic, time_ns: u64, message: &impl prost::Message) -> Result<()> {
        self.log.write_message(topic, time_ns, &message.encode_to_vec())
    }
}

/// The transform of a frame relative to its parent; `None` if it is not finite, which viewers reject.
pub(super) fn transform(at: Timestamp, parent: &str, child: &str, pose: Pose) -> Option<FrameTransform> {
    let is_finite = pose.position.iter().chain(&pose.rotation).all(|value| value.is_finite());
    is_finite.then(|| FrameTransform {
        timestamp: Some(at),
        parent_frame_id: parent.to_owned(),
        child_frame_id: child.to_owned(),
        translation: Some(pose.position.into()),
        rotation: Some(pose.rotation.into()),
    })
}

fn in_world(pose: message::Pose, time_ns: u64) -> PoseInFrame {
    PoseInFrame { timestamp: Some(timestamp(time_ns)), frame_id: WORLD.to_owned(), pose: Some(pose) }
}

/// A pose with x along a ray, which is how viewers draw arrows, and z upwards; `None` if the ray has no direction.
fn pose_along_ray(ray: Ray) -> Option<message::Pose> {
    let forward = DVec3::from_array(ray.direction.map(f64::from)).try_normalize()?;
    let left = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::NEG_X);
    let [x, y, z, w] = DQuat::from_mat3(&DMat3::from_cols(forward, left, forward.cross(left))).to_array();
    Some(message::Pose { position: Some(ray.origin.into()), orientation: Some(Quaternion { x, y, z, w }) })
}

fn timestamp(time_ns: u64) -> Timestamp {
    const NS: u64 = 1_000_000_000;
    Timestamp { seconds: (time_ns / NS) as i64, nanos: (time_ns % NS) as i32 }
}
