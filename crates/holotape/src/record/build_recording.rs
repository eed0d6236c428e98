//! From a reel of records to curves with one key a frame.

use super::decode::{PackedFrame, PackedRecord};
use super::frame_mask::{FrameMask, POSE_COUNT};
use super::record_buffer::RecordBuffer;
use crate::format::Channels;
use crate::{BoolCurve, Curve, Hand, LinearKey, Marker, Recording};

/// The recording of a reel, and how many frames it has.
pub(super) fn build_recording(reel: RecordBuffer, channels: Channels) -> (Recording, u64) {
    let window = RecordingWindow::of(&reel);
    let mut tracks = Tracks::with_capacity_for(&window, &reel);
    for chunk in reel.into_chunks() {
        chunk.records().for_each(|record| tracks.push(&window, record));
    }
    tracks.into_recording(channels)
}

/// Which records are in the recording, and where it begins.
struct RecordingWindow {
    start_secs: f64,
    is_cut: bool,
}

impl RecordingWindow {
    fn of(reel: &RecordBuffer) -> Self {
        let oldest_secs = reel.oldest_secs();
        let mut is_cut = reel.has_dropped();
        for frame in frames(reel) {
            if frame.time_secs >= oldest_secs {
                return Self { start_secs: frame.time_secs, is_cut };
            }
            is_cut = true;
        }
        Self { start_secs: 0.0, is_cut }
    }

    /// The time of a key. What is stored is 32 bits, so the start is taken off before anything is rounded.
    fn key_time(&self, time_secs: f64) -> f32 {
        (time_secs - self.start_secs) as f32
    }

    /// The time of a marker that came behind a frame, unless it is forgotten with that. One from before the very first
    /// frame is at the start.
    fn marker_time(&self, time_secs: f64, behind_secs: f64) -> Option<f32> {
        let is_within = time_secs.min(behind_secs) >= self.start_secs;
        (is_within || !self.is_cut).then(|| self.key_time(time_secs).max(0.0))
    }
}

fn frames(reel: &RecordBuffer) -> impl Iterator<Item = PackedFrame<'_>> {
    reel.chunks().flat_map(|chunk| chunk.records()).filter_map(|record| match record {
        PackedRecord::Frame(frame) => Some(frame),
        PackedRecord::Marker { .. } => None,
    })
}

struct Tracks {
    poses: Vec<PoseTrack>,
    gaze: RayTrack,
    flags: [HandFlags; 2],
    markers: Vec<Marker>,
    frames: u64,
    /// The last record of a frame, and the last keys.
    last_secs: f64,
    last_time: f32,
}

impl Tracks {
    /// Tracks with just the room that the frames will need: what has to grow is copied, and grows too much.
    fn with_capacity_for(window: &RecordingWindow, reel: &RecordBuffer) -> Self {
        let mut pose_keys = [0; POSE_COUNT];
        let mut gaze_keys = 0;
        for PackedFrame { present, .. } in frames(reel).filter(|frame| frame.time_secs >= window.start_secs) {
            present.poses().for_each(|number| pose_keys[number] += 1);
            gaze_keys += usize::from(present.has_gaze());
        }
        Self {
            poses: pose_keys.into_iter().map(PoseTrack::with_capacity_for).collect(),
            gaze: RayTrack {
                origin: Track::with_capacity_for(gaze_keys),
                direction: Track::with_capacity_for(gaze_keys),
            },
            flags: Default::default(),
            markers: Vec::new(),
            frames: 0,
            last_secs: f64::NEG_INFINITY,
            last_time: f32::NEG_INFINITY,
        }
    }

    fn push(&mut self, window: &RecordingWindow, record: PackedRecord<'_>) {
        match record {
            PackedRecord::Frame(frame) => {
                self.last_secs = frame.time_secs;
                if frame.time_secs >= window.start_secs {
                    self.push_frame(window.key_time(frame.time_secs), frame);
                }
            }
            PackedRecord::Marker { time_secs, name } => {
                let marker = |time| Marker { time, name: name.to_owned() };
                self.markers.extend(window.marker_time(time_secs, self.last_secs).map(marker));
            }
        }
    }

    fn push_frame(&mut self, time: f32, mut frame: PackedFrame<'_>) {
        if time <= self.last_time {
            return; // Nearer to the frame before than 32 bits can tell.
        }
        self.last_time = time;
        self.frames += 1;
        let present = frame.present;
        for number in present.poses() {
            let (position, rotation) = (frame.read_values(), frame.read_values());
            self.poses[number].push(time, position, rotation);
        }
        if present.has_gaze() {
            self.gaze.origin.push(time, frame.read_values());
            self.gaze.direction.push(time, frame.read_values());
        }
        for (flags, hand) in self.flags.iter_mut().zip(Hand::ALL) {
            flags.push(time, present, hand);
        }
    }

    /// Gives the flags a key at the last frame if nothing else has one there: a recording is as long as its curves. Where
    /// hands are not recorded, head and eyes get one, with what they hold anyway.
    fn finish_flags(&mut self, channels: Channels) {
        let last_time = self.last_time;
        let has_keys_at_end = |keys: &Vec<LinearKey>| keys.last().is_some_and(|last| last.time == last_time);
        let mut positions = self.poses.iter().map(|pose| &pose.position).chain([&self.gaze.origin]);
        let is_closed = positions.any(|Track([x, ..])| has_keys_at_end(x));
        drop(positions);
        if is_closed {
            return;
        }
        if !channels.hands {
            if let Some(camera) = self.poses.first_mut() {
                camera.position.hold_until(last_time);
                camera.rotation.hold_until(last_time);
            }
            self.gaze.origin.hold_until(last_time);
            self.gaze.direction.hold_until(last_time);
            return;
        }
        for flags in &mut self.flags {
            let state = flags.tracked.last().filter(|last| last.time < last_time).map(|last| last.value);
            flags.tracked.extend(state.map(|value| LinearKey::new(last_time, value)));
        }
    }

    fn into_recording(mut self, channels: Channels) -> (Recording, u64) {
        self.finish_flags(channels);
        let mut recording = Recording::with_channels(Channels::ALL);
        for ((_, curves), track) in recording.poses_mut().zip(self.poses) {
            curves.position = track.position.into_curves();
            curves.rotation = track.rotation.into_curves();
        }
        if let Some(gaze) = &mut recording.gaze {
            gaze.origin = self.gaze.origin.into_curves();
            gaze.direction = self.gaze.direction.into_curves();
        }
        for (flags, hand) in self.flags.into_iter().zip(Hand::ALL) {
            let curves = recording.hand_mut(hand);
            curves.tracked = BoolCurve::from_iter(flags.tracked);
            curves.pinching = BoolCurve::from_iter(flags.pinching);
        }
        self.markers.sort_by(|a, b| a.time.total_cmp(&b.time));
        recording.markers = self.markers.into();
        recording.camera = recording.camera.filter(|_| channels.camera);
        recording.hands = recording.hands.filter(|_| channels.hands);
        recording.gaze = recording.gaze.filter(|_| channels.gaze);
        (recording, self.frames)
    }
}

/// Curves that share their key times.
struct Track<const N: usize>([Vec<LinearKey>; N]);

impl<const N: usize> Track<N> {
    fn with_capacity_for(keys: usize) -> Self {
        Self(std::array::from_fn(|_| Vec::with_capacity(keys)))
    }

    fn push(&mut self, time: f32, values: [f32; N]) {
        for (keys, value) in self.0.iter_mut().zip(values) {
            keys.push(LinearKey::new(time, value));
        }
    }

    /// Repeats the last key, if there is one, at a later time.
    fn hold_until(&mut self, time: f32) {
        for keys in &mut self.0 {
            let last = keys.last().filter(|last| last.time < time).map(|last| last.value);
            keys.extend(last.map(|value| LinearKey::new(time, value)));
        }
    }

    fn into_curves(self) -> [Curve; N] {
        self.0.map(Curve::from_iter)
    }
}

struct RayTrack {
    origin: Track<3>,
    direction: Track<3>,
}

struct PoseTrack {
    position: Track<3>,
    rotation: Track<4>,
    last: [f32; 4],
}

impl PoseTrack {
    fn with_capacity_for(keys: usize) -> Self {
        Self { position: Track::with_capacity_for(keys), rotation: Track::with_capacity_for(keys), last: [0.0; 4] }
    }

    /// Of the two quaternions of a rotation it takes the one nearer to the key before, so that what lies between the
    /// keys is a rotation too.
    fn push(&mut self, time: f32, position: [f32; 3], rotation: [f32; 4]) {
        let dot: f64 = self.last.iter().zip(rotation).map(|(&a, b)| f64::from(a) * f64::from(b)).sum();
        self.last = if dot < 0.0 { rotation.map(|value| -value) } else { rotation };
        self.position.push(time, position);
        self.rotation.push(time, self.last);
    }
}

/// Flags have keys where they change.
#[derive(Default)]
struct HandFlags {
    tracked: Vec<LinearKey>,
    pinching: Vec<LinearKey>,
}

impl HandFlags {
    fn push(&mut self, time: f32, present: FrameMask, hand: Hand) {
        let states = [(&mut self.tracked, present.is_tracked(hand)), (&mut self.pinching, present.is_pinching(hand))];
        for (keys, state) in states {
            let value = f32::from(u8::from(state));
            if keys.last().is_none_or(|last| last.value != value) {
                keys.push(LinearKey::new(time, value));
            }
        }
    }
}
