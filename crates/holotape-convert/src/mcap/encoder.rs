//! Encodes frames and markers as messages.

use glam::{DMat3, DQuat, DVec3};
use holotape::{Frame, Hand, HandFrame, Marker, Pose, Ray, Recording, Result};
use prost::Message as _;
use prost_types::Timestamp;
use serde::Serialize;

use super::message::{self, PoseInFrame, Quaternion, log};
use super::protobuf::{append_message, append_text};
use super::skeleton::{Skeleton, append_pose, append_transform, frame_ids};
use super::topics::Topic;
use super::{CAMERA, MAP, WORLD};

/// Converts to the convention of robotics: x forward, y left, z up, i.e. (-z, -x, y).
const WORLD_IN_MAP: Pose = Pose { position: [0.0; 3], rotation: [0.5, -0.5, -0.5, 0.5] };

/// Encodes frames and markers. Windows of frames can be encoded on different threads.
pub(super) struct MessageEncoder {
    skeletons: [Skeleton; 2],
    camera_frame_ids: Vec<u8>,
}

/// Encoded messages.
#[derive(Debug, Default)]
pub(super) struct EncodedMessages {
    data: Vec<u8>,
    /// Topic, time in nanoseconds and end in `data` of each message.
    messages: Vec<(Topic, u64, usize)>,
    /// Frames whose gaze has no direction.
    pub(super) undirected_gaze_frames: usize,
}

#[derive(Serialize)]
pub(super) struct HandState {
    pub(super) time: f64,
    pub(super) tracked: bool,
    pub(super) pinching: bool,
}

impl EncodedMessages {
    /// Topic, time in nanoseconds and data of each message.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Topic, u64, &[u8])> {
        let starts = std::iter::once(0).chain(self.messages.iter().map(|(_, _, end)| *end));
        let message =
            |((topic, time_ns, end), start): (&(Topic, u64, usize), usize)| (*topic, *time_ns, &self.data[start..*end]);
        self.messages.iter().zip(starts).map(message)
    }

    /// Adds a message that `append` appends, unless it is empty.
    fn push(&mut self, topic: Topic, time_ns: u64, append: impl FnOnce(&mut Vec<u8>)) {
        let start = self.data.len();
        append(&mut self.data);
        if self.data.len() > start {
            self.messages.push((topic, time_ns, self.data.len()));
        }
    }
}

impl MessageEncoder {
    pub(super) fn new(recording: &Recording) -> Self {
        let skeletons = Hand::ALL.map(|hand| Skeleton::new(recording, hand));
        Self { skeletons, camera_frame_ids: frame_ids(WORLD, CAMERA) }
    }

    /// The comma-separated names of each hand's poses.
    pub(super) fn joint_names(&self) -> [String; 2] {
        self.skeletons.each_ref().map(Skeleton::joint_names)
    }

    /// Encodes the static transforms. They have a separate topic: viewers that seek look for the last message per topic.
    pub(super) fn static_transforms(time_ns: u64) -> EncodedMessages {
        let mut encoded = EncodedMessages::default();
        encoded.push(Topic::StaticTransforms, time_ns, |out| {
            append_transform(out, &timestamp(time_ns), &frame_ids(MAP, WORLD), &WORLD_IN_MAP);
        });
        encoded
    }

    pub(super) fn marker(marker: &Marker, time_ns: u64) -> EncodedMessages {
        let mut encoded = EncodedMessages::default();
        encoded.push(Topic::Markers, time_ns, |out| {
            out.extend(timestamp(time_ns));
            out.extend([2 << 3, log::Level::Info as u8]);
            append_text(out, 3, &marker.name);
            append_text(out, 4, "marker");
        });
        encoded
    }

    /// Encodes frames in right-handed coordinates, with their times in nanoseconds. `previous` is the frame before the first.
    pub(super) fn frames(&self, frames: &[(u64, Frame)], previous: Option<&Frame>) -> Result<EncodedMessages> {
        let mut encoded = EncodedMessages::default();
        let mut are_bones_shown = self.skeletons.each_ref().map(|skeleton| {
            let poses = previous.and_then(|frame| skeleton.poses(frame));
            poses.is_some_and(|poses| Skeleton::are_finite(&poses))
        });
        for (time_ns, frame) in frames {
            let moment = Moment { time_ns: *time_ns, timestamp: timestamp(*time_ns) };
            let hands = self.skeletons.each_ref().map(|skeleton| skeleton.poses(frame));
            self.push_transforms(frame, &hands, &moment, &mut encoded);
            push_head(frame, &moment, &mut encoded);
            push_hands(frame, &hands, &moment, &mut encoded)?;
            self.push_bones(&hands, &mut are_bones_shown, &moment, &mut encoded);
        }
        Ok(encoded)
    }

    fn push_transforms(&self, frame: &Frame, hands: &HandPoses, moment: &Moment, encoded: &mut EncodedMessages) {
        encoded.push(Topic::Transforms, moment.time_ns, |out| {
            if let Some(camera) = &frame.camera {
                append_transform(out, &moment.timestamp, &self.camera_frame_ids, camera);
            }
            for (skeleton, poses) in self.skeletons.iter().zip(hands) {
                if let Some(poses) = poses {
                    skeleton.append_transforms(poses, &moment.timestamp, out);
                }
            }
        });
    }

    /// Encodes the bones of tracked hands, and deletes those of hands that are no longer tracked.
    fn push_bones(&self, hands: &HandPoses, are_shown: &mut [bool; 2], moment: &Moment, encoded: &mut EncodedMessages) {
        let were_shown = *are_shown;
        *are_shown = hands.each_ref().map(|poses| poses.as_ref().is_some_and(|poses| Skeleton::are_finite(poses)));
        encoded.push(Topic::Bones, moment.time_ns, |out| {
            for (hand, skeleton) in self.skeletons.iter().enumerate() {
                if were_shown[hand] && !are_shown[hand] {
                    append_message(out, 1, |out| {
                        out.extend_from_slice(&moment.timestamp);
                        // The type is the default: the entity with this name.
                        append_text(out, 3, skeleton.hand.name());
                    });
                }
            }
            for ((skeleton, poses), is_shown) in self.skeletons.iter().zip(hands).zip(are_shown) {
                if let (Some(poses), true) = (poses, is_shown) {
                    append_message(out, 2, |out| skeleton.append_bones(poses, &moment.timestamp, out));
                }
            }
        });
    }
}

/// The poses of both hands; `None` while a hand is not tracked.
type HandPoses = [Option<Vec<Pose>>; 2];

/// The time of a frame in the log, and as the field `timestamp` of its messages.
struct Moment {
    time_ns: u64,
    timestamp: Vec<u8>,
}

fn push_head(frame: &Frame, moment: &Moment, encoded: &mut EncodedMessages) {
    let mut push = |topic, message: PoseInFrame| {
        encoded.push(topic, moment.time_ns, |out| {
            out.extend_from_slice(&moment.timestamp);
            out.extend(message.encode_to_vec());
        })
    };
    if let Some(camera) = frame.camera {
        push(Topic::Camera, in_world(camera.into()));
    }
    match frame.gaze.map(pose_along_ray) {
        Some(Some(gaze)) => push(Topic::Gaze, in_world(gaze)),
        Some(None) => encoded.undirected_gaze_frames += 1,
        None => {}
    }
}

fn push_hands(frame: &Frame, hands: &HandPoses, moment: &Moment, encoded: &mut EncodedMessages) -> Result<()> {
    for (hand, poses) in Hand::ALL.into_iter().zip(hands) {
        if let Some(poses) = poses {
            encoded.push(Topic::Joints(hand), moment.time_ns, |out| {
                out.extend_from_slice(&moment.timestamp);
                append_text(out, 2, WORLD);
                poses.iter().for_each(|pose| append_message(out, 3, |out| append_pose(out, pose)));
            });
        }
        if let Some(HandFrame { tracked, pinching, .. }) = frame.hand(hand) {
            let state = HandState { time: frame.time, tracked: *tracked, pinching: *pinching };
            serde_json::to_writer(&mut encoded.data, &state).map_err(std::io::Error::from)?;
            encoded.messages.push((Topic::State(hand), moment.time_ns, encoded.data.len()));
        }
    }
    Ok(())
}

/// A pose without its time.
fn in_world(pose: message::Pose) -> PoseInFrame {
    PoseInFrame { timestamp: None, frame_id: WORLD.to_owned(), pose: Some(pose) }
}

/// A pose with x along a ray, which is how viewers draw arrows, and z upwards; `None` if the ray has no direction.
pub(super) fn pose_along_ray(ray: Ray) -> Option<message::Pose> {
    let forward = DVec3::from_array(ray.direction.map(f64::from)).try_normalize()?;
    let left = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::NEG_X);
    let [x, y, z, w] = DQuat::from_mat3(&DMat3::from_cols(forward, left, forward.cross(left))).to_array();
    Some(message::Pose { position: Some(ray.origin.into()), orientation: Some(Quaternion { x, y, z, w }) })
}

/// The field `timestamp`, which is the first of all messages.
fn timestamp(time_ns: u64) -> Vec<u8> {
    const NS: u64 = 1_000_000_000;
    let timestamp = Timestamp { seconds: (time_ns / NS) as i64, nanos: (time_ns % NS) as i32 };
    let mut field = Vec::new();
    append_message(&mut field, 1, |out| out.extend(timestamp.encode_to_vec()));
    field
}

#[cfg(test)]
mod tests {
    use holotape::demo::DemoOptions;
    use holotape::{Joint, PoseCurves};

    use super::super::reference;
    use super::*;

    /// Frames with hands that appear and disappear, bones that cannot be drawn, transforms that are not finite, and a gaze
    /// without a direction.
    fn frames(recording: &Recording) -> Vec<(u64, Frame)> {
        let mut sampler = recording.sampler();
        let mut frames: Vec<_> = (0..20).map(|n: u64| (n * 333_333_333, sampler.frame_at(n as f64 / 20.0))).collect();
        for (n, (_, frame)) in frames.iter_mut().enumerate() {
            let [left, right] = [frame.left.as_mut().unwrap(), frame.right.as_mut().unwrap()];
            if n % 3 == 0 {
                left.joints = [None; Joint::COUNT];
            }
            if n % 4 == 1 {
                right.joints[Joint::Palm.index()].as_mut().unwrap().position[0] = f32::NAN;
            }
            if n % 5 == 3 {
                right.joints[Joint::Wrist.index()].as_mut().unwrap().rotation = [0.0; 4];
            }
            match n {
                7 => frame.gaze.as_mut().unwrap().direction = [0.0; 3],
                8 => frame.camera.as_mut().unwrap().rotation[1] = f32::INFINITY,
                9 => (frame.camera, frame.gaze) = (None, None),
                10 => (frame.left, frame.right) = (None, None),
                11 => *frame = Frame::default(),
                _ => {}
            }
        }
        frames
    }

    fn messages(encoded: &[EncodedMessages]) -> Vec<(Topic, u64, Vec<u8>)> {
        let all = encoded.iter().flat_map(EncodedMessages::iter);
        all.map(|(topic, time_ns, data)| (topic, time_ns, data.to_vec())).collect()
    }

    #[test]
    fn messages_equal_those_of_the_generated_types() {
        let mut recording = DemoOptions::new().with_seconds(1.0).generate().unwrap();
        // A joint without keys: the next one towards the wrist is the parent.
        recording.hand_mut(Hand::Left).joints[Joint::IndexMiddleJoint.index()] = PoseCurves::default();
        let encoder = MessageEncoder::new(&recording);
        let frames = frames(&recording);
        let encoded = messages(&[encoder.frames(&frames, None).unwrap()]);
        let expected = reference::messages(&recording, &frames);
        assert_eq!(encoded.len(), expected.len());
        for (encoded, expected) in encoded.iter().zip(expected) {
            assert_eq!(*encoded, expected);
        }
        for time_ns in [0, 1, 999_999_999, 1_000_000_000, u64::MAX] {
            let marker = Marker { time: 0.0, name: "x".repeat(time_ns.min(300) as usize) };
            assert_eq!(messages(&[MessageEncoder::marker(&marker, time_ns)]), [reference::marker(&marker, time_ns)]);
            assert_eq!(
                messages(&[MessageEncoder::static_transforms(time_ns)]),
                [reference::static_transforms(time_ns)]
            );
        }
    }

    #[test]
    fn windows_of_any_size_encode_the_same_messages() {
        let recording = DemoOptions::new().with_seconds(1.0).generate().unwrap();
        let encoder = MessageEncoder::new(&recording);
        let frames = frames(&recording);
        let in_windows = |size: usize| {
            let previous = |start: usize| start.checked_sub(1).map(|before| &frames[before].1);
            let windows = (0..frames.len()).step_by(size).map(|start| {
                let end = (start + size).min(frames.len());
                encoder.frames(&frames[start..end], previous(start)).unwrap()
            });
            let windows: Vec<_> = windows.collect();
            (messages(&windows), windows.iter().map(|window| window.undirected_gaze_frames).sum::<usize>())
        };
        let at_once = in_windows(frames.len());
        assert_eq!(at_once.1, 1);
        for size in 1..frames.len() {
            assert!(in_windows(size) == at_once, "windows of {size}");
        }
    }
}
