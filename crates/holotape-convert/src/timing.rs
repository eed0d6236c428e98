//! At which times a recording becomes frames, and what lies between them.

use holotape::{
    Curve, CurveRef, Error, ErrorKind, Frame, Hand, HandFrame, Keys, Pose, PoseId, Ray, Recording, Result,
    times_at_rate,
};

use crate::{Loss, LossKind};

/// More than a day at a thousand a second: nobody waits for that.
const MOST_TIMES: f64 = 1e8;

/// What is nearer than this to what it should be was not lost.
pub(crate) const NOTICEABLE_M: f64 = 1e-6;
pub(crate) const NOTICEABLE_DEG: f64 = 1e-3;

/// The times that a recording is written at.
///
/// ```
/// use holotape_convert::Timing;
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// assert_eq!(Timing::Rate(10.0).times(&take)?.len(), 11);
/// assert_eq!(Timing::Keys.times(&take)?.len(), 61);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Timing {
    /// Wherever any curve has a key: nothing that was recorded lies between.
    #[default]
    Keys,
    /// So many times a second, from 0 to the end.
    Rate(f64),
}

impl Timing {
    /// The times in seconds, rising.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the rate is not a number above 0, [`ErrorKind::LimitExceeded`] if there are more than a
    /// hundred million times, as in a recording with a key at 10³⁰ seconds.
    pub fn times(self, recording: &Recording) -> Result<Vec<f64>> {
        match self {
            Self::Keys => Ok(key_times(recording)),
            Self::Rate(rate_hz) => {
                let end = f64::from(recording.duration_secs());
                if !(rate_hz > 0.0 && rate_hz.is_finite()) {
                    return Err(Error::new(ErrorKind::Invalid, format!("{rate_hz} is no rate")));
                }
                if !(end * rate_hz <= MOST_TIMES) {
                    let message = format!("{rate_hz} times a second for {end} seconds are too many");
                    return Err(Error::new(ErrorKind::LimitExceeded, message));
                }
                Ok(times_at_rate(0.0..=end, rate_hz).collect())
            }
        }
    }

    /// What is lost between times that were made by this, if frames are read with straight lines between them.
    pub(crate) fn loss(self, recording: &Recording, times: &[f64]) -> Option<Loss> {
        let is_curved = recording.curves().any(|(_, curve)| is_curved(curve));
        // A rotation between two keys is not where it was if it has another key on the way.
        let is_bent = is_curved || has_frames_between_keys(recording, times);
        if self == Self::Keys && !is_bent {
            return None;
        }
        let (distance_m, angle_deg) = Gap::widest(recording, times, is_bent);
        (distance_m > NOTICEABLE_M || angle_deg > NOTICEABLE_DEG).then(|| {
            let words = format!(
                "what lies between the frames: up to {:.3} mm and {angle_deg:.3}° from straight lines",
                distance_m * 1e3
            );
            Loss::new(if is_curved { LossKind::Tangents } else { LossKind::Resampled }, words)
        })
    }

    /// The rate for formats that have a fixed one: as given, or the one that most frames were recorded at, or 60.
    pub(crate) fn rate_hz(self, recording: &Recording) -> f64 {
        match self {
            Self::Rate(rate_hz) => rate_hz,
            Self::Keys => usual_rate_hz(&key_times(recording)).unwrap_or(60.0),
        }
    }
}

/// The times of all keys, rising, each once. Keys at no time at all (NaN, infinities) are passed over.
fn key_times(recording: &Recording) -> Vec<f64> {
    let mut times: Vec<f32> = Vec::new();
    let mut last: Vec<f32> = Vec::new();
    for (_, curve) in recording.curves() {
        let curve_times: Vec<f32> = match curve {
            CurveRef::Float(curve) => curve.keys.iter().map(|key| key.time).collect(),
            CurveRef::Bool(curve) => curve.keys.iter().map(|key| key.time).collect(),
        };
        // Most curves share their times with the one before.
        if curve_times != last {
            times.extend(curve_times.iter().filter(|time| time.is_finite()));
            last = curve_times;
        }
    }
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times.into_iter().map(f64::from).collect()
}

/// The rate of the median step between times, if it is one that a device could have; a whole number if it is near one.
fn usual_rate_hz(times: &[f64]) -> Option<f64> {
    let mut steps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable_by(f64::total_cmp);
    let rate_hz = 1.0 / steps.get(steps.len() / 2)?;
    let whole = rate_hz.round();
    let rate_hz = if (rate_hz - whole).abs() < 0.01 * whole { whole } else { rate_hz };
    (1.0..=1000.0).contains(&rate_hz).then_some(rate_hz)
}

fn is_curved(curve: CurveRef<'_>) -> bool {
    matches!(curve, CurveRef::Float(Curve { keys: Keys::Bezier(keys), .. }) if !keys.iter().all(holotape::BezierKey::is_linear))
}

/// Whether there are frames between two keys of any pose, where it is there.
fn has_frames_between_keys(recording: &Recording, times: &[f64]) -> bool {
    let flags = Hand::ALL.map(|hand| recording.hand(hand).tracked.evaluator());
    recording.poses().any(|(id, pose)| {
        let is_there = |time: f64| match id {
            PoseId::Camera => true,
            PoseId::Joint(hand, _) => flags[hand as usize].value_at(time),
        };
        let mut keys = pose.rotation[3].keys.iter().map(|key| f64::from(key.time)).peekable();
        let Some(first) = keys.peek().copied() else { return false };
        times.iter().skip_while(|time| **time < first).any(|time| {
            while keys.next_if(|key| key < time).is_some() {}
            keys.peek().is_some_and(|key| key > time) && is_there(*time)
        })
    })
}

/// Two frames that were written and the straight lines between them.
struct Gap<'a> {
    before: &'a Frame,
    after: &'a Frame,
}

impl Gap<'_> {
    /// The widest distances between a recording and straight lines between its frames: at every key between two frames,
    /// and where curves are not straight there in the middle between them as well.
    fn widest(recording: &Recording, times: &[f64], is_bent: bool) -> (f64, f64) {
        let mut sampler = recording.sampler();
        let keys = key_times(recording);
        let (mut before, mut after, mut truth) = (Frame::default(), Frame::default(), Frame::default());
        let mut widest = (0.0_f64, 0.0_f64);
        for pair in times.windows(2) {
            let within =
                &keys[keys.partition_point(|time| *time <= pair[0])..keys.partition_point(|time| *time < pair[1])];
            let middle = is_bent.then_some(f64::midpoint(pair[0], pair[1]));
            if within.is_empty() && middle.is_none() {
                continue;
            }
            sampler.frame_into(pair[0], &mut before);
            sampler.frame_into(pair[1], &mut after);
            for time in within.iter().copied().chain(middle) {
                sampler.frame_into(time, &mut truth);
                let (distance_m, angle_deg) = Gap { before: &before, after: &after }.distance(&truth);
                widest = (widest.0.max(distance_m), widest.1.max(angle_deg));
            }
        }
        widest
    }

    /// How far a frame between the two is from the straight lines between them.
    fn distance(&self, truth: &Frame) -> (f64, f64) {
        let share = (truth.time - self.before.time) / (self.after.time - self.before.time);
        let pose = |before: &Option<Pose>, after: &Option<Pose>, truth: &Option<Pose>| {
            let between = pose_between(before.as_ref()?, after.as_ref()?, share as f32);
            let truth = truth.as_ref()?;
            Some((truth.distance_m(&between), truth.angle_deg(&between)))
        };
        let camera = pose(&self.before.camera, &self.after.camera, &truth.camera);
        let gaze = || {
            let between = ray_between(self.before.gaze.as_ref()?, self.after.gaze.as_ref()?, share as f32);
            let truth = truth.gaze.as_ref()?;
            Some((truth.distance_m(&between), truth.angle_deg(&between)))
        };
        let hand = |hand| Some((self.before.hand(hand)?, self.after.hand(hand)?, truth.hand(hand)?));
        let joints = Hand::ALL.into_iter().filter_map(hand).flat_map(
            |(before, after, truth): (&HandFrame, &HandFrame, &HandFrame)| {
                let each = before.joints.iter().zip(&after.joints).zip(&truth.joints);
                each.filter_map(|((before, after), truth)| pose(before, after, truth)).collect::<Vec<_>>()
            },
        );
        let all = camera.into_iter().chain(gaze()).chain(joints);
        // max() passes over NaN, of curves that have some.
        all.fold((0.0, 0.0), |widest, (m, deg)| (widest.0.max(m), widest.1.max(deg)))
    }
}

fn pose_between(before: &Pose, after: &Pose, share: f32) -> Pose {
    let dot: f32 = before.rotation.iter().zip(after.rotation).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    Pose {
        position: std::array::from_fn(|i| mix(before.position[i], after.position[i], share)),
        rotation: std::array::from_fn(|i| mix(before.rotation[i], sign * after.rotation[i], share)),
    }
}

fn ray_between(before: &Ray, after: &Ray, share: f32) -> Ray {
    Ray {
        origin: std::array::from_fn(|i| mix(before.origin[i], after.origin[i], share)),
        direction: std::array::from_fn(|i| mix(before.direction[i], after.direction[i], share)),
    }
}

fn mix(before: f32, after: f32, share: f32) -> f32 {
    before + (after - before) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_rate_is_that_of_most_steps() {
        let times: Vec<_> = (0..100).map(|n| f64::from(n) / 72.0).filter(|time| !(0.4..0.6).contains(time)).collect();
        assert_eq!(usual_rate_hz(&times), Some(72.0));
        assert_eq!(usual_rate_hz(&[0.0, 1e-9]), None);
        assert_eq!(usual_rate_hz(&[0.0]), None);
    }
}
