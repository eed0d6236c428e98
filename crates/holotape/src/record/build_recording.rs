//! Builds a recording from buffered records: one key per frame.

use super::decode::{PackedFrame, PackedRecord};
use super::frame_mask::{POSE_COUNT, hand_joint};
use super::record_buffer::RecordBuffer;
use crate::format::Channels;
use crate::{Hand, Joint, Marker, NotAfterLast, Pose, PoseId, Ray, Recording, RecordingBuilder};

/// Returns the recording of a buffer and its number of frames.
pub(super) fn build_recording(buffer: RecordBuffer, channels: Channels) -> (Recording, u64) {
    let window = RecordingWindow::new(&buffer);
    let mut builder = TakeBuilder::new(window, &buffer, channels);
    for chunk in buffer.into_chunks() {
        chunk.records().for_each(|record| builder.push(record));
    }
    builder.finish()
}

/// Which records the recording has, and where it starts.
struct RecordingWindow {
    start_secs: f64,
    /// Whether earlier frames were dropped.
    is_truncated: bool,
}

impl RecordingWindow {
    fn new(buffer: &RecordBuffer) -> Self {
        let oldest_secs = buffer.oldest_secs();
        let mut is_truncated = buffer.has_dropped();
        for frame in frames(buffer) {
            if frame.time_secs >= oldest_secs {
                return Self { start_secs: frame.time_secs, is_truncated };
            }
            is_truncated = true;
        }
        // Without frames, the recording starts at its first marker.
        let markers = buffer.chunks().flat_map(|chunk| chunk.records()).filter_map(|record| match record {
            PackedRecord::Frame(_) => None,
            PackedRecord::Marker { time_secs, .. } => Some(time_secs),
        });
        Self { start_secs: markers.reduce(f64::min).unwrap_or(0.0), is_truncated }
    }

    /// The time of a marker relative to the start, or `None` if it was dropped with the frame before it. A marker from
    /// before the very first frame is at the start.
    fn marker_time(&self, time_secs: f64, last_frame_secs: f64) -> Option<f32> {
        let is_within = time_secs.min(last_frame_secs) >= self.start_secs;
        (is_within || !self.is_truncated).then(|| ((time_secs - self.start_secs) as f32).max(0.0))
    }
}

fn frames(buffer: &RecordBuffer) -> impl Iterator<Item = PackedFrame<'_>> {
    buffer.chunks().flat_map(|chunk| chunk.records()).filter_map(|record| match record {
        PackedRecord::Frame(frame) => Some(frame),
        PackedRecord::Marker { .. } => None,
    })
}

struct TakeBuilder {
    window: RecordingWindow,
    channels: Channels,
    builder: RecordingBuilder,
    markers: Vec<Marker>,
    frame_count: u64,
    last_frame_secs: f64,
    last_key_time: f32,
}

impl TakeBuilder {
    fn new(window: RecordingWindow, buffer: &RecordBuffer, channels: Channels) -> Self {
        let mut pose_keys = [0; POSE_COUNT];
        let mut gaze_keys = 0;
        for PackedFrame { present, .. } in frames(buffer).filter(|frame| frame.time_secs >= window.start_secs) {
            present.poses().for_each(|number| pose_keys[number] += 1);
            gaze_keys += usize::from(present.has_gaze());
        }
        let mut builder = RecordingBuilder::starting_at(window.start_secs);
        for (number, keys) in pose_keys.into_iter().enumerate().filter(|(_, keys)| *keys > 0) {
            builder.reserve_pose(pose_id(number), keys);
        }
        builder.reserve_gaze(gaze_keys);
        Self {
            window,
            channels,
            builder,
            markers: Vec::new(),
            frame_count: 0,
            last_frame_secs: f64::NEG_INFINITY,
            last_key_time: f32::NEG_INFINITY,
        }
    }

    fn push(&mut self, record: PackedRecord<'_>) {
        match record {
            PackedRecord::Frame(frame) => {
                self.last_frame_secs = frame.time_secs;
                let time = self.builder.key_time(frame.time_secs);
                // Two frames can be closer to each other than the 32 bits of a key resolve.
                if frame.time_secs >= self.window.start_secs && time > self.last_key_time {
                    self.last_key_time = time;
                    self.frame_count += u64::from(self.push_frame(frame).is_ok());
                }
            }
            PackedRecord::Marker { time_secs, name } => {
                let time = self.window.marker_time(time_secs, self.last_frame_secs);
                self.markers.extend(time.map(|time| Marker { time, name: name.to_owned() }));
            }
        }
    }

    fn push_frame(&mut self, mut frame: PackedFrame<'_>) -> Result<(), NotAfterLast> {
        let (time, present) = (frame.time_secs, frame.present);
        for number in present.poses() {
            let pose = Pose { position: frame.read_values(), rotation: frame.read_values() };
            self.builder.push_pose(pose_id(number), time, pose)?;
        }
        if present.has_gaze() {
            let ray = Ray { origin: frame.read_values(), direction: frame.read_values() };
            self.builder.push_gaze(time, ray)?;
        }
        if self.channels.hands {
            for hand in Hand::ALL {
                self.builder.push_flags(hand, time, present.is_tracked(hand), Some(present.is_pinching(hand)))?;
            }
        }
        self.builder.extend_to(time);
        Ok(())
    }

    fn finish(mut self) -> (Recording, u64) {
        let mut recording = self.builder.finish();
        let empty = Recording::with_channels(self.channels);
        recording.camera = recording.camera.or(empty.camera).filter(|_| self.channels.camera);
        recording.hands = recording.hands.or(empty.hands).filter(|_| self.channels.hands);
        recording.gaze = recording.gaze.or(empty.gaze).filter(|_| self.channels.gaze);
        self.markers.sort_by(|a, b| a.time.total_cmp(&b.time));
        recording.markers = self.markers.into();
        (recording, self.frame_count)
    }
}

fn pose_id(number: usize) -> PoseId {
    hand_joint(number).map_or(PoseId::Camera, |(hand, joint)| PoseId::Joint(hand, Joint::ALL[joint]))
}
