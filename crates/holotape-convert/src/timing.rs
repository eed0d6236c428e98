//! At which times a recording becomes frames, and what lies between them.

use holotape::{
    Curve, CurveId, CurveRef, Error, ErrorKind, Frame, Hand, Joint, Pose, PoseComponent, Ray, RayComponent, Recording,
    Result, Sampler, align_sign, times_at_rate,
};

use crate::curve::{self, densify, has_repeating_wrap, is_piecewise_linear};
use crate::{Loss, LossKind};

/// More than a day at a thousand a second: nobody waits for that.
const MAX_TIMES: f64 = 1e8;

/// What is nearer than this to what it should be was not lost.
pub(crate) const NOTICEABLE_M: f64 = 1e-6;
pub(crate) const NOTICEABLE_DEG: f64 = 1e-3;

/// The times that a recording is written at.
///
/// ```
/// use holotape_convert::Timing;
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
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
                if end * rate_hz > MAX_TIMES {
                    let message = format!("{rate_hz} times a second for {end} seconds are too many");
                    return Err(Error::new(ErrorKind::LimitExceeded, message));
                }
                Ok(times_at_rate(0.0..=end, rate_hz).collect())
            }
        }
    }

    /// What is lost between times that were made by this, if frames are read with straight lines between them and the
    /// first and the last hold beyond.
    pub(crate) fn loss(self, recording: &Recording, times: &[f64]) -> Option<Loss> {
        let is_curved =
            recording.curves().any(|(_, curve)| matches!(curve, CurveRef::Float(curve) if !is_piecewise_linear(curve)));
        let repeats = recording.curves().any(|(_, curve)| has_repeating_wrap(curve));
        let shares: &[f64] = match is_curved {
            true => &SAMPLE_FRACTIONS,
            // A rotation between two keys is not where it was if it has another key on the way.
            false if repeats || has_frames_between_keys(recording, times) => &[0.5],
            false => &[],
        };
        if times.is_empty() || self == Self::Keys && shares.is_empty() {
            return None;
        }
        let rate_hz = repeats.then(|| Self::Keys.rate_hz(recording));
        let LinearityCheck { distance_m, angle_deg, hidden, .. } =
            LinearityCheck::checked(recording, times, shares, rate_hz);
        let moved = (distance_m > NOTICEABLE_M || angle_deg > NOTICEABLE_DEG)
            .then(|| format!("up to {:.3} mm and {angle_deg:.3}° from straight lines", distance_m * 1e3));
        let hidden = (hidden > 0).then(|| format!("hands or pinches that came and went ({hidden})"));
        let message: Vec<_> = moved.into_iter().chain(hidden).collect();
        let kind = if is_curved { LossKind::Tangents } else { LossKind::Resampled };
        (!message.is_empty()).then(|| Loss::new(kind, format!("what lies between the frames: {}", message.join("; "))))
    }

    /// The rate for formats that have a fixed one: as given, or the one that most frames were recorded at, or 60.
    pub(crate) fn rate_hz(self, recording: &Recording) -> f64 {
        match self {
            Self::Rate(rate_hz) => rate_hz,
            Self::Keys => median_rate_hz(&key_times(recording)).unwrap_or(60.0),
        }
    }
}

/// The times of all keys, rising, each once. Keys at no time at all (NaN, infinities) are passed over.
fn key_times(recording: &Recording) -> Vec<f64> {
    let times = curve::merge_times(recording.curves().map(|(_, curve)| curve::key_times(curve)));
    times.into_iter().map(f64::from).collect()
}

/// The rate of the median step between times, if it is one that a device could have; a whole number if it is near one.
fn median_rate_hz(times: &[f64]) -> Option<f64> {
    let mut steps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable_by(f64::total_cmp);
    let rate_hz = 1.0 / steps.get(steps.len() / 2)?;
    let whole = rate_hz.round();
    let rate_hz = if (rate_hz - whole).abs() < 0.01 * whole { whole } else { rate_hz };
    (1.0..=1000.0).contains(&rate_hz).then_some(rate_hz)
}

/// Whether there are frames between two keys of anything that turns, where it is there.
fn has_frames_between_keys(recording: &Recording, times: &[f64]) -> bool {
    let flags = Hand::ALL.map(|hand| recording.hand(hand).tracked.evaluator());
    recording.curves().any(|(id, curve)| {
        let is_there = |time: f64| match id {
            CurveId::Joint(hand, ..) => flags[hand as usize].value_at(time),
            _ => true,
        };
        matches!(curve, CurveRef::Float(curve) if is_rotation_component(id) && has_times_between_keys(curve, times, is_there))
    })
}

fn is_rotation_component(id: CurveId) -> bool {
    match id {
        CurveId::Camera(part) | CurveId::Joint(_, _, part) => part >= PoseComponent::RotationX,
        CurveId::Gaze(part) => part >= RayComponent::DirectionX,
        CurveId::Tracked(_) | CurveId::Pinching(_) => false,
    }
}

fn has_times_between_keys(curve: &Curve, times: &[f64], is_there: impl Fn(f64) -> bool) -> bool {
    let mut keys = curve.keys.iter().map(|key| f64::from(key.time)).peekable();
    let Some(first) = keys.peek().copied() else { return false };
    times.iter().skip_while(|time| **time < first).any(|time| {
        while keys.next_if(|key| key < time).is_some() {}
        keys.peek().is_some_and(|key| key > time) && is_there(*time)
    })
}

/// Where in a span between two keys a curve is looked at: cubic ones are farthest from a straight line near one of these,
/// steps at the end.
const SAMPLE_FRACTIONS: [f64; 6] = [0.2, 0.35, 0.5, 0.65, 0.8, 0.999];

/// The straight lines between frames that were written, and how far the recording is from them.
struct LinearityCheck<'a> {
    times: &'a [f64],
    sampler: Sampler,
    /// Which frames are around the time looked at.
    span: Option<(usize, usize)>,
    before: Frame,
    after: Frame,
    truth: Frame,
    distance_m: f64,
    angle_deg: f64,
    /// Spans in which a flag changes and changes back.
    hidden: usize,
    is_span_hidden: bool,
}

impl<'a> LinearityCheck<'a> {
    /// At every key, which is where curves that are straight themselves are farthest; where they are curved also between;
    /// and so many times a second where they move far from any key.
    fn checked(recording: &Recording, times: &'a [f64], shares: &[f64], rate_hz: Option<f64>) -> Self {
        let mut lines = Self::new(recording, times);
        let mut bends = [&key_times(recording), times].concat();
        bends.sort_unstable_by(f64::total_cmp);
        bends.dedup();
        if let Some(rate_hz) = rate_hz {
            bends = densify(&bends, rate_hz);
        }
        for (n, &bend) in bends.iter().enumerate() {
            lines.check(bend);
            let next = bends.get(n + 1).copied().unwrap_or(bend);
            shares.iter().for_each(|share| lines.check(bend + share * (next - bend)));
        }
        lines
    }

    fn new(recording: &Recording, times: &'a [f64]) -> Self {
        let (before, after, truth) = Default::default();
        Self {
            times,
            sampler: recording.sampler(),
            span: None,
            before,
            after,
            truth,
            distance_m: 0.0,
            angle_deg: 0.0,
            hidden: 0,
            is_span_hidden: false,
        }
    }

    fn check(&mut self, time: f64) {
        let next = self.times.partition_point(|frame| *frame < time);
        if self.times.get(next) == Some(&time) {
            return;
        }
        self.load_segment(next.saturating_sub(1), next.min(self.times.len() - 1));
        self.sampler.frame_into(time, &mut self.truth);
        let (distance_m, angle_deg) = self.distance();
        (self.distance_m, self.angle_deg) = (self.distance_m.max(distance_m), self.angle_deg.max(angle_deg));
        if !self.is_span_hidden && self.misses_flag_change() {
            self.is_span_hidden = true;
            self.hidden += 1;
        }
    }

    fn load_segment(&mut self, before: usize, after: usize) {
        if self.span != Some((before, after)) {
            self.span = Some((before, after));
            self.is_span_hidden = false;
            self.sampler.frame_into(self.times[before], &mut self.before);
            self.sampler.frame_into(self.times[after], &mut self.after);
        }
    }

    fn misses_flag_change(&self) -> bool {
        Hand::ALL.into_iter().any(|hand| {
            let flags = |frame: &Frame| frame.hand(hand).map_or([false; 2], |hand| [hand.tracked, hand.pinching]);
            let (before, after, truth) = (flags(&self.before), flags(&self.after), flags(&self.truth));
            (0..2).any(|n| before[n] == after[n] && before[n] != truth[n])
        })
    }

    /// How far what is in all three frames is from the straight lines, at most.
    fn distance(&self) -> (f64, f64) {
        let span_secs = self.after.time - self.before.time;
        let fraction = if span_secs > 0.0 { (self.truth.time - self.before.time) / span_secs } else { 0.0 };
        let pose = |of: &dyn Fn(&Frame) -> Option<Pose>| {
            let between = pose_between(&of(&self.before)?, &of(&self.after)?, fraction);
            let truth = of(&self.truth)?;
            Some((truth.distance_m(&between), truth.angle_deg(&between)))
        };
        let gaze = || {
            let between = ray_between(self.before.gaze.as_ref()?, self.after.gaze.as_ref()?, fraction);
            let truth = self.truth.gaze.as_ref()?;
            Some((truth.distance_m(&between), truth.angle_deg(&between)))
        };
        let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|joint| (hand, joint)));
        let joints = joints.filter_map(|(hand, joint)| pose(&|frame| frame.hand(hand)?.joint(joint)));
        let all = pose(&|frame| frame.camera).into_iter().chain(gaze()).chain(joints);
        // max() passes over NaN, of curves that have some.
        all.fold((0.0, 0.0), |widest, (m, deg)| (widest.0.max(m), widest.1.max(deg)))
    }
}

fn pose_between(before: &Pose, after: &Pose, fraction: f64) -> Pose {
    let to = align_sign(before.rotation, after.rotation);
    Pose {
        position: between(before.position, after.position, fraction).map(|number| number as f32),
        rotation: unit(between(before.rotation, to, fraction)),
    }
}

fn ray_between(before: &Ray, after: &Ray, fraction: f64) -> Ray {
    Ray {
        origin: between(before.origin, after.origin, fraction).map(|number| number as f32),
        direction: unit(between(before.direction, after.direction, fraction)),
    }
}

fn between<const N: usize>(before: [f32; N], after: [f32; N], fraction: f64) -> [f64; N] {
    std::array::from_fn(|n| f64::from(before[n]) + (f64::from(after[n]) - f64::from(before[n])) * fraction)
}

/// Lines cut the corner; readers bring what is on them back to length 1. What has no length stays as it is.
fn unit<const N: usize>(vector: [f64; N]) -> [f32; N] {
    let length = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
    vector.map(|number| if length > 0.0 { (number / length) as f32 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_rate_is_that_of_most_steps() {
        let times: Vec<_> = (0..100).map(|n| f64::from(n) / 72.0).filter(|time| !(0.4..0.6).contains(time)).collect();
        assert_eq!(median_rate_hz(&times), Some(72.0));
        assert_eq!(median_rate_hz(&[0.0, 1e-9]), None);
        assert_eq!(median_rate_hz(&[0.0]), None);
    }
}
