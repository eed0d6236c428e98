//! Writes logs.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};

use ::mcap::records::MessageHeader;
use ::mcap::write::NoSeek;
use ::mcap::{WriteOptions, Writer};
use holotape::text::pluralize;
use holotape::{Frame, Hand, HandFrame, Pose, PoseId, Recording, Result, Skeleton, WindowedRecording};

use super::message::{self, HandJoint, HandJoints, Head, JOINT_COUNT, Message, Timestamp};
use super::{HAND_SCHEMA, HEAD_SCHEMA, PROFILE, schema};
use crate::frame_losses::{self, FrameCapabilities};
use crate::key_rotation::KeyRotations;
use crate::mcap::mcap_error;
use crate::timing::from_start;
use crate::{LossKind, Losses, Space, Timing};

/// The sources of the channels, as in Isaac Teleop's examples.
const HANDS: &str = "hands";
const HEAD: &str = "head";

/// Writes a log for Isaac Teleop, and returns what it cannot represent. See the [module](super) for the topics.
///
/// A frame is one message of each hand and of the head. The log starts at time 0 of the recording.
///
/// ```
/// use holotape_convert::{LossKind, Timing, isaac};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut log = Vec::new();
/// let losses = isaac::write(&recording, Timing::Keys, &mut log)?;
/// assert!(losses.iter().any(|loss| loss.kind() == LossKind::Gaze));
/// let (read, _) = isaac::read(&log)?;
/// assert_eq!(read.duration_secs(), recording.duration_secs());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails, or the timing is [invalid](Timing::times).
pub fn write(recording: &Recording, timing: Timing, out: impl Write) -> Result<Losses> {
    let times = if has_poses(recording) { from_start(timing.times(recording)?) } else { Vec::new() };
    let mut log = Log::new(recording, out)?;
    let mut rotations = KeyRotations::new(recording);
    let (mut sampler, mut frame) = (recording.sampler(), Frame::default());
    for &time_secs in &times {
        sampler.frame_into(time_secs, &mut frame);
        rotations.restore(&mut frame);
        Space::RightHanded.convert_frame(&mut frame);
        log.frame(&frame)?;
    }
    let mut losses = log.losses(recording);
    let recording = WindowedRecording::new(recording);
    losses.extend(frame_losses::frame_losses(&recording, FrameCapabilities::default()));
    losses.extend(timing.loss(&recording, &times)?);
    log.finish()?;
    Ok(losses)
}

/// Whether there is anything that a log can represent.
fn has_poses(recording: &Recording) -> bool {
    recording.hands.is_some() || recording.camera.is_some()
}

/// Writes messages, and counts what these cannot represent.
struct Log<W: Write> {
    writer: Writer<NoSeek<BufWriter<W>>>,
    /// The channels of both hands.
    hands: Option<[u16; 2]>,
    head: Option<u16>,
    /// The next sequence numbers of hands and head: Isaac Teleop counts the messages of both hands.
    sequences: [u32; 2],
    last_time_ns: Option<i64>,
    dropped_frames: usize,
    pinches: usize,
    unusable: usize,
}

impl<W: Write> Log<W> {
    fn new(recording: &Recording, out: W) -> Result<Self> {
        let options = WriteOptions::new()
            // Isaac Teleop is built without decompression.
            .compression(None)
            .profile(PROFILE)
            .library(concat!("holotape ", env!("CARGO_PKG_VERSION")))
            .disable_seeking(true);
        let mut writer = options.create(NoSeek::new(BufWriter::new(out))).map_err(mcap_error)?;
        let mut channels = |schema: &str, data: &[u8], topics: &[String]| -> Result<Vec<u16>> {
            let id = writer.add_schema(schema, "flatbuffer", data).map_err(mcap_error)?;
            let mut channel = |topic| writer.add_channel(id, topic, "flatbuffer", &BTreeMap::new());
            topics.iter().map(|topic| channel(topic).map_err(mcap_error)).collect()
        };
        let hand_topics = Hand::ALL.map(|hand| format!("{HANDS}/{hand}_hand"));
        let hands = recording.hands.as_ref().map(|_| channels(HAND_SCHEMA, &schema::hand(), &hand_topics));
        let head_topic = [format!("{HEAD}/head")];
        let head = recording.camera.as_ref().map(|_| channels(HEAD_SCHEMA, &schema::head(), &head_topic));
        Ok(Self {
            hands: hands.transpose()?.and_then(|channels| channels.try_into().ok()),
            head: head.transpose()?.and_then(|channels| channels.first().copied()),
            writer,
            sequences: [0; 2],
            last_time_ns: None,
            dropped_frames: 0,
            pinches: 0,
            unusable: 0,
        })
    }

    /// Writes the messages of a frame in right-handed coordinates.
    fn frame(&mut self, frame: &Frame) -> Result<()> {
        let time_ns = (frame.time * 1e9).round();
        // `i64::MAX as f64` is 2^63: the largest float below it fits.
        let fits = time_ns < i64::MAX as f64 && self.last_time_ns.is_none_or(|last_ns| time_ns as i64 > last_ns);
        if !fits {
            self.dropped_frames += 1;
            return Ok(());
        }
        let time_ns = time_ns as i64;
        self.last_time_ns = Some(time_ns);
        let timestamp = Some(Timestamp::at(time_ns));
        if let Some(channels) = self.hands {
            for (hand, channel) in Hand::ALL.into_iter().zip(channels) {
                let data = frame.hand(hand).and_then(|hand| self.joints(hand));
                self.send(channel, 0, time_ns, &message::encode_hand(&Message { data, timestamp }))?;
            }
        }
        if let Some(channel) = self.head {
            let data = frame.camera.map(|pose| self.head_of(pose));
            self.send(channel, 1, time_ns, &message::encode_head(&Message { data, timestamp }))?;
        }
        Ok(())
    }

    /// The joints of a hand; `None` while it is not tracked.
    fn joints(&mut self, hand: &HandFrame) -> Option<HandJoints> {
        self.pinches += usize::from(hand.pinching);
        let mut joints = [HandJoint::INVALID; JOINT_COUNT];
        for (slot, joint) in joints.iter_mut().zip(Skeleton::OpenXr.joints()) {
            let Some(pose) = hand.joint(joint) else { continue };
            if pose.is_finite() {
                *slot = HandJoint { pose, is_valid: true, radius: joint.typical_radius_m() };
            } else {
                self.unusable += 1;
            }
        }
        hand.tracked.then_some(joints)
    }

    fn head_of(&mut self, pose: Pose) -> Head {
        let is_valid = pose.is_finite();
        self.unusable += usize::from(!is_valid);
        Head { pose: if is_valid { pose } else { Pose::IDENTITY }, is_valid, is_tracked: is_valid }
    }

    fn send(&mut self, channel_id: u16, tracker: usize, time_ns: i64, data: &[u8]) -> Result<()> {
        let log_time = u64::try_from(time_ns).unwrap_or_default();
        let sequence = self.sequences[tracker];
        self.sequences[tracker] = sequence.wrapping_add(1);
        let header = MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
        self.writer.write_to_known_channel(&header, data).map_err(mcap_error)
    }

    fn losses(&self, recording: &Recording) -> Losses {
        let mut losses = Losses::default();
        let has_gaze = recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some());
        losses.push_if(has_gaze, LossKind::Gaze, || "dropped the gaze: not supported by Isaac Teleop".to_owned());
        let markers = recording.markers.len();
        losses.push_if(markers > 0, LossKind::Markers, || {
            format!("dropped {}: not supported by Isaac Teleop", pluralize(markers, "marker"))
        });
        losses.push_if(self.pinches > 0, LossKind::Flags, || {
            let frames = pluralize(self.pinches, "frame");
            format!("dropped the pinches of hands in {frames}: not supported by Isaac Teleop")
        });
        losses.push_if(self.unusable > 0, LossKind::Unusable, || {
            format!("dropped poses with non-finite values: {}", self.unusable)
        });
        losses.push_if(self.dropped_frames > 0, LossKind::Resampled, || {
            let frames = pluralize(self.dropped_frames, "frame");
            format!("dropped {frames} less than 1 ns after the one before, or beyond the range of log times")
        });
        let has_joints = recording.poses().any(|(id, pose)| id != PoseId::Camera && pose.pose_at(0.0).is_some());
        losses.push_if(has_joints, LossKind::Invented, || "invented joint radii: not recorded".to_owned());
        losses
    }

    /// Writes the last chunk, indexes and statistics.
    fn finish(mut self) -> Result<()> {
        self.writer.finish().map_err(mcap_error)?;
        Ok(self.writer.into_inner().into_inner().flush()?)
    }
}
