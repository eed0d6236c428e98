//! The messages of a log, as FlatBuffers.

use holotape::{Pose, Skeleton};

use super::flatbuffer::{Result, Table};

/// The number of joints of OpenXR's hand.
pub(super) const JOINT_COUNT: usize = Skeleton::OpenXr.joint_count();
pub(super) const POSE_BYTES: usize = 28;
/// A pose, whether it is valid, and the radius of the joint.
pub(super) const JOINT_BYTES: usize = 36;
pub(super) const HAND_JOINTS_BYTES: usize = JOINT_COUNT * JOINT_BYTES;
pub(super) const TIMESTAMP_BYTES: usize = 24;

/// A message: the data, which is absent while the device is not tracked, and three times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Message<T> {
    pub(super) data: Option<T>,
    pub(super) timestamp: Option<Timestamp>,
}

/// The times at which a sample became available and was taken, and the latter by the clock of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timestamp {
    pub(super) available_ns: i64,
    pub(super) sample_ns: i64,
    pub(super) device_ns: i64,
}

impl Timestamp {
    /// A sample that was available when it was taken.
    pub(super) const fn at(time_ns: i64) -> Self {
        Self { available_ns: time_ns, sample_ns: time_ns, device_ns: time_ns }
    }
}

/// A joint, in OpenXR's coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandJoint {
    pub(super) pose: Pose,
    pub(super) is_valid: bool,
    pub(super) radius: f32,
}

impl HandJoint {
    pub(super) const INVALID: Self = Self { pose: Pose::IDENTITY, is_valid: false, radius: 0.0 };
}

pub(super) type HandJoints = [HandJoint; JOINT_COUNT];

/// The head, in OpenXR's coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Head {
    pub(super) pose: Pose,
    pub(super) is_valid: bool,
    pub(super) is_tracked: bool,
}

/// Decodes a `core.HandPoseRecord`.
pub(super) fn decode_hand(bytes: &[u8]) -> Result<Message<HandJoints>> {
    decode(bytes, |data| {
        let mut joints = [HandJoint::INVALID; JOINT_COUNT];
        if let Some(bytes) = data.value(0, HAND_JOINTS_BYTES)? {
            for (joint, bytes) in joints.iter_mut().zip(bytes.as_chunks::<JOINT_BYTES>().0) {
                let (pose, rest) = bytes.split_at(POSE_BYTES);
                *joint = HandJoint { pose: pose_of(pose), is_valid: rest[0] != 0, radius: float_at(rest, 1) };
            }
        }
        Ok(joints)
    })
}

/// Decodes a `core.HeadPoseRecord`.
pub(super) fn decode_head(bytes: &[u8]) -> Result<Message<Head>> {
    decode(bytes, |data| {
        let pose = data.value(0, POSE_BYTES)?;
        let is_valid = data.flag(1)? && pose.is_some();
        Ok(Head { pose: pose.map_or(Pose::IDENTITY, pose_of), is_valid, is_tracked: data.flag(2)? })
    })
}

fn decode<'a, T>(bytes: &'a [u8], data: impl FnOnce(Table<'a>) -> Result<T>) -> Result<Message<T>> {
    let root = Table::root(bytes)?;
    let timestamp = root.value(1, TIMESTAMP_BYTES)?.map(|bytes| {
        let (times, _) = bytes.as_chunks();
        let time_ns = |n: usize| times.get(n).map_or(0, |time| i64::from_le_bytes(*time));
        Timestamp { available_ns: time_ns(0), sample_ns: time_ns(1), device_ns: time_ns(2) }
    });
    Ok(Message { data: root.table(0)?.map(data).transpose()?, timestamp })
}

fn pose_of(bytes: &[u8]) -> Pose {
    let float = |n| float_at(bytes, n);
    Pose { position: [float(0), float(1), float(2)], rotation: [float(3), float(4), float(5), float(6)] }
}

fn float_at(bytes: &[u8], index: usize) -> f32 {
    bytes.as_chunks().0.get(index).map_or(0.0, |bytes| f32::from_le_bytes(*bytes))
}

/// Encodes a `core.HandPoseRecord`.
pub(super) fn encode_hand(message: &Message<HandJoints>) -> Vec<u8> {
    let mut bytes = encode_start(message, 12);
    let Some(joints) = &message.data else { return bytes };
    // The vtable of the hand, two bytes to align the table, and its distance to the vtable.
    push_u16s(&mut bytes, [6, 4 + HAND_JOINTS_BYTES as u16, 4, 0]);
    bytes.extend_from_slice(&8_i32.to_le_bytes());
    for joint in joints {
        push_pose(&mut bytes, &joint.pose);
        bytes.extend_from_slice(&[joint.is_valid.into(), 0, 0, 0]);
        bytes.extend_from_slice(&joint.radius.to_le_bytes());
    }
    bytes
}

/// Encodes a `core.HeadPoseRecord`.
pub(super) fn encode_head(message: &Message<Head>) -> Vec<u8> {
    let mut bytes = encode_start(message, 16);
    let Some(head) = &message.data else { return bytes };
    push_u16s(&mut bytes, [10, 34, 4, 32, 33, 0]);
    bytes.extend_from_slice(&12_i32.to_le_bytes());
    push_pose(&mut bytes, &head.pose);
    bytes.extend_from_slice(&[head.is_valid.into(), head.is_tracked.into(), 0, 0]);
    bytes
}

/// The record up to its data: `data_distance` is from the reference to the table of the data.
fn encode_start<T>(message: &Message<T>, data_distance: u32) -> Vec<u8> {
    let has_data = message.data.is_some();
    let mut bytes = Vec::with_capacity(1024);
    bytes.extend_from_slice(&12_u32.to_le_bytes());
    // The vtable: the timestamp comes first, because its alignment is 8 bytes.
    push_u16s(&mut bytes, if has_data { [8, 32, 28, 4] } else { [8, 28, 0, 4] });
    bytes.extend_from_slice(&8_i32.to_le_bytes());
    let Timestamp { available_ns, sample_ns, device_ns } = message.timestamp.unwrap_or(Timestamp::at(0));
    for time_ns in [available_ns, sample_ns, device_ns] {
        bytes.extend_from_slice(&time_ns.to_le_bytes());
    }
    if has_data {
        bytes.extend_from_slice(&data_distance.to_le_bytes());
    }
    bytes
}

fn push_u16s<const N: usize>(bytes: &mut Vec<u8>, numbers: [u16; N]) {
    numbers.into_iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn push_pose(bytes: &mut Vec<u8>, pose: &Pose) {
    let numbers = pose.position.into_iter().chain(pose.rotation);
    numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}
