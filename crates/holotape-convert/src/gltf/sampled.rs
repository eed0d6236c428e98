//! Curves as an animation sampler can have them: values at rising times from 0 on, with straight lines between.

use std::cell::OnceCell;

use holotape::{Curve, CurveEvaluator, CurveRef, Recording, WrapMode};

use super::track::lerp;
use crate::Timing;
use crate::curve::{self, densify, is_piecewise_linear, sort_dedup};

/// The curves of one position, rotation or direction, in Unity's space.
#[derive(Debug)]
pub(super) struct Sampled<'a, const N: usize> {
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<[f64; N]>,
    /// Whether the curves share their keys, which are the values: then rotations take the short way between them.
    pub(super) is_shared: bool,
    /// The curves, where straight lines between the values are not all that there is to them.
    pub(super) odd: Option<NonLinearCurves<'a, N>>,
}

/// Curves that are not what recorders write.
#[derive(Debug)]
pub(super) struct NonLinearCurves<'a, const N: usize> {
    curves: [CurveEvaluator<'a>; N],
    /// Whether there is more to them than straight lines.
    pub(super) bends: bool,
    pub(super) unusable: Unusable,
}

/// What glTF has no place for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unusable {
    /// Keys before time 0, or at no time.
    pub(super) keys: usize,
    /// Keys whose value is no number.
    pub(super) values: usize,
}

/// What it takes to know how densely to sample, found out only if something asks.
pub(super) struct SampleDensity<'a> {
    recording: &'a Recording,
    rate_hz: OnceCell<f64>,
}

impl<'a> SampleDensity<'a> {
    pub(super) fn of(recording: &'a Recording) -> Self {
        Self { recording, rate_hz: OnceCell::new() }
    }

    /// More times where these are far apart: as many a second as the recording usually has.
    pub(super) fn fill(&self, times: &[f32]) -> Vec<f32> {
        let times: Vec<_> = times.iter().copied().map(f64::from).collect();
        sort_dedup(densify(&times, self.rate_hz()).into_iter().map(|time| time as f32).collect())
    }

    pub(super) fn end_secs(&self) -> f32 {
        self.recording.duration_secs()
    }

    fn rate_hz(&self) -> f64 {
        *self.rate_hz.get_or_init(|| Timing::Keys.rate_hz(self.recording))
    }
}

impl<'a, const N: usize> Sampled<'a, N> {
    /// Nothing if one of the curves has no keys.
    pub(super) fn of(curves: &'a [Curve; N], pace: &SampleDensity<'_>) -> Option<Self> {
        if curves.iter().any(|curve| curve.keys.is_empty()) {
            return None;
        }
        if let Some(shared) = Self::shared(curves) {
            return Some(shared);
        }
        Some(if curves.iter().all(is_linear_from_zero) { Self::plain(curves) } else { Self::odd(curves, pace) })
    }

    /// The keys as they are, if the curves share their times: what every recorder writes.
    fn shared(curves: &[Curve; N]) -> Option<Self> {
        let times: Vec<_> = curves.first()?.keys.iter().map(|key| key.time).collect();
        let is_same = |curve: &Curve| curve.keys.iter().map(|key| key.time).eq(times.iter().copied());
        if !curves.iter().all(|curve| is_same(curve) && is_linear_from_zero(curve)) {
            return None;
        }
        let mut values = vec![[0.0; N]; times.len()];
        for (n, curve) in curves.iter().enumerate() {
            values.iter_mut().zip(curve.keys.iter()).for_each(|(row, key)| row[n] = f64::from(key.value));
        }
        Some(Self { times, values, is_shared: true, odd: None })
    }

    /// A value wherever one of the curves has a key.
    fn plain(curves: &[Curve; N]) -> Self {
        let times = sort_dedup(key_times(curves).collect());
        let values = values_at(&curves.each_ref().map(Curve::evaluator), &times);
        Self { times, values, is_shared: false, odd: None }
    }

    /// Values at [`odd_times`], where they are numbers.
    fn odd(curves: &'a [Curve; N], pace: &SampleDensity<'_>) -> Self {
        let evaluators = curves.each_ref().map(Curve::evaluator);
        let times = dense_times(curves, pace);
        let rows = times.iter().copied().zip(values_at(&evaluators, &times));
        let (times, values): (Vec<_>, Vec<_>) =
            rows.filter(|(_, row)| row.iter().all(|value| value.is_finite())).unzip();
        let keys = key_times(curves).filter(|time| !is_usable(time)).count();
        let not_numbers = |curve: &Curve| curve.keys.iter().filter(|key| !key.value.is_finite()).count();
        let unusable = Unusable { keys, values: curves.iter().map(not_numbers).sum() };
        Self {
            times,
            values,
            is_shared: false,
            odd: Some(NonLinearCurves { curves: evaluators, bends: curves.iter().any(bends), unusable }),
        }
    }

    /// What the curves are between one time and the next.
    pub(super) fn between(&self, span: usize, fraction: f64) -> [f64; N] {
        match &self.odd {
            None => self.lerp_between(span, fraction),
            Some(odd) => value_at(&odd.curves, self.time_between(span, fraction)),
        }
    }

    /// What straight lines are between one time and the next.
    pub(super) fn lerp_between(&self, span: usize, fraction: f64) -> [f64; N] {
        lerp(self.values[span], self.values[span + 1], fraction)
    }

    pub(super) fn time_between(&self, span: usize, fraction: f64) -> f64 {
        let [time] = lerp([f64::from(self.times[span])], [f64::from(self.times[span + 1])], fraction);
        time
    }

    /// The spans between times, without those that are there for a jump.
    pub(super) fn spans(&self) -> impl Iterator<Item = usize> {
        (1..self.times.len()).map(|next| next - 1).filter(|&span| self.times[span].next_up() < self.times[span + 1])
    }
}

/// Whether straight lines between rising times from 0 on are all that there is to a curve.
fn is_linear_from_zero(curve: &Curve) -> bool {
    let mut last = f32::NEG_INFINITY;
    let rises = |time: f32| {
        let rises = time > last && is_usable(&time);
        last = time;
        rises
    };
    [curve.pre_wrap, curve.post_wrap] == [WrapMode::CLAMP_FOREVER; 2]
        && is_piecewise_linear(curve)
        && curve.keys.iter().all(|key| key.value.is_finite())
        && curve.keys.iter().map(|key| key.time).all(rises)
}

fn bends(curve: &Curve) -> bool {
    is_repeated(curve) || !is_piecewise_linear(curve)
}

fn is_repeated(curve: &Curve) -> bool {
    curve::has_repeating_wrap(CurveRef::Float(curve))
}

/// Every key and the time just before it, for jumps, and as many a second as usual where there are tangents. From time 0
/// on if there are keys before that, and over all of the recording if the curves repeat.
fn dense_times<const N: usize>(curves: &[Curve; N], pace: &SampleDensity<'_>) -> Vec<f32> {
    let repeats = curves.iter().any(is_repeated);
    let begins_early = key_times(curves).any(|time| time < 0.0);
    let start = (begins_early || repeats).then_some(0.0);
    let end = repeats.then(|| pace.end_secs());
    let keys = sort_dedup(key_times(curves).chain(start).chain(end).filter(is_usable).collect());
    let just_before: Vec<_> = keys.iter().skip(1).map(|time| time.next_down()).collect();
    let times = if curves.iter().any(bends) { pace.fill(&keys) } else { keys };
    sort_dedup(times.into_iter().chain(just_before).collect())
}

/// Whether glTF has such a time.
pub(super) fn is_usable(time: &f32) -> bool {
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
