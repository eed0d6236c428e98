//! Whole instants of a recording: everything at one time, at many times.

mod batch;
mod flag;
mod frame;
mod key_time_index;
mod reference;
mod shared_tracks;
mod track;

pub use batch::{HandSamples, HandSamplesMut, PoseRow, RayRow, Samples, SamplesMut};
pub use frame::{Frame, HandFrame};
pub(crate) use reference::{PoseSampler, RaySampler};
pub(crate) use shared_tracks::have_shared_keys;

use std::ops::RangeInclusive;
use std::thread;

use self::flag::CachedFlag;
use self::key_time_index::{KeyTimeIndex, SharedKeys, TimeCursor};
use self::track::{VectorTrack, VectorTracks};
use crate::{HandCurves, HandsCurves, Joint, Pose, PoseCurves, Ray, Recording, VectorKind};

/// A recording made ready for evaluation at many times, in any order; fastest forwards.
///
/// It remembers where it was, so it has to be mutable, and keeps what it needs, so the recording may go.
///
/// The values are those of [`Curve::value_at`](crate::Curve::value_at), poses as by
/// [`PoseCurves::pose_at`](crate::PoseCurves::pose_at), but for two things: a hand that was not tracked has no poses
/// unless asked for, and rotations take the short way where neighbouring keys have opposite signs, as devices now and
/// then write them.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut sampler = take.sampler();
/// for time in sampler.times_at_rate(60.0) {
///     let frame = sampler.frame_at(time);
///     println!("{:.3} s: head at {:?}", frame.time, frame.camera.map(|head| head.position));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    clock: KeyTimeIndex,
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
        let mut bundles = Vec::new();
        let mut head = HeadTracks::new(recording);
        head.put_on_clock(&mut bundles);
        let mut hands = recording.hands.as_deref().map(|hands| Box::new(hand_tracks(hands)));
        hands.iter_mut().flat_map(|hands| hands.iter_mut()).for_each(|hand| hand.put_on_clock(&mut bundles));
        let duration_secs = f64::from(recording.duration_secs());
        Self { clock: KeyTimeIndex::new(bundles), head, hands, duration_secs, untracked_poses: false }
    }

    /// Whether a hand has poses where it was not tracked. Nobody recorded them: they are what the curves happen to
    /// be between the key before and the key after.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Times from 0 to the end of the recording, so many a second; none if the rate is not a number above 0.
    ///
    /// ```
    /// # let take = holotape::Recording::default();
    /// assert_eq!(take.sampler().times_at_rate(60.0).collect::<Vec<_>>(), [0.0]);
    /// assert_eq!(take.sampler().times_at_rate(0.0).count(), 0);
    /// ```
    pub fn times_at_rate(&self, rate_hz: f64) -> impl Iterator<Item = f64> + use<> {
        times_at_rate(0.0..=self.duration_secs, rate_hz)
    }

    /// Everything at one time.
    #[must_use]
    pub fn frame_at(&mut self, time_secs: f64) -> Frame {
        let mut frame = Frame::default();
        self.frame_into(time_secs, &mut frame);
        frame
    }

    /// Everything at one time, into a frame that is there already: a frame is large.
    ///
    /// ```
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let mut sampler = take.sampler();
    /// let mut frame = sampler.frame_at(0.0);
    /// sampler.frame_into(0.5, &mut frame);
    /// assert_eq!(frame, sampler.frame_at(0.5));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn frame_into(&mut self, time_secs: f64, frame: &mut Frame) {
        let Self { clock, head, hands, untracked_poses, .. } = self;
        let mut place = clock.at(time_secs);
        frame.time = time_secs;
        head.evaluate(time_secs, &mut place, frame);
        let Some(hands) = hands else {
            (frame.left, frame.right) = (None, None);
            return;
        };
        for (hand, frame) in hands.iter_mut().zip([&mut frame.left, &mut frame.right]) {
            let frame = frame.get_or_insert(HandFrame::EMPTY);
            frame.tracked = hand.tracked.at(time_secs);
            frame.pinching = hand.pinching.at(time_secs);
            if frame.tracked || *untracked_poses {
                hand.evaluate(time_secs, &mut place, &mut frame.joints);
            } else {
                frame.joints = [None; Joint::COUNT];
            }
        }
    }
}

/// Both hands; of long recordings each on a core of its own.
fn hand_tracks(hands: &HandsCurves) -> [HandTracks; 2] {
    const MANY_KEYS: usize = 1 << 16;
    let HandsCurves { left, right } = hands;
    let key_count: usize = left.joints.iter().flat_map(|pose| &pose.position).map(|curve| curve.keys.len()).sum();
    if key_count < MANY_KEYS {
        return [left, right].map(HandTracks::new);
    }
    thread::scope(|scope| {
        let other = scope.spawn(|| HandTracks::new(right));
        let left = HandTracks::new(left);
        [left, other.join().unwrap_or_else(|_| HandTracks::new(right))]
    })
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

    fn put_on_clock(&mut self, bundles: &mut Vec<SharedKeys>) {
        self.positions.register_keys(bundles);
        self.rotations.register_keys(bundles);
        self.directions.register_keys(bundles);
    }

    fn evaluate(&mut self, time: f64, place: &mut TimeCursor<'_>, frame: &mut Frame) {
        let Self { positions, rotations, directions, camera, gaze } = self;
        positions.evaluate_at(time, place);
        rotations.evaluate_at(time, place);
        directions.evaluate_at(time, place);
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

    fn put_on_clock(&mut self, bundles: &mut Vec<SharedKeys>) {
        self.positions.register_keys(bundles);
        self.rotations.register_keys(bundles);
    }

    fn evaluate(&mut self, time: f64, place: &mut TimeCursor<'_>, poses: &mut [Option<Pose>; Joint::COUNT]) {
        let Self { positions, rotations, joints, .. } = self;
        positions.evaluate_at(time, place);
        rotations.evaluate_at(time, place);
        for (joint, slot) in joints.iter().zip(poses) {
            let Some((position, rotation)) = joint else {
                *slot = None;
                continue;
            };
            // In place: a pose made elsewhere and moved here costs as much as all the arithmetic.
            let pose = slot.get_or_insert(Pose::IDENTITY);
            pose.position = positions.values(position);
            pose.rotation = rotations.values(rotation);
        }
    }
}

/// Times of a span, so many a second from its start on; none if the rate is not a number above 0, or the span has no
/// end.
///
/// ```
/// assert_eq!(holotape::times_at_rate(1.0..=2.0, 4.0).collect::<Vec<_>>(), [1.0, 1.25, 1.5, 1.75, 2.0]);
/// ```
pub fn times_at_rate(span_secs: RangeInclusive<f64>, rate_hz: f64) -> impl Iterator<Item = f64> + Clone {
    let (start, end) = span_secs.into_inner();
    // Each time from its number, not from the time before: sums of steps drift.
    let time = move |n: u64| start + n as f64 / rate_hz;
    let steps = (end - start) * rate_hz;
    let has_times = rate_hz > 0.0 && rate_hz.is_finite() && steps >= 0.0 && steps.is_finite();
    // The product is rounded, so the last time may be one further or one less.
    let about = steps as u64;
    let last = [about.saturating_add(1), about].into_iter().find(|&n| time(n) <= end);
    let count = if has_times { last.map_or(about, |last| last.saturating_add(1)) } else { 0 };
    (0..count).map(time)
}
