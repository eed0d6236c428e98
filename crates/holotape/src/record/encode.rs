//! Encodes frames and markers as records. Memory and the journal hold the same records; the stream sends their
//! payloads.

use super::frame_mask::{CAMERA, FrameMask, GAZE, PINCHING, TRACKED, first_joint};
use super::record_header::{MAX_PAYLOAD_BYTES, RECORD_HEADER_BYTES, write_header};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Channels;
use crate::pose::unit_quaternion;
use crate::{Frame, Hand, Pose, Ray};

/// Kind and time, the start of every payload.
pub(super) const PAYLOAD_HEADER_BYTES: usize = 9;

/// The maximum length of a marker's name.
const MAX_NAME_BYTES: usize = MAX_PAYLOAD_BYTES - PAYLOAD_HEADER_BYTES;

pub(super) const FRAME: u8 = 1;
pub(crate) const MARKER: u8 = 2;
/// Only in streams: events are not recorded.
pub(crate) const EVENT: u8 = 3;

/// Which parts of a frame to encode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameFilter {
    pub(super) channels: Channels,
    pub(super) gaze_fallback: bool,
    /// Joints of untracked hands. They are interpolated, so a recorder drops them.
    pub(super) untracked_joints: bool,
}

impl FrameFilter {
    /// The complete frame.
    #[cfg_attr(not(feature = "stream"), expect(dead_code, reason = "used by streams"))]
    pub(crate) const ALL: Self = Self { channels: Channels::ALL, gaze_fallback: false, untracked_joints: true };

    /// Replaces `record` with the record of a frame. Returns the number of poses and rays dropped because of
    /// non-finite values.
    pub(super) fn pack(self, frame: &Frame, record: &mut Vec<u8>) -> u64 {
        with_header(record, |record| self.pack_payload(frame, record))
    }

    /// Appends the payload of a frame.
    pub(crate) fn pack_payload(self, frame: &Frame, record: &mut Vec<u8>) -> u64 {
        write_payload_header(record, FRAME, frame.time);
        let present_at = record.len();
        record.extend(FrameMask::default().to_bytes());
        let untracked_joints = self.untracked_joints;
        let mut packer = Packer { record, present: FrameMask::default(), not_finite: 0, untracked_joints };
        let Channels { camera, hands, gaze } = self.channels;
        if let Some(pose) = frame.camera.as_ref().filter(|_| camera) {
            packer.pose(CAMERA, pose);
        }
        if hands {
            Hand::ALL.into_iter().for_each(|hand| packer.hand(hand, frame));
        }
        if let Some(ray) = self.gaze(frame).filter(|_| gaze) {
            packer.ray(&ray);
        }
        let Packer { present, not_finite, .. } = packer;
        record[present_at..][..8].copy_from_slice(&present.to_bytes());
        not_finite
    }

    fn gaze(self, frame: &Frame) -> Option<Ray> {
        let camera = frame.camera.filter(|_| self.gaze_fallback);
        frame.gaze.or_else(|| camera.filter(Pose::is_finite).as_ref().map(forward_ray))
    }
}

/// The ray along which a head looks.
fn forward_ray(head: &Pose) -> Ray {
    let unit = Pose { rotation: unit_quaternion(head.rotation.map(f64::from)), ..*head };
    Ray { origin: head.position, direction: unit.forward() }
}

struct Packer<'a> {
    record: &'a mut Vec<u8>,
    present: FrameMask,
    not_finite: u64,
    untracked_joints: bool,
}

impl Packer<'_> {
    /// A frame without the hand means that it is not tracked.
    fn hand(&mut self, hand: Hand, frame: &Frame) {
        let Some(seen) = frame.hand(hand) else { return };
        self.present = self.present.with(TRACKED + hand as usize, seen.tracked);
        self.present = self.present.with(PINCHING + hand as usize, seen.pinching);
        if !seen.tracked && !self.untracked_joints {
            return;
        }
        for (number, pose) in (first_joint(hand)..).zip(&seen.joints) {
            if let Some(pose) = pose {
                self.pose(number, pose);
            }
        }
    }

    fn pose(&mut self, number: usize, pose: &Pose) {
        let [x, y, z] = pose.position;
        let [i, j, k, w] = pose.rotation;
        self.values(number, [x, y, z, i, j, k, w]);
    }

    fn ray(&mut self, ray: &Ray) {
        let ([x, y, z], [i, j, k]) = (ray.origin, ray.direction);
        self.values(GAZE, [x, y, z, i, j, k]);
    }

    fn values<const N: usize>(&mut self, bit: usize, values: [f32; N]) {
        if values.iter().all(|value| value.is_finite()) {
            self.present = self.present.with(bit, true);
            self.record.extend_from_slice(values.map(f32::to_le_bytes).as_flattened());
        } else {
            self.not_finite += 1;
        }
    }
}

/// Replaces `record` with the record of a marker.
pub(super) fn pack_marker(time_secs: f64, name: &str, record: &mut Vec<u8>) {
    with_header(record, |record| pack_text_payload(MARKER, time_secs, name, record));
}

/// Appends the payload of a marker or event: its name or its JSON.
pub(crate) fn pack_text_payload(kind: u8, time_secs: f64, text: &str, record: &mut Vec<u8>) {
    write_payload_header(record, kind, time_secs);
    record.extend_from_slice(text.as_bytes());
}

/// Rejects a marker's name that is too long for a record.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if name.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    let message = format!("marker name too long: {} bytes; the limit is {MAX_NAME_BYTES}", name.len());
    Err(Error::new(ErrorKind::LimitExceeded, message))
}

/// Replaces `record` with a header and a payload.
fn with_header<T>(record: &mut Vec<u8>, pack_payload: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    record.clear();
    record.extend([0; RECORD_HEADER_BYTES]);
    let packed = pack_payload(record);
    write_header(record);
    packed
}

fn write_payload_header(record: &mut Vec<u8>, kind: u8, time_secs: f64) {
    record.push(kind);
    record.extend(time_secs.to_le_bytes());
}

/// Whether a frame can have this time: its key time is finite wherever the recording starts.
pub(crate) fn is_time(time_secs: f64) -> bool {
    time_secs.abs() <= f64::from(f32::MAX / 2.0)
}
