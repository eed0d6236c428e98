//! Converts curves to animation samples: values at increasing times from 0 on, with linear interpolation.

use std::cell::OnceCell;

use holotape::{BoolCurve, Curve, CurveEvaluator, CurveRef, Recording, WrapMode, vector_keys};

use super::track::Track;
use crate::Timing;
use crate::curve::{densify, lerp, sort_dedup};

/// The sampled curves of one position, rotation or direction, in Unity's coordinates.
#[derive(Debug)]
pub(super) struct Sampled<'a, const N: usize> {
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<[f64; N]>,
    /// Whether the samples are the shared keys of the curves. Only then may quaternion signs be aligned.
    pub(super) is_shared: bool,
    /// The curves, if linear interpolation of the samples does not represent them exactly.
    pub(super) non_linear: Option<NonLinearCurves<'a, N>>,
}

/// Curves with tangents, repeating wrap modes or keys that glTF cannot represent. Recorders do not write these.
#[derive(Debug)]
pub(super) struct NonLinearCurves<'a, const N: usize> {
    curves: [CurveEvaluator<'a>; N],
    /// Whether the curves have tangents or repeating wrap modes.
    pub(super) is_curved: bool,
    /// The number of keys before time 0 or at non-finite times.
    pub(super) unusable_keys: usize,
    /// The number of keys with non-finite values.
    pub(super) unusable_values: usize,
}

/// The sampling rate for curves with tangents, computed on first use.
pub(super) struct SampleDensity<'a> {
    recording: &'a Recording,
    rate_hz: OnceCell<f64>,
}

impl<'a> SampleDensity<'a> {
    pub(super) fn new(recording: &'a Recording) -> Self {
        Self { recording, rate_hz: OnceCell::new() }
    }

    /// Adds times where `times` are far apart, at the median rate of the recording.
    pub(super) fn fill(&self, times: &[f32]) -> Vec<f32> {
        let times: Vec<_> = times.iter().copied().map(f64::from).collect();
        let rate_hz = *self.rate_hz.get_or_init(|| Timing::Keys.rate_hz(self.recording));
        sort_dedup(densify(&times, rate_hz).into_iter().map(|time| time as f32).collect())
    }
}

impl<'a, const N: usize> Sampled<'a, N> {
    /// `None` if one of the curves has no keys.
    pub(super) fn from_curves(curves: &'a [Curve; N], density: &SampleDensity<'_>) -> Option<Self> {
        if curves.iter().any(|curve| curve.keys.is_empty()) {
            return None;
        }
        if let Some(shared) = Self::shared(curves) {
            return Some(shared);
        }
        Some(if curves.iter().all(is_linear_from_zero) {
            Self::linear(curves)
        } else {
            Self::non_linear(curves, density)
        })
    }

    /// Uses the keys unchanged if the curves share key times, as all known recorders write them.
    fn shared(curves: &[Curve; N]) -> Option<Self> {
        let keys = vector_keys::<N>(curves).filter(|_| curves.iter().all(is_linear_from_zero))?;
        let (times, values) = keys.iter().map(|key| (key.time, key.values_f64())).unzip();
        Some(Self { times, values, is_shared: true, non_linear: None })
    }

    /// Samples at the key times of all curves.
    fn linear(curves: &[Curve; N]) -> Self {
        let times = sort_dedup(key_times(curves).collect());
        let values = values_at(&curves.each_ref().map(Curve::evaluator), &times);
        Self { times, values, is_shared: false, non_linear: None }
    }

    /// Samples at [`dense_times`], without non-finite values.
    fn non_linear(curves: &'a [Curve; N], density: &SampleDensity<'_>) -> Self {
        let evaluators = curves.each_ref().map(Curve::evaluator);
        let times = dense_times(curves, density);
        let rows = times.iter().copied().zip(values_at(&evaluators, &times));
        let (times, values): (Vec<_>, Vec<_>) =
            rows.filter(|(_, row)| row.iter().all(|value| value.is_finite())).unzip();
        let non_finite = |curve: &Curve| curve.keys.iter().filter(|key| !key.value.is_finite()).count();
        let non_linear = NonLinearCurves {
            curves: evaluators,
            is_curved: curves.iter().any(is_curved),
            unusable_keys: key_times(curves).filter(|time| !is_usable(time)).count(),
            unusable_values: curves.iter().map(non_finite).sum(),
        };
        Self { times, values, is_shared: false, non_linear: Some(non_linear) }
    }

    /// The value of the curves at a fraction of a segment.
    pub(super) fn between(&self, segment: usize, fraction: f64) -> [f64; N] {
        match &self.non_linear {
            None => self.lerp_between(segment, fraction),
            Some(non_linear) => value_at(&non_linear.curves, self.time_between(segment, fraction)),
        }
    }

    /// The linearly interpolated samples at a fraction of a segment.
    pub(super) fn lerp_between(&self, segment: usize, fraction: f64) -> [f64; N] {
        lerp(self.values[segment], self.values[segment + 1], fraction)
    }

    pub(super) fn time_between(&self, segment: usize, fraction: f64) -> f64 {
        let [time] = lerp([f64::from(self.times[segment])], [f64::from(self.times[segment + 1])], fraction);
        time
    }

    /// The segments between samples, without the minimal ones that represent steps.
    pub(super) fn segments(&self) -> impl Iterator<Item = usize> {
        (1..self.times.len())
            .map(|next| next - 1)
            .filter(|&segment| self.times[segment].next_up() < self.times[segment + 1])
    }
}

/// Whether a curve is piecewise linear with increasing times from 0 on.
fn is_linear_from_zero(curve: &Curve) -> bool {
    let mut last = f32::NEG_INFINITY;
    let rises = |time: f32| {
        let rises = time > last && is_usable(&time);
        last = time;
        rises
    };
    [curve.pre_wrap, curve.post_wrap] == [WrapMode::CLAMP_FOREVER; 2]
        && curve.keys.are_linear()
        && curve.keys.iter().all(|key| key.value.is_finite())
        && curve.keys.iter().map(|key| key.time).all(rises)
}

fn is_curved(curve: &Curve) -> bool {
    repeats(curve) || !curve.keys.are_linear()
}

fn repeats(curve: &Curve) -> bool {
    CurveRef::Float(curve).repeats()
}

/// All key times, the time just before each key (for steps), and samples at the median rate if there are tangents.
/// Starts at time 0 if there are earlier keys, and covers the entire recording if the curves repeat.
fn dense_times<const N: usize>(curves: &[Curve; N], density: &SampleDensity<'_>) -> Vec<f32> {
    let repeats = curves.iter().any(repeats);
    let starts_early = key_times(curves).any(|time| time < 0.0);
    let start = (starts_early || repeats).then_some(0.0);
    let end = repeats.then(|| density.recording.duration_secs());
    let keys = sort_dedup(key_times(curves).chain(start).chain(end).filter(is_usable).collect());
    let just_before: Vec<_> = keys.iter().skip(1).map(|time| time.next_down()).collect();
    let times = if curves.iter().any(is_curved) { density.fill(&keys) } else { keys };
    sort_dedup(times.into_iter().chain(just_before).collect())
}

/// Returns scale 1 where a flag is true and 0 where it is false, from time 0 on, with keys only at changes.
pub(super) fn scales(flag: &BoolCurve, density: &SampleDensity<'_>) -> Track<3> {
    let repeats = CurveRef::Bool(flag).repeats();
    let end = repeats.then(|| density.recording.duration_secs());
    let keys = flag.keys.iter().map(|key| key.time).chain([0.0]).chain(end);
    let times = sort_dedup(keys.filter(is_usable).collect());
    let times = if repeats { density.fill(&times) } else { times };
    let is_true = flag.evaluator();
    let mut scales = Track::default();
    for time in times {
        let scale = [f32::from(u8::from(is_true.value_at(time.into()))); 3];
        if scales.values.last() != Some(&scale) {
            scales.times.push(time);
            scales.values.push(scale);
        }
    }
    scales
}

/// Whether glTF can represent a key time.
fn is_usable(time: &f32) -> bool {
    *time >= 0.0 && time.is_finite()
}

fn key_times<const N: usize>(curves: &[Curve; N]) -> impl Iterator<Item = f32> {
    curves.iter().flat_map(|curve| curve.keys.iter().map(|key| key.time))
}

fn values_at<const N: usize>(curves: &[CurveEvaluator<'_>; N], times: &[f32]) -> Vec<[f64; N]> {
    times.iter().map(|time| value_at(curves, f64::from(*time))).collect()
}

fn value_at<const N: usize>(curves: &[CurveEvaluator<'_>; N], time: f64) -> [f64; N] {
    curves.each_ref().map(|curve| curve.value_at(time).unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use holotape::{LinearKey, Recording, WrapMode};

    use super::*;

    fn keys(keys: &[(f32, f32)]) -> BoolCurve {
        keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
    }

    #[test]
    fn scales_has_keys_only_at_changes() {
        let recording = Recording::default();
        let flag = keys(&[(-1.0, 1.0), (1.0, 1.0), (2.0, 0.0), (f32::NAN, 1.0), (3.0, 0.2), (4.0, 1.0)]);
        let scales = scales(&flag, &SampleDensity::new(&recording));
        assert_eq!(scales.times, [0.0, 2.0, 4.0]);
        assert_eq!(scales.values, [[1.0; 3], [0.0; 3], [1.0; 3]]);
    }

    #[test]
    fn repeating_flag_repeats_until_the_end() {
        let mut recording = Recording::default();
        let flag = BoolCurve { post_wrap: WrapMode::LOOP, ..keys(&[(0.0, 1.0), (1.0, 0.0), (2.0, 0.0)]) };
        recording.hand_mut(holotape::Hand::Left).pinching = keys(&[(7.5, 0.0)]);
        assert_eq!(scales(&flag, &SampleDensity::new(&recording)).values.len(), 8);
    }
}
