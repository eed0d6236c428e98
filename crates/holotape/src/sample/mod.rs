//! Sampling: evaluates all curves of a recording at one time or at many.

mod batch;
mod flag;
mod frame;
mod frame_limit;
mod key_time_index;
mod reference;
mod shared_tracks;
mod track;
mod windows;

pub use batch::{HandSamples, HandSamplesMut, PoseRow, RayRow, Samples, SamplesMut};
pub use frame::{Frame, HandFrame};
pub use frame_limit::FrameLimit;
pub(crate) use reference::{PoseSampler, RaySampler};
pub(crate) use shared_tracks::have_shared_keys;
pub use windows::{WindowSampler, WindowedRecording};

use std::ops::RangeInclusive;

use self::flag::CachedFlag;
use self::key_time_index::{KeyTimeIndex, SharedKeys, TimeCursor};
use self::track::{VectorTrack, VectorTracks};
use crate::error::{Error, Result};
use crate::{HandCurves, HandsCurves, Joint, Pose, PoseCurves, Ray, Recording, VectorKind, parallel};

/// Evaluates a recording at many times, in any order; increasing times are fastest.
///
/// It caches its position, so its methods need `&mut self`. It does not borrow the recording.
///
/// Values are those of [`Curve::value_at`](crate::Curve::value_at) and
/// [`PoseCurves::pose_at`](crate::PoseCurves::pose_at), with two exceptions. Hands have no poses while they are not
/// tracked, unless [`with_untracked_poses`](Self::with_untracked_poses) is set. And rotations take the short way between
/// keys of opposite sign, which devices write now and then.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut sampler = recording.sampler();
/// for time in sampler.times_at_rate(60.0) {
///     let frame = sampler.frame_at(time);
///     println!("{:.3} s: head at {:?}", frame.time, frame.camera.map(|head| head.position));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    key_times: KeyTimeIndex,
    head: HeadTracks,
    hands: Option<Box<[HandTracks; 2]>>,
    duration_secs: f64,
    untracked_poses: bool,
}

#[derive(Clone, Debug)]
struct HeadTracks {
    positions: VectorTracks<3>,
    rotations: VectorTracks<4>,
    directions: VectorTracks<3>,
    camera: Option<(VectorTrack<3>, VectorTrack<4>)>,
    gaze: Option<(VectorTrack<3>, VectorTrack<3>)>,
}

#[derive(Clone, Debug)]
struct HandTracks {
    tracked: CachedFlag,
    pinching: CachedFlag,
    positions: VectorTracks<3>,
    rotations: VectorTracks<4>,
    joints: [Option<(VectorTrack<3>, VectorTrack<4>)>; Joint::COUNT],
}

impl Sampler {
    pub(crate) fn new(recording: &Recording) -> Self {
        let mut keys = Vec::new();
        let mut head = HeadTracks::new(recording);
        head.register_keys(&mut keys);
        let mut hands = recording.hands.as_deref().map(|hands| Box::new(hand_tracks(hands)));
        hands.iter_mut().flat_map(|hands| hands.iter_mut()).for_each(|hand| hand.register_keys(&mut keys));
        let duration_secs = f64::from(recording.duration_secs());
        Self { key_times: KeyTimeIndex::new(keys), head, hands, duration_secs, untracked_poses: false }
    }

    /// Whether hands have poses while they are not tracked. These poses are interpolated, not recorded.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Times from 0 to the end of the recording at a rate; none if the rate is not finite and above 0.
    ///
    /// ```
    /// # let recording = holotape::Recording::default();
    /// assert_eq!(recording.sampler().times_at_rate(60.0).collect::<Vec<_>>(), [0.0]);
    /// assert_eq!(recording.sampler().times_at_rate(0.0).count(), 0);
    /// ```
    pub fn times_at_rate(&self, rate_hz: f64) -> impl Iterator<Item = f64> + use<> {
        times_at_rate(0.0..=self.duration_secs, rate_hz)
    }

    /// Evaluates all curves at one time.
    #[must_use]
    pub fn frame_at(&mut self, time_secs: f64) -> Frame {
        let mut frame = Frame::default();
        self.frame_into(time_secs, &mut frame);
        frame
    }

    /// Evaluates all curves at one time into an existing frame. Frames are large, so reusing one is faster.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let mut sampler = recording.sampler();
    /// let mut frame = sampler.frame_at(0.0);
    /// sampler.frame_into(0.5, &mut frame);
    /// assert_eq!(frame, sampler.frame_at(0.5));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn frame_into(&mut self, time_secs: f64, frame: &mut Frame) {
        let Self { key_times, head, hands, untracked_poses, .. } = self;
        let mut cursor = key_times.at(time_secs);
        frame.time = time_secs;
        head.evaluate(time_secs, &mut cursor, frame);
        let Some(hands) = hands else {
            (frame.left, frame.right) = (None, None);
            return;
        };
        for (hand, frame) in hands.iter_mut().zip([&mut frame.left, &mut frame.right]) {
            let frame = frame.get_or_insert(HandFrame::EMPTY);
            frame.tracked = hand.tracked.at(time_secs);
            frame.pinching = hand.pinching.at(time_secs);
            if frame.tracked || *untracked_poses {
                hand.evaluate(time_secs, &mut cursor, &mut frame.joints);
            } else {
                frame.joints = [None; Joint::COUNT];
            }
        }
    }
}

/// The tracks of both hands. Long recordings use one thread per hand.
fn hand_tracks(hands: &HandsCurves) -> [HandTracks; 2] {
    const MANY_KEYS: usize = 1 << 16;
    let HandsCurves { left, right } = hands;
    let key_count: usize = left.joints.iter().flat_map(|pose| &pose.position).map(|curve| curve.keys.len()).sum();
    if key_count < MANY_KEYS {
        return [left, right].map(HandTracks::new);
    }
    let tracks = parallel::map(vec![left, right], parallel::max_threads(), HandTracks::new);
    tracks.try_into().unwrap_or_else(|_| [left, right].map(HandTracks::new))
}

impl HeadTracks {
    fn new(recording: &Recording) -> Self {
        let mut positions = VectorTracks::new(VectorKind::Position);
        let mut rotations = VectorTracks::new(VectorKind::Rotation);
        let mut directions = VectorTracks::new(VectorKind::Direction);
        let camera = recording.camera.as_ref();
        let camera = camera.and_then(|pose| positions.add(&pose.position).zip(rotations.add(&pose.rotation)));
        let gaze = recording.gaze.as_ref();
        let gaze = gaze.and_then(|ray| positions.add(&ray.origin).zip(directions.add(&ray.direction)));
        Self { positions, rotations, directions, camera, gaze }
    }

    fn register_keys(&mut self, keys: &mut Vec<SharedKeys>) {
        self.positions.register_keys(keys);
        self.rotations.register_keys(keys);
        self.directions.register_keys(keys);
    }

    fn evaluate(&mut self, time: f64, cursor: &mut TimeCursor<'_>, frame: &mut Frame) {
        let Self { positions, rotations, directions, camera, gaze } = self;
        positions.evaluate_at(time, cursor);
        rotations.evaluate_at(time, cursor);
        directions.evaluate_at(time, cursor);
        frame.camera = camera.as_ref().map(|(position, rotation)| Pose {
            position: positions.values(position),
            rotation: rotations.values(rotation),
        });
        frame.gaze = gaze.as_ref().map(|(origin, direction)| Ray {
            origin: positions.values(origin),
            direction: directions.values(direction),
        });
    }
}

impl HandTracks {
    fn new(hand: &HandCurves) -> Self {
        let mut positions = VectorTracks::new(VectorKind::Position);
        let mut rotations = VectorTracks::new(VectorKind::Rotation);
        let joint = |pose: &PoseCurves| positions.add(&pose.position).zip(rotations.add(&pose.rotation));
        let joints = hand.joints.each_ref().map(joint);
        let [tracked, pinching] = [&hand.tracked, &hand.pinching].map(CachedFlag::new);
        Self { tracked, pinching, positions, rotations, joints }
    }

    fn register_keys(&mut self, keys: &mut Vec<SharedKeys>) {
        self.positions.register_keys(keys);
        self.rotations.register_keys(keys);
    }

    fn evaluate(&mut self, time: f64, cursor: &mut TimeCursor<'_>, poses: &mut [Option<Pose>; Joint::COUNT]) {
        let Self { positions, rotations, joints, .. } = self;
        positions.evaluate_at(time, cursor);
        rotations.evaluate_at(time, cursor);
        for (joint, slot) in joints.iter().zip(poses) {
            let Some((position, rotation)) = joint else {
                *slot = None;
                continue;
            };
            // Written in place: moving a pose here costs as much as all the arithmetic.
            let pose = slot.get_or_insert(Pose::IDENTITY);
            pose.position = positions.values(position);
            pose.rotation = rotations.values(rotation);
        }
    }
}

/// Returns an error if a rate is not finite and greater than 0.
///
/// ```
/// assert!(holotape::check_rate_hz(60.0).is_ok() && holotape::check_rate_hz(0.0).is_err());
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) with the rate.
pub fn check_rate_hz(rate_hz: f64) -> Result<()> {
    if rate_hz > 0.0 && rate_hz.is_finite() {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("invalid rate: {rate_hz} Hz; must be finite and greater than 0")))
}

/// Times of a span at a rate, from its start on. None if the rate is not finite and above 0, or if the span is not
/// finite.
///
/// ```
/// assert_eq!(holotape::times_at_rate(1.0..=2.0, 4.0).collect::<Vec<_>>(), [1.0, 1.25, 1.5, 1.75, 2.0]);
/// ```
pub fn times_at_rate(span_secs: RangeInclusive<f64>, rate_hz: f64) -> impl Iterator<Item = f64> + Clone {
    let (start, end) = span_secs.into_inner();
    // Computed from the index, not from the previous time: sums of steps drift.
    let time = move |n: u64| start + n as f64 / rate_hz;
    let steps = (end - start) * rate_hz;
    let has_times = rate_hz > 0.0 && rate_hz.is_finite() && steps >= 0.0 && steps.is_finite();
    // The product is rounded, so the last index may be one more or one less.
    let about = steps as u64;
    let last = [about.saturating_add(1), about].into_iter().find(|&n| time(n) <= end);
    let count = if has_times { last.map_or(about, |last| last.saturating_add(1)) } else { 0 };
    (0..count).map(time)
}
