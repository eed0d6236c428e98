//! Decodes records. Everything is validated before use.

use super::encode::{EVENT, FRAME, MARKER, PAYLOAD_HEADER_BYTES, is_time};
use super::frame_mask::{FrameMask, hand_joint};
use super::record_header::RecordHeader;
use crate::{Frame, Hand, HandFrame, Pose, Ray};

/// A record, decoded as far as validation needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PackedRecord<'a> {
    Frame(PackedFrame<'a>),
    Marker { time_secs: f64, name: &'a str },
}

/// A payload with a valid structure; its values are not checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Payload<'a> {
    Frame(PackedFrame<'a>),
    Marker {
        time_secs: f64,
        name: &'a str,
    },
    #[cfg_attr(not(feature = "stream"), expect(dead_code, reason = "used by streams"))]
    Event {
        time_secs: f64,
        json: &'a str,
    },
}

/// A frame whose values are still bytes: those of the poses, in order of their bits, then those of the gaze.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedFrame<'a> {
    pub(super) time_secs: f64,
    pub(super) present: FrameMask,
    values: &'a [[u8; 4]],
}

impl<'a> Payload<'a> {
    /// Parses a payload; returns a message if it is invalid.
    pub(crate) fn parse(payload: &'a [u8]) -> Result<Self, &'static str> {
        let Some((&[kind, ref time @ ..], rest)) = payload.split_first_chunk::<PAYLOAD_HEADER_BYTES>() else {
            return Err("truncated: shorter than the header of 9 bytes");
        };
        let time_secs = f64::from_le_bytes(*time);
        let text = |rest| str::from_utf8(rest).map_err(|_| "text that is not UTF-8");
        match kind {
            _ if !is_time(time_secs) => Err("invalid time"),
            FRAME => PackedFrame::parse(time_secs, rest).map(Self::Frame),
            MARKER => Ok(Self::Marker { time_secs, name: text(rest)? }),
            EVENT => Ok(Self::Event { time_secs, json: text(rest)? }),
            _ => Err("unknown kind: the first byte must be 1, 2 or 3"),
        }
    }
}

impl<'a> PackedRecord<'a> {
    /// Parses a payload; `None` if a recorder would not have written it.
    pub(super) fn parse(payload: &'a [u8]) -> Option<Self> {
        Self::parse_structure(payload).filter(|record| match record {
            Self::Frame(frame) => frame.is_finite(),
            Self::Marker { .. } => true,
        })
    }

    fn parse_structure(payload: &'a [u8]) -> Option<Self> {
        match Payload::parse(payload).ok()? {
            Payload::Frame(frame) => Some(Self::Frame(frame)),
            Payload::Marker { time_secs, name } => Some(Self::Marker { time_secs, name }),
            Payload::Event { .. } => None,
        }
    }

    /// The records of a buffer that contains nothing else. Their values were checked when they were pushed.
    pub(super) fn all(mut bytes: &'a [u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (head, rest) = bytes.split_first_chunk()?;
            let (payload, rest) = rest.split_at_checked(RecordHeader::from_bytes(*head).payload_bytes as usize)?;
            bytes = rest;
            Self::parse_structure(payload)
        })
    }
}

impl<'a> PackedFrame<'a> {
    fn parse(time_secs: f64, rest: &'a [u8]) -> Result<Self, &'static str> {
        let (present, values) = rest.split_first_chunk().ok_or("truncated frame: the bit mask is missing")?;
        let present = FrameMask::from_bytes(*present).ok_or("unknown bits in the mask of a frame")?;
        let (values, odd) = values.as_chunks();
        let is_complete = odd.is_empty() && values.len() == present.value_count();
        is_complete
            .then_some(Self { time_secs, present, values })
            .ok_or("the number of values does not match the mask of the frame")
    }

    fn is_finite(&self) -> bool {
        self.values.iter().all(|bytes| f32::from_le_bytes(*bytes).is_finite())
    }

    /// Unpacks the frame, including non-finite values.
    #[cfg_attr(not(feature = "stream"), expect(dead_code, reason = "used by streams"))]
    pub(crate) fn unpack(mut self) -> Frame {
        let mut frame = Frame { time: self.time_secs, ..Frame::default() };
        let present = self.present;
        for hand in Hand::ALL {
            let hand_frame = HandFrame {
                tracked: present.is_tracked(hand),
                pinching: present.is_pinching(hand),
                ..HandFrame::default()
            };
            let is_present = hand_frame.tracked || hand_frame.pinching || present.has_joints(hand);
            *frame.hand_mut(hand) = is_present.then_some(hand_frame);
        }
        for number in present.poses() {
            let pose = Pose { position: self.read_values(), rotation: self.read_values() };
            match hand_joint(number) {
                None => frame.camera = Some(pose),
                Some((hand, joint)) => {
                    if let Some(hand) = frame.hand_mut(hand) {
                        hand.joints[joint] = Some(pose);
                    }
                }
            }
        }
        frame.gaze = present.has_gaze().then(|| Ray { origin: self.read_values(), direction: self.read_values() });
        frame
    }

    /// The next values. There are as many as [`FrameMask`] declares.
    pub(super) fn read_values<const N: usize>(&mut self) -> [f32; N] {
        let Some((first, rest)) = self.values.split_first_chunk::<N>() else { return [0.0; N] };
        self.values = rest;
        first.map(f32::from_le_bytes)
    }
}
