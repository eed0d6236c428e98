//! Frames and markers as records of bytes. Memory and the journal hold the same ones.

use super::framing::{HEAD_BYTES, Head, MOST_PAYLOAD_BYTES, seal};
use super::present::{CAMERA, GAZE, PINCHING, Present, TRACKED, first_joint};
use crate::format::Channels;
use crate::pose::unit_quaternion;
use crate::{Frame, Hand, Pose, Ray};

/// Kind and time, which every payload begins with.
const START_BYTES: usize = 9;

/// The longest name that a marker can have.
pub(super) const MOST_NAME_BYTES: usize = MOST_PAYLOAD_BYTES - START_BYTES;

const FRAME: u8 = 1;
const MARKER: u8 = 2;

/// What of a frame is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) channels: Channels,
    pub(super) gaze_fallback: bool,
}

impl Wanted {
    /// Makes `record` the record of a frame, and says how many poses and rays were left out because they are no numbers.
    pub(super) fn pack(self, frame: &Frame, record: &mut Vec<u8>) -> u64 {
        start(record, FRAME, frame.time);
        let present_at = record.len();
        record.extend(Present::default().to_bytes());
        let mut packer = Packer { record, present: Present::default(), not_finite: 0 };
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
        seal(record);
        not_finite
    }

    fn gaze(self, frame: &Frame) -> Option<Ray> {
        let camera = frame.camera.filter(|_| self.gaze_fallback);
        frame.gaze.or_else(|| camera.filter(is_finite).as_ref().map(forward_ray))
    }
}

/// The ray that a head looks along.
fn forward_ray(head: &Pose) -> Ray {
    let unit = Pose { rotation: unit_quaternion(head.rotation.map(f64::from)), ..*head };
    Ray { origin: head.position, direction: unit.forward() }
}

fn is_finite(pose: &Pose) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|value| value.is_finite())
}

struct Packer<'a> {
    record: &'a mut Vec<u8>,
    present: Present,
    not_finite: u64,
}

impl Packer<'_> {
    /// A frame without the hand says that it is not tracked.
    fn hand(&mut self, hand: Hand, frame: &Frame) {
        let Some(seen) = frame.hand(hand) else { return };
        self.present = self.present.with(TRACKED + hand as usize, seen.tracked);
        self.present = self.present.with(PINCHING + hand as usize, seen.pinching);
        if !seen.tracked {
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

/// Makes `record` the record of a marker.
pub(super) fn pack_marker(time_secs: f64, name: &str, record: &mut Vec<u8>) {
    start(record, MARKER, time_secs);
    record.extend_from_slice(name.as_bytes());
    seal(record);
}

fn start(record: &mut Vec<u8>, kind: u8, time_secs: f64) {
    record.clear();
    record.extend([0; HEAD_BYTES]);
    record.push(kind);
    record.extend(time_secs.to_le_bytes());
}

/// A record that is unpacked as far as it takes to know that it makes sense.
#[derive(Clone, Copy, Debug)]
pub(super) enum Record<'a> {
    Frame(PackedFrame<'a>),
    Marker { time_secs: f64, name: &'a str },
}

/// A frame whose values are still bytes: those of the poses, by number, then those of the gaze.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedFrame<'a> {
    pub(super) time_secs: f64,
    pub(super) present: Present,
    values: &'a [[u8; 4]],
}

impl<'a> Record<'a> {
    /// What a payload says; nothing if no recorder would have said it.
    pub(super) fn parse(payload: &'a [u8]) -> Option<Self> {
        let (&[kind, ref time @ ..], rest) = payload.split_first_chunk::<START_BYTES>()?;
        let time_secs = f64::from_le_bytes(*time);
        match kind {
            _ if !is_time(time_secs) => None,
            FRAME => PackedFrame::parse(time_secs, rest).map(Self::Frame),
            MARKER => Some(Self::Marker { time_secs, name: str::from_utf8(rest).ok()? }),
            _ => None,
        }
    }

    /// The records of memory that holds nothing else.
    pub(super) fn all(mut bytes: &'a [u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (head, rest) = bytes.split_first_chunk()?;
            let (payload, rest) = rest.split_at_checked(Head::from_bytes(*head).payload_bytes as usize)?;
            bytes = rest;
            Self::parse(payload)
        })
    }
}

impl<'a> PackedFrame<'a> {
    fn parse(time_secs: f64, rest: &'a [u8]) -> Option<Self> {
        let (present, values) = rest.split_first_chunk()?;
        let present = Present::from_bytes(*present)?;
        let (values, odd) = values.as_chunks();
        let frame = Self { time_secs, present, values };
        let is_whole = odd.is_empty() && values.len() == present.value_count();
        let is_finite = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes).is_finite();
        (is_whole && values.iter().all(is_finite)).then_some(frame)
    }

    /// The next values, of which there are as many as [`Present`] promises.
    pub(super) fn take<const N: usize>(&mut self) -> [f32; N] {
        let Some((first, rest)) = self.values.split_first_chunk::<N>() else { return [0.0; N] };
        self.values = rest;
        first.map(f32::from_le_bytes)
    }
}

/// Whether a frame can be at that time, so that its key is at a finite one wherever the recording begins.
pub(super) fn is_time(time_secs: f64) -> bool {
    time_secs.abs() <= f64::from(f32::MAX / 2.0)
}
