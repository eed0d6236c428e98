//! Writes captures.

use std::io::Write;

use holotape::text::pluralize;
use holotape::{
    Error, ErrorKind, Frame, Hand, HandFrame, Pose, Recording, Result, Sampler, WindowedRecording, align_sign,
};

use super::hand_writer::{HandState, HandWriter};
use super::{ALL_JOINTS, DEFAULT_FINGERS, DEFAULT_MESH, FORMAT, HandsbinOptions, HandsbinVersion, JOINT_COUNT, bits};
use crate::frame_losses::{self, FrameCapabilities};
use crate::key_rotation::KeyRotations;
use crate::{LossKind, Losses, Timing};

const DEFAULT_NAME: &str = "recording";

/// If a gap ends this long after the frame before, another frame is added just before its end: between two frames,
/// playback reports a hand as tracked if it is tracked in one of them.
const MAX_GAP_END_SECS: f64 = 0.05;
const GAP_END_SECS: f64 = 1.0 / 60.0;

/// Writes a capture for Unity's package XR Hands, and returns what it cannot represent.
///
/// Every frame has all 26 joints of a hand or none. Joints that were not recorded are
/// [constructed](holotape::construct_missing) and reported; a hand without a wrist is dropped. The first frame is at time
/// 0. Layout and finger shapes are those that hand providers have by default, the root of a hand is its wrist.
///
/// ```
/// use holotape_convert::LossKind;
/// use holotape_convert::handsbin::{self, HandsbinOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut bytes = Vec::new();
/// let losses = handsbin::write(&recording, &HandsbinOptions::new().with_name("reach"), &mut bytes)?;
/// assert!(bytes.starts_with(&[2, 0, 0, 0]));
/// assert!(losses.iter().any(|loss| loss.kind() == LossKind::Gaze));
/// let (read, _) = handsbin::read(&bytes)?;
/// assert_eq!(read.duration_secs(), recording.duration_secs());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails, the [timing](Timing::times) is invalid, or there are more than 2³¹ - 1 frames.
pub fn write(recording: &Recording, options: &HandsbinOptions, mut out: impl Write) -> Result<Losses> {
    let times = frame_times(recording, options.timing)?;
    let (mut sampler, mut frame) = (recording.sampler(), Frame::default());
    let mut writer = FrameWriter::new(recording, options.version, &mut sampler, &times);
    out.write_all(&writer.header(&options.name, &times)?)?;
    let mut rotations = KeyRotations::new(recording);
    for (index, &time) in times.iter().enumerate() {
        sampler.frame_into(time.into(), &mut frame);
        rotations.restore(&mut frame);
        out.write_all(writer.frame(index, time, &frame))?;
    }
    let mut losses = writer.losses(recording);
    let recording = WindowedRecording::new(recording);
    losses.extend(frame_losses::frame_losses(&recording, FrameCapabilities::default()));
    let times: Vec<_> = times.into_iter().map(f64::from).collect();
    losses.extend(options.timing.loss(&recording, &times)?);
    Ok(losses)
}

/// The times of frames, increasing from 0: playback starts with the first frame and searches by bisection.
fn frame_times(recording: &Recording, timing: Timing) -> Result<Vec<f32>> {
    if recording.curves().all(|(_, curve)| curve.key_times().next().is_none()) {
        return Ok(Vec::new());
    }
    let mut times: Vec<_> =
        timing.times(recording)?.into_iter().filter(|time| *time >= 0.0).map(|time| time as f32).collect();
    if times.first() != Some(&0.0) {
        times.insert(0, 0.0);
    }
    if timing == Timing::Keys {
        times.extend(gap_ends(recording, &times));
        times.sort_unstable_by(f32::total_cmp);
    }
    times.dedup();
    Ok(times)
}

/// The times of additional frames at the ends of gaps.
fn gap_ends(recording: &Recording, times: &[f32]) -> Vec<f32> {
    let starts = Hand::ALL.into_iter().flat_map(|hand| {
        let spans = recording.hand(hand).tracked.spans_secs();
        spans.into_iter().skip(1).map(|span| span.start).filter(|start| *start > 0.0)
    });
    let is_late = |start: &f64| {
        let next = times.partition_point(|time| f64::from(*time) < *start);
        let before = next.checked_sub(1).and_then(|n| times.get(n));
        before.is_some_and(|before| start - f64::from(*before) > MAX_GAP_END_SECS)
    };
    starts.filter(is_late).map(|start| (start - GAP_END_SECS) as f32).collect()
}

/// Encodes frames, and counts what these cannot represent.
struct FrameWriter {
    version: HandsbinVersion,
    hands: [HandWriter; 2],
    last_head: Option<[f32; 4]>,
    unusable_heads: usize,
    bytes: Vec<u8>,
}

impl FrameWriter {
    fn new(recording: &Recording, version: HandsbinVersion, sampler: &mut Sampler, times: &[f32]) -> Self {
        Self {
            version,
            hands: Hand::ALL.map(|hand| HandWriter::new(recording, hand, sampler, times)),
            last_head: None,
            unusable_heads: 0,
            bytes: Vec::new(),
        }
    }

    fn header(&self, name: &str, times: &[f32]) -> Result<Vec<u8>> {
        let name = if name.is_empty() { DEFAULT_NAME } else { name };
        let too_large =
            |what| Error::new(ErrorKind::LimitExceeded, format!("too many {what} for a Unity hand capture"));
        let frame_count = i32::try_from(times.len()).map_err(|_| too_large("frames"))?;
        let name_bytes = i32::try_from(name.len()).map_err(|_| too_large("bytes in the name"))?;
        let mut header = Encoder(Vec::new());
        header.int(self.version.number());
        if self.version == HandsbinVersion::V2 {
            header.int(if self.has_pinches() { bits::SEQUENCE_PINCH } else { 0 });
            header.int(0);
        }
        header.length(name_bytes);
        header.0.extend_from_slice(name.as_bytes());
        header.float(times.last().copied().unwrap_or(0.0));
        if self.version == HandsbinVersion::V2 {
            header.int(JOINT_COUNT as i32);
            header.0.extend_from_slice(&ALL_JOINTS);
            header.int(DEFAULT_MESH);
            DEFAULT_FINGERS.as_flattened().iter().for_each(|value| header.float(*value));
        }
        header.int(frame_count);
        Ok(header.0)
    }

    fn has_pinches(&self) -> bool {
        self.hands.iter().any(|hand| hand.is_pinch_known)
    }

    fn frame(&mut self, index: usize, time: f32, frame: &Frame) -> &[u8] {
        let mut encoder = Encoder(std::mem::take(&mut self.bytes));
        encoder.0.clear();
        let states = self.hands.each_mut().map(|hand| hand.state(index, frame));
        match self.version {
            HandsbinVersion::V1 => self.encode_v1(&mut encoder, time, states),
            HandsbinVersion::V2 => self.encode_v2(&mut encoder, time, frame, states),
        }
        self.bytes = encoder.0;
        &self.bytes
    }

    fn encode_v1(&self, encoder: &mut Encoder, time: f32, states: [HandState; 2]) {
        encoder.float(time);
        let tracked = states.map(|state| state == HandState::Tracked);
        // Tracked, then valid.
        encoder.0.extend(tracked.into_iter().chain(tracked).map(u8::from));
        for (hand, _) in self.hands.iter().zip(tracked).filter(|(_, is_tracked)| *is_tracked) {
            hand.last_poses().into_iter().flatten().for_each(|pose| encoder.pose(pose));
        }
    }

    fn encode_v2(&mut self, encoder: &mut Encoder, time: f32, frame: &Frame, states: [HandState; 2]) {
        let has_pinches = self.has_pinches();
        let (mut flags, mut success) = (0, 0);
        for (hand, state) in Hand::ALL.into_iter().zip(states) {
            let snapshot = if state == HandState::Absent { 0 } else { bits::FRAME_SNAPSHOT };
            let gestures = if has_pinches { bits::FRAME_GESTURES } else { 0 };
            flags |= (snapshot | gestures) << hand as i32;
            success |= if state == HandState::Tracked { bits::SUCCESS_HAND << (2 * hand as i32) } else { 0 };
        }
        encoder.int(flags);
        encoder.float(time);
        let head = self.head_pose(frame);
        encoder.int(if head.is_some() { bits::HEAD_POSE } else { 0 });
        head.iter().for_each(|pose| encoder.pose(pose));
        encoder.int(success);
        for (hand, state) in Hand::ALL.into_iter().zip(states) {
            if let Some(poses) = self.hands[hand as usize].last_poses() {
                encoder.snapshot(state, poses);
            }
            if has_pinches {
                let is_known = self.hands[hand as usize].is_pinch_known;
                let pinching = frame.hand(hand).is_some_and(|hand: &HandFrame| hand.pinching);
                encoder.gestures(hand, is_known.then_some(pinching));
            }
        }
    }

    fn head_pose(&mut self, frame: &Frame) -> Option<Pose> {
        let pose = frame.camera?;
        if !pose.is_finite() {
            self.unusable_heads += 1;
            return None;
        }
        let rotation = self.last_head.map_or(pose.rotation, |last| align_sign(last, pose.rotation));
        self.last_head = Some(rotation);
        Some(Pose { rotation, ..pose })
    }

    fn losses(&self, recording: &Recording) -> Losses {
        let mut losses = Losses::default();
        self.hands.iter().for_each(|hand| hand.add_losses(&mut losses, recording));
        let has_gaze = recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some());
        losses.push_if(has_gaze, LossKind::Gaze, || format!("dropped the gaze: not supported by {FORMAT}"));
        let count = recording.markers.len();
        losses.push_if(count > 0, LossKind::Markers, || {
            format!("dropped {}: not supported by {FORMAT}", pluralize(count, "marker"))
        });
        if self.version == HandsbinVersion::V1 {
            let has_head = recording.camera.as_ref().is_some_and(|camera| camera.pose_at(0.0).is_some());
            losses.push_if(has_head, LossKind::Head, || {
                format!("dropped the head: not supported by version 1 of {FORMAT}")
            });
            losses.push_if(self.has_pinches(), LossKind::Flags, || {
                format!("dropped the pinching flags: not supported by version 1 of {FORMAT}")
            });
        }
        let unusable = self.unusable_heads + self.hands.iter().map(HandWriter::unusable).sum::<usize>();
        losses
            .push_if(unusable > 0, LossKind::Unusable, || format!("dropped poses with non-finite values: {unusable}"));
        losses
    }
}

struct Encoder(Vec<u8>);

impl Encoder {
    fn int(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn float(&mut self, value: f32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn pose(&mut self, pose: &Pose) {
        pose.position.into_iter().chain(pose.rotation).for_each(|value| self.float(value));
    }

    /// A length with seven bits per byte, lowest first.
    fn length(&mut self, mut length: i32) {
        while length >= 0x80 {
            self.0.push(length as u8 | 0x80);
            length >>= 7;
        }
        self.0.push(length as u8);
    }

    /// The hand of a frame, with the poses of the last frame in which it was tracked.
    fn snapshot(&mut self, state: HandState, poses: &[Pose; JOINT_COUNT]) {
        match state {
            HandState::Tracked => {
                self.int(bits::STEP_DYNAMIC);
                self.int(bits::HAND_JOINTS | bits::HAND_TRACKED);
                self.pose(&poses[0]);
                self.int(JOINT_COUNT as i32);
                poses.iter().for_each(|pose| self.pose(pose));
            }
            // Without a snapshot, playback would blend across the gap.
            HandState::Lost => {
                self.int(bits::STEP_DYNAMIC);
                self.int(0);
                self.pose(&poses[0]);
            }
            // With a snapshot, playback would report the hand as tracked for a moment.
            HandState::Absent => {}
        }
    }

    fn gestures(&mut self, hand: Hand, pinching: Option<bool>) {
        self.int(hand as i32 + 1);
        let Some(pinching) = pinching else { return self.int(0) };
        // Both, because playback of XR Hands 1.8 and 1.9 ignores the flag.
        self.int(bits::GESTURE_PINCH_VALUE | bits::GESTURE_PINCH_TOUCHED);
        self.float(f32::from(u8::from(pinching)));
        self.0.push(u8::from(pinching));
    }
}
