//! The times of frames, and the losses between them.

use std::collections::HashSet;

use holotape::{
    CurveId, Error, ErrorKind, Frame, Hand, Joint, Pose, PoseId, Ray, Recording, Result, VectorId, VectorKind,
    WindowSampler, WindowedRecording, align_sign, parallel, times_at_rate,
};

use crate::curve::{densify, lerp, merge_key_times};
use crate::deviation::{Deviation, NOTICEABLE_DEG, NOTICEABLE_M};
use crate::rigid::median;
use crate::{Loss, LossKind};

/// The times at which a recording is sampled when it is written.
///
/// ```
/// use holotape_convert::Timing;
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// assert_eq!(Timing::Rate(10.0).times(&recording)?.len(), 11);
/// assert_eq!(Timing::Keys.times(&recording)?.len(), 61);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Timing {
    /// The times of all keys.
    #[default]
    Keys,
    /// A fixed rate in Hz, from 0 to the end.
    Rate(f64),
}

impl Timing {
    /// Returns the times in seconds, in increasing order.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the rate is not finite and greater than 0, [`ErrorKind::LimitExceeded`] if
    /// there are more times than the [`FrameLimit`](holotape::FrameLimit), as in a recording with a key at 10³⁰ s.
    pub fn times(self, recording: &Recording) -> Result<Vec<f64>> {
        self.windowed_times(&WindowedRecording::new(recording))
    }

    /// The same for a recording whose keys may be in a file.
    pub(crate) fn windowed_times(self, recording: &WindowedRecording<'_>) -> Result<Vec<f64>> {
        let Self::Rate(rate_hz) = self else { return Ok(key_times(recording)) };
        let end = f64::from(recording.outline().duration_secs());
        if !(rate_hz > 0.0 && rate_hz.is_finite()) {
            let message = format!("invalid rate: {rate_hz} Hz; must be finite and greater than 0");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        recording.frame_limit().check(end, rate_hz)?;
        Ok(times_at_rate(0.0..=end, rate_hz).collect())
    }

    /// The loss between these times, if a reader interpolates linearly between frames and holds the first and the last.
    pub(crate) fn loss(self, recording: &WindowedRecording<'_>, times: &[f64]) -> Result<Option<Loss>> {
        let is_curved = !recording.are_linear();
        let repeats = recording.outline().curves().any(|(_, curve)| curve.repeats());
        let fractions: &[f64] = match is_curved {
            true => &SAMPLE_FRACTIONS,
            // An additional frame between two keys changes a linearly interpolated rotation.
            false if repeats || has_frames_between_keys(recording, times) => &[0.5],
            false => &[],
        };
        if times.is_empty() || self == Self::Keys && fractions.is_empty() {
            return Ok(None);
        }
        let rate_hz = repeats.then(|| median_rate_hz(&key_times(recording)).unwrap_or(DEFAULT_RATE_HZ));
        let Nonlinearity { deviation, missed_changes } = Nonlinearity::measure(recording, times, fractions, rate_hz)?;
        let (Deviation { distance_m, angle_deg }, missed_changes) = (deviation, missed_changes.len());
        let moved = (distance_m > NOTICEABLE_M || angle_deg > NOTICEABLE_DEG)
            .then(|| format!("deviates by up to {:.3} mm and {angle_deg:.3}°", distance_m * 1e3));
        let missed = (missed_changes > 0).then(|| format!("misses short changes of flags ({missed_changes})"));
        let message: Vec<_> = moved.into_iter().chain(missed).collect();
        let kind = if is_curved { LossKind::Tangents } else { LossKind::Resampled };
        Ok((!message.is_empty())
            .then(|| Loss::new(kind, format!("resampled: linear interpolation between frames {}", message.join("; ")))))
    }

    /// The rate for formats with a fixed one: as given, or the median rate of the recording, or 60 Hz.
    pub(crate) fn rate_hz(self, recording: &Recording) -> f64 {
        match self {
            Self::Rate(rate_hz) => rate_hz,
            Self::Keys => median_rate_hz(&key_times(&WindowedRecording::new(recording))).unwrap_or(DEFAULT_RATE_HZ),
        }
    }
}

/// The times from 0 on, and 0. Players start with the first frame: one at time 0 keeps them in sync with the recording.
pub(crate) fn from_start(mut times: Vec<f64>) -> Vec<f64> {
    times.retain(|time| *time >= 0.0);
    if times.first() != Some(&0.0) {
        times.insert(0, 0.0);
    }
    times
}

/// The rate of a recording without a plausible one.
const DEFAULT_RATE_HZ: f64 = 60.0;

/// The distinct finite times of all keys, in increasing order.
fn key_times(recording: &WindowedRecording<'_>) -> Vec<f64> {
    merge_key_times(recording.key_times().map(|(_, times)| times)).into_iter().map(f64::from).collect()
}

/// The rate of the median step between times, rounded to an integer if it is within 1 %; `None` outside 1 to 1000 Hz.
fn median_rate_hz(times: &[f64]) -> Option<f64> {
    let rate_hz = 1.0 / median(times.windows(2).map(|pair| pair[1] - pair[0]).collect())?;
    let whole = rate_hz.round();
    let rate_hz = if (rate_hz - whole).abs() < 0.01 * whole { whole } else { rate_hz };
    (1.0..=1000.0).contains(&rate_hz).then_some(rate_hz)
}

/// Whether there are frames between two keys of a rotation or direction, while it is present.
fn has_frames_between_keys(recording: &WindowedRecording<'_>, times: &[f64]) -> bool {
    let flags = Hand::ALL.map(|hand| recording.outline().hand(hand).tracked.evaluator());
    let mut last: Option<(Option<Hand>, &[f32])> = None;
    recording.key_times().any(|(id, keys)| {
        let hand = if let CurveId::Joint(hand, ..) = id { Some(hand) } else { None };
        let is_unit_vector = VectorId::from_curve(id).is_some_and(|vector| vector.kind() != VectorKind::Position);
        // Most curves share their times with the previous one.
        let is_checked = last.is_some_and(|(last_hand, last)| last_hand == hand && std::ptr::eq(last, keys));
        if !is_unit_vector || is_checked {
            return false;
        }
        last = Some((hand, keys));
        has_times_between_keys(keys, times, |time| hand.is_none_or(|hand| flags[hand as usize].value_at(time)))
    })
}

fn has_times_between_keys(keys: &[f32], times: &[f64], is_present: impl Fn(f64) -> bool) -> bool {
    let mut keys = keys.iter().copied().map(f64::from).peekable();
    let Some(first) = keys.peek().copied() else { return false };
    times.iter().skip_while(|time| **time < first).any(|time| {
        while keys.next_if(|key| key < time).is_some() {}
        keys.peek().is_some_and(|key| key > time) && is_present(*time)
    })
}

/// Where in a segment the deviation is sampled: cubics deviate most from a line near one of these, steps at the end.
const SAMPLE_FRACTIONS: [f64; 6] = [0.2, 0.35, 0.5, 0.65, 0.8, 0.999];

/// How far a recording is from linear interpolation between frames.
#[derive(Default)]
struct Nonlinearity {
    deviation: Deviation,
    /// Segments in which a flag changes and changes back, as the indices of their frames.
    missed_changes: HashSet<[usize; 2]>,
}

/// The number of times per task.
const CHECKS_PER_TASK: usize = 2048;

impl Nonlinearity {
    /// Checks every key, where linear curves deviate most; `fractions` of every segment, for other curves; and additional
    /// times at `rate_hz`, for repeating curves. Uses several threads.
    fn measure(
        recording: &WindowedRecording<'_>,
        times: &[f64],
        fractions: &[f64],
        rate_hz: Option<f64>,
    ) -> Result<Self> {
        let mut check_times = [&key_times(recording), times].concat();
        check_times.sort_unstable_by(f64::total_cmp);
        check_times.dedup();
        if let Some(rate_hz) = rate_hz {
            check_times = densify(&check_times, rate_hz);
        }
        let sampler = recording.sampler();
        let starts: Vec<_> = (0..check_times.len()).step_by(CHECKS_PER_TASK).collect();
        let parts = parallel::map(starts, parallel::max_threads(), |start| {
            let end = check_times.len().min(start + CHECKS_PER_TASK);
            // The last segment ends where the next part starts, or later.
            let last_secs = check_times.get(end).copied().unwrap_or(f64::INFINITY);
            let mut check = LinearityCheck::new(times, sampler.clone().with_last_secs(last_secs));
            for (n, &time) in check_times.iter().enumerate().take(end).skip(start) {
                check.check(time)?;
                let next = check_times.get(n + 1).copied().unwrap_or(time);
                fractions.iter().try_for_each(|fraction| check.check(time + fraction * (next - time)))?;
            }
            Ok(check.found)
        });
        parts.into_iter().try_fold(Self::default(), |all, part| part.map(|part| all.merged_with(part)))
    }

    fn merged_with(mut self, other: Self) -> Self {
        self.deviation.include(other.deviation.distance_m, other.deviation.angle_deg);
        self.missed_changes.extend(other.missed_changes);
        self
    }
}

/// Compares the recording with linear interpolation between frames.
struct LinearityCheck<'a> {
    times: &'a [f64],
    sampler: WindowSampler<'a>,
    /// Indices of the frames around the current time.
    segment: Option<[usize; 2]>,
    before: Frame,
    after: Frame,
    truth: Frame,
    found: Nonlinearity,
}

impl<'a> LinearityCheck<'a> {
    fn new(times: &'a [f64], sampler: WindowSampler<'a>) -> Self {
        let (before, after, truth) = Default::default();
        Self { times, sampler, segment: None, before, after, truth, found: Nonlinearity::default() }
    }

    fn check(&mut self, time: f64) -> Result<()> {
        let next = self.times.partition_point(|frame| *frame < time);
        if self.times.get(next) == Some(&time) {
            return Ok(());
        }
        let segment = [next.saturating_sub(1), next.min(self.times.len() - 1)];
        let last = self.segment.replace(segment);
        if last != Some(segment) {
            // The frame after one segment is usually the frame before the next.
            if last.is_some_and(|[_, after]| after == segment[0]) {
                std::mem::swap(&mut self.before, &mut self.after);
            } else {
                self.sampler.frame_into(self.times[segment[0]], &mut self.before)?;
            }
            self.sampler.frame_into(self.times[segment[1]], &mut self.after)?;
        }
        self.sampler.frame_into(time, &mut self.truth)?;
        self.measure();
        if self.misses_flag_change() {
            self.found.missed_changes.insert(segment);
        }
        Ok(())
    }

    fn misses_flag_change(&self) -> bool {
        Hand::ALL.into_iter().any(|hand| {
            let flags = |frame: &Frame| frame.hand(hand).map_or([false; 2], |hand| [hand.tracked, hand.pinching]);
            let (before, after, truth) = (flags(&self.before), flags(&self.after), flags(&self.truth));
            (0..2).any(|n| before[n] == after[n] && before[n] != truth[n])
        })
    }

    /// Measures everything that is present in all three frames.
    fn measure(&mut self) {
        let Self { before, after, truth, found: Nonlinearity { deviation, .. }, .. } = self;
        let span_secs = after.time - before.time;
        let fraction = if span_secs > 0.0 { (truth.time - before.time) / span_secs } else { 0.0 };
        let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|joint| PoseId::Joint(hand, joint)));
        for id in joints.chain([PoseId::Camera]) {
            if let (Some(before), Some(after), Some(truth)) = (before.pose(id), after.pose(id), truth.pose(id)) {
                deviation.include_poses(&truth, &pose_between(&before, &after, fraction));
            }
        }
        if let (Some(before), Some(after), Some(truth)) = (before.gaze, after.gaze, truth.gaze) {
            deviation.include_rays(&truth, &ray_between(&before, &after, fraction));
        }
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
    lerp(before.map(f64::from), after.map(f64::from), fraction)
}

/// Normalizes an interpolated vector, as readers do. A zero vector stays zero.
fn unit<const N: usize>(vector: [f64; N]) -> [f32; N] {
    let length = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
    vector.map(|number| if length > 0.0 { (number / length) as f32 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_rate_ignores_gaps() {
        let times: Vec<_> = (0..100).map(|n| f64::from(n) / 72.0).filter(|time| !(0.4..0.6).contains(time)).collect();
        assert_eq!(median_rate_hz(&times), Some(72.0));
        assert_eq!(median_rate_hz(&[0.0, 1e-9]), None);
        assert_eq!(median_rate_hz(&[0.0]), None);
    }
}
