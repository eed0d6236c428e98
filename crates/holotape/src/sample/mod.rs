//! Whole instants of a recording: everything at one time, at many times.

mod frame;

pub use frame::{Frame, HandFrame};

use std::ops::RangeInclusive;

use crate::curve::{BoolEvaluator, CurveEvaluator};
use crate::pose::{to_f32, unit_quaternion, unit_vector};
use crate::{Curve, Hand, Joint, Pose, PoseCurves, Ray, RayCurves, Recording};

/// A recording made ready for evaluation at many times.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// let sampler = take.sampler();
/// for time in sampler.times_at_rate(60.0) {
///     let frame = sampler.frame_at(time);
///     println!("{:.3} s: head at {:?}", frame.time, frame.camera.map(|head| head.position));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    camera: Option<PoseSampler<'a>>,
    gaze: Option<RaySampler<'a>>,
    hands: Option<Box<[HandSampler<'a>; 2]>>,
    duration_secs: f64,
    untracked_poses: bool,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(recording: &'a Recording) -> Self {
        let hands = || Box::new(Hand::ALL.map(|hand| HandSampler::new(recording, hand)));
        Self {
            camera: recording.camera.as_ref().map(PoseSampler::new),
            gaze: recording.gaze.as_ref().map(RaySampler::new),
            hands: recording.hands.is_some().then(hands),
            duration_secs: f64::from(recording.duration_secs()),
            untracked_poses: false,
        }
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
    pub fn frame_at(&self, time_secs: f64) -> Frame {
        let hand = |hand: Hand| Some(self.hands.as_ref()?[hand as usize].at(time_secs, self.untracked_poses));
        Frame {
            time: time_secs,
            camera: self.camera.as_ref().and_then(|camera| camera.at(time_secs)),
            gaze: self.gaze.as_ref().and_then(|gaze| gaze.at(time_secs)),
            left: hand(Hand::Left),
            right: hand(Hand::Right),
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
    let steps = (end - start) * rate_hz;
    let is_rate = rate_hz > 0.0 && rate_hz.is_finite();
    let count = if is_rate && steps >= 0.0 && steps.is_finite() { (steps as u64).saturating_add(1) } else { 0 };
    // Each time from its number, not from the time before: sums of steps drift.
    (0..count).map(move |n| start + n as f64 / rate_hz)
}

#[derive(Clone, Debug)]
struct HandSampler<'a> {
    tracked: BoolEvaluator<'a>,
    pinching: BoolEvaluator<'a>,
    joints: [PoseSampler<'a>; Joint::COUNT],
}

impl<'a> HandSampler<'a> {
    fn new(recording: &'a Recording, hand: Hand) -> Self {
        let hand = recording.hand(hand);
        Self {
            tracked: hand.tracked.evaluator(),
            pinching: hand.pinching.evaluator(),
            joints: hand.joints.each_ref().map(PoseSampler::new),
        }
    }

    fn at(&self, time_secs: f64, untracked_poses: bool) -> HandFrame {
        let tracked = self.tracked.value_at(time_secs);
        let has_poses = tracked || untracked_poses;
        let joint = |joint: &PoseSampler<'_>| if has_poses { joint.at(time_secs) } else { None };
        HandFrame { tracked, pinching: self.pinching.value_at(time_secs), joints: self.joints.each_ref().map(joint) }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PoseSampler<'a> {
    position: [CurveEvaluator<'a>; 3],
    rotation: [CurveEvaluator<'a>; 4],
}

impl<'a> PoseSampler<'a> {
    pub(crate) fn new(curves: &'a PoseCurves) -> Self {
        Self {
            position: curves.position.each_ref().map(Curve::evaluator),
            rotation: curves.rotation.each_ref().map(Curve::evaluator),
        }
    }

    pub(crate) fn at(&self, time_secs: f64) -> Option<Pose> {
        Some(Pose {
            position: to_f32(values_at(&self.position, time_secs)?),
            rotation: unit_quaternion(values_at(&self.rotation, time_secs)?),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RaySampler<'a> {
    origin: [CurveEvaluator<'a>; 3],
    direction: [CurveEvaluator<'a>; 3],
}

impl<'a> RaySampler<'a> {
    pub(crate) fn new(curves: &'a RayCurves) -> Self {
        Self {
            origin: curves.origin.each_ref().map(Curve::evaluator),
            direction: curves.direction.each_ref().map(Curve::evaluator),
        }
    }

    pub(crate) fn at(&self, time_secs: f64) -> Option<Ray> {
        Some(Ray {
            origin: to_f32(values_at(&self.origin, time_secs)?),
            direction: unit_vector(values_at(&self.direction, time_secs)?),
        })
    }
}

fn values_at<const N: usize>(curves: &[CurveEvaluator<'_>; N], time_secs: f64) -> Option<[f64; N]> {
    let mut values = [0.0; N];
    for (value, curve) in values.iter_mut().zip(curves) {
        *value = curve.value_at(time_secs)?;
    }
    Some(values)
}
