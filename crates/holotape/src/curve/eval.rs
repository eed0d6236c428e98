//! Evaluates curves by the rules of Unity's `AnimationCurve` (docs/format.md, "Evaluation").
//!
//! All arithmetic is in 64 bits, without the rounding errors of Unity's 32-bit cube roots. Finite keys give finite values:
//! intermediate results of 32-bit keys are far below the limits of 64 bits.

use std::borrow::Cow;
use std::ops::Range;

use super::{BezierKey, BoolCurve, Curve, Keys, LinearKey, WrapMode};

/// Evaluates a [`Curve`] at many times.
///
/// ```
/// use holotape::{Curve, LinearKey};
///
/// let ramp = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(1.0, 1.0)]);
/// let ramp = ramp.evaluator();
/// assert_eq!([0.0, 0.25, 0.5].map(|time| ramp.value_at(time)), [Some(0.0), Some(0.25), Some(0.5)]);
/// ```
#[derive(Clone, Debug)]
pub struct CurveEvaluator<'a>(Sorted<'a>);

#[derive(Clone, Debug)]
enum Sorted<'a> {
    Linear(SortedKeys<'a, LinearKey>),
    Bezier(SortedKeys<'a, BezierKey>),
}

impl<'a> CurveEvaluator<'a> {
    pub(super) fn new(curve: &'a Curve) -> Self {
        let wraps = (curve.pre_wrap, curve.post_wrap);
        Self(match &curve.keys {
            Keys::Linear(keys) => Sorted::Linear(SortedKeys::new(wraps, keys)),
            Keys::Bezier(keys) => Sorted::Bezier(SortedKeys::new(wraps, keys)),
        })
    }

    /// Copies borrowed keys.
    pub(crate) fn into_owned(self) -> CurveEvaluator<'static> {
        CurveEvaluator(match self.0 {
            Sorted::Linear(keys) => Sorted::Linear(keys.into_owned()),
            Sorted::Bezier(keys) => Sorted::Bezier(keys.into_owned()),
        })
    }

    /// The value at a time; `None` if the curve has no keys.
    #[must_use]
    pub fn value_at(&self, time_secs: f64) -> Option<f64> {
        match &self.0 {
            Sorted::Linear(keys) => keys.value_at(time_secs, linear_value),
            Sorted::Bezier(keys) => keys.value_at(time_secs, segment_value),
        }
    }

    /// The same, faster for times that increase: `near` is the index of a key, which becomes that of the last key up to the time.
    pub(crate) fn value_near(&self, time_secs: f64, near: &mut usize) -> Option<f64> {
        match &self.0 {
            Sorted::Linear(keys) => keys.value_near(time_secs, near, linear_value),
            Sorted::Bezier(keys) => keys.value_near(time_secs, near, segment_value),
        }
    }
}

/// Evaluates a [`BoolCurve`] at many times.
///
/// ```
/// use holotape::{BoolCurve, LinearKey};
///
/// let pinching = BoolCurve::from_iter([LinearKey::new(1.0, 1.0), LinearKey::new(2.0, 0.0)]);
/// let pinching = pinching.evaluator();
/// assert_eq!([1.5, 2.0].map(|time| pinching.value_at(time)), [true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct BoolEvaluator<'a>(SortedKeys<'a, LinearKey>);

impl<'a> BoolEvaluator<'a> {
    pub(super) fn new(curve: &'a BoolCurve) -> Self {
        Self(SortedKeys::new((curve.pre_wrap, curve.post_wrap), &curve.keys))
    }

    /// Copies borrowed keys.
    pub(crate) fn into_owned(self) -> BoolEvaluator<'static> {
        BoolEvaluator(self.0.into_owned())
    }

    /// The value at a time; false if the curve has no keys.
    #[must_use]
    pub fn value_at(&self, time_secs: f64) -> bool {
        self.0.value_at(time_secs, |k0, _, _| f64::from(k0.value)).is_some_and(|value| value > 0.5)
    }
}

impl BoolEvaluator<'_> {
    /// The span around a time in which the value is constant: between two keys, or outside all keys. Empty where the curve
    /// repeats.
    pub(crate) fn constant_span_at(&self, time: f64) -> Range<f64> {
        let Self(sorted) = self;
        let first_and_last = sorted.keys.first().zip(sorted.keys.last());
        let Some((first, last)) = first_and_last.filter(|_| sorted.not_nan.is_none()) else {
            return time..time;
        };
        match time {
            time if time < first.time() && !sorted.pre_wrap.repeats() => f64::NEG_INFINITY..first.time(),
            time if time >= last.time() && !sorted.post_wrap.repeats() => last.time()..f64::INFINITY,
            time if time >= first.time() && time < last.time() => {
                let after = sorted.keys.partition_point(|key| key.time() <= time);
                sorted.keys[after - 1].time()..sorted.keys[after].time()
            }
            _ => time..time,
        }
    }
}

/// Keys sorted by time, and the wrap modes.
#[derive(Clone, Debug)]
struct SortedKeys<'a, K: Clone> {
    pre_wrap: WrapMode,
    post_wrap: WrapMode,
    keys: Cow<'a, [K]>,
    /// The indexes of the keys whose times are not NaN, if some are: binary search needs these.
    not_nan: Option<Vec<usize>>,
}

/// Sorts keys by time. The sort is stable, so the last of several keys at one time stays the last.
pub(crate) fn sort_by_time<K: Key>(keys: &mut [K]) {
    // Adding 0 makes -0 and 0 the same time.
    keys.sort_by(|a, b| (a.time() + 0.0).total_cmp(&(b.time() + 0.0)));
}

pub(crate) trait Key: Copy {
    fn time(&self) -> f64;
    fn value(&self) -> f64;
}

impl Key for LinearKey {
    fn time(&self) -> f64 {
        f64::from(self.time)
    }
    fn value(&self) -> f64 {
        f64::from(self.value)
    }
}

impl Key for BezierKey {
    fn time(&self) -> f64 {
        f64::from(self.time)
    }
    fn value(&self) -> f64 {
        f64::from(self.value)
    }
}

impl<'a, K: Key> SortedKeys<'a, K> {
    fn new((pre_wrap, post_wrap): (WrapMode, WrapMode), keys: &'a [K]) -> Self {
        let mut keys = Cow::Borrowed(keys);
        // Comparisons with NaN are false, so NaN times alone do not count as unsorted.
        if keys.windows(2).any(|pair| pair[0].time() > pair[1].time()) {
            sort_by_time(keys.to_mut());
        }
        let is_not_nan = |index: &usize| !keys[*index].time().is_nan();
        let not_nan = if (0..keys.len()).all(|index| is_not_nan(&index)) {
            None
        } else {
            Some((0..keys.len()).filter(is_not_nan).collect())
        };
        Self { pre_wrap, post_wrap, keys, not_nan }
    }

    fn into_owned(self) -> SortedKeys<'static, K> {
        let Self { pre_wrap, post_wrap, keys, not_nan } = self;
        SortedKeys { pre_wrap, post_wrap, keys: Cow::Owned(keys.into_owned()), not_nan }
    }

    /// `between` returns the value between two keys at a fraction of the time between them.
    fn value_at(&self, time: f64, between: impl FnOnce(&K, &K, f64) -> f64) -> Option<f64> {
        self.value_with(time, |time| self.last_key_at_or_before(time), between)
    }

    /// The same; `near` is the index of a key, which becomes that of the last key up to the time. It and the next are tried first.
    fn value_near(&self, time: f64, near: &mut usize, between: impl FnOnce(&K, &K, f64) -> f64) -> Option<f64> {
        let is_up_to = |index: usize, time: f64| self.keys.get(index).is_some_and(|key| key.time() <= time);
        let is_last = |index: &usize, time: f64| is_up_to(*index, time) && !is_up_to(*index + 1, time);
        let find = |time: f64| {
            let found = [*near, *near + 1].into_iter().find(|index| self.not_nan.is_none() && is_last(index, time));
            found.or_else(|| self.last_key_at_or_before(time)).inspect(|found| *near = *found)
        };
        self.value_with(time, find, between)
    }

    fn value_with(
        &self,
        time: f64,
        find: impl FnOnce(f64) -> Option<usize>,
        between: impl FnOnce(&K, &K, f64) -> f64,
    ) -> Option<f64> {
        let keys = &*self.keys;
        let (first, last) = (keys.first()?, keys.last()?);
        if keys.len() == 1 {
            return Some(first.value());
        }
        let time = self.wrap(time, first.time(), last.time());
        if time < first.time() {
            return Some(first.value());
        }
        if time >= last.time() {
            return Some(last.value());
        }
        let Some(before) = find(time) else {
            return Some(f64::NAN); // The time or that of the first key is NaN.
        };
        let k0 = &keys[before];
        match keys.get(before + 1) {
            Some(k1) if k0.time() != time => {
                let fraction = (time - k0.time()) / (k1.time() - k0.time());
                Some(between(k0, k1, fraction))
            }
            _ => Some(k0.value()),
        }
    }

    fn last_key_at_or_before(&self, time: f64) -> Option<usize> {
        match &self.not_nan {
            None => self.keys.partition_point(|key| key.time() <= time).checked_sub(1),
            Some(not_nan) => {
                let after = not_nan.partition_point(|&index| self.keys[index].time() <= time);
                not_nan[..after].last().copied()
            }
        }
    }

    /// Maps a time outside the keys to one between them, if the mode on that side repeats.
    fn wrap(&self, time: f64, first: f64, last: f64) -> f64 {
        let mode = if time < first {
            self.pre_wrap
        } else if time > last {
            self.post_wrap
        } else {
            return time;
        };
        let period = last - first;
        if period <= 0.0 {
            return time;
        }
        match mode {
            WrapMode::LOOP => first + (time - first).rem_euclid(period),
            WrapMode::PING_PONG => {
                let along = (time - first).rem_euclid(2.0 * period);
                first + if along > period { 2.0 * period - along } else { along }
            }
            _ => time,
        }
    }
}

fn linear_value(k0: &LinearKey, k1: &LinearKey, fraction: f64) -> f64 {
    lerp(f64::from(k0.value), f64::from(k1.value), fraction)
}

fn lerp(from: f64, to: f64, fraction: f64) -> f64 {
    from + fraction * (to - from)
}

/// The shape of a curve between two full keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SegmentShape {
    /// The value of the first key, up to the second.
    Step,
    /// A line. Recorders write this, so it has a fast path.
    Line,
    /// A cubic in time, from the tangents.
    Hermite,
    /// A cubic in time and value, from the tangents and these weights: out of the first key, into the second.
    Bezier(f64, f64),
}

impl SegmentShape {
    pub(crate) fn between(k0: &BezierKey, k1: &BezierKey) -> Self {
        if k0.out_tangent.is_infinite() || k1.in_tangent.is_infinite() {
            return Self::Step;
        }
        let (out, into) = (k0.weighted_mode.has_out_weight(), k1.weighted_mode.has_in_weight());
        if !out && !into {
            return Self::Hermite;
        }
        let w0 = if out { f64::from(k0.out_weight) } else { 1.0 / 3.0 };
        let w1 = if into { f64::from(k1.in_weight) } else { 1.0 / 3.0 };
        // With both weights 0, the curve is a line.
        if w0 == 0.0 && w1 == 0.0 { Self::Line } else { Self::Bezier(w0, w1) }
    }
}

/// The value between two neighbouring full keys.
pub(crate) fn segment_value(k0: &BezierKey, k1: &BezierKey, s: f64) -> f64 {
    let (v0, v1) = (f64::from(k0.value), f64::from(k1.value));
    let dx = k1.time() - k0.time();
    let (m0, m1) = (f64::from(k0.out_tangent) * dx, f64::from(k1.in_tangent) * dx);
    match SegmentShape::between(k0, k1) {
        SegmentShape::Step => v0,
        SegmentShape::Line => lerp(v0, v1, s),
        SegmentShape::Hermite => hermite(v0, m0, v1, m1, s),
        SegmentShape::Bezier(w0, w1) => bezier([v0, v0 + w0 * m0, v1 - w1 * m1, v1], bezier_parameter(w0, w1, s)),
    }
}

fn hermite(v0: f64, m0: f64, v1: f64, m1: f64, s: f64) -> f64 {
    let a = 2.0 * v0 + m0 - 2.0 * v1 + m1;
    let b = -3.0 * v0 - 2.0 * m0 + 3.0 * v1 - m1;
    s * (s * (a * s + b) + m0) + v0
}

fn bezier(points: [f64; 4], u: f64) -> f64 {
    let v = 1.0 - u;
    points[0] * v * v * v + 3.0 * points[1] * u * v * v + 3.0 * points[2] * u * u * v + points[3] * u * u * u
}

/// The parameter u in [0, 1] at which the Bézier curve's time, with control points 0, w0, 1 - w1 and 1, is s.
///
/// With weights in [0, 1] time increases and there is one such u. With larger weights time can reverse twice. Of three
/// real roots Unity takes the first within [0, 1] in the order largest, smallest, middle. Time is 0 at u = 0 and 1 at
/// u = 1, so one or three roots are within, and Unity's is always the largest of them.
pub(crate) fn bezier_parameter(w0: f64, w1: f64, s: f64) -> f64 {
    if s >= 1.0 {
        return 1.0; // Just before a key, a fraction below 1 can round up to it.
    }
    let time = |u: f64| bezier([0.0, w0, 1.0 - w1, 1.0], u) - s;
    let mut high = 1.0;
    for low in turning_points(w0, w1).into_iter().flatten().chain([0.0]) {
        if (time(low) <= 0.0) != (time(high) <= 0.0) {
            return bisect(time, low, high);
        }
        high = low;
    }
    // Only reached for NaN.
    f64::NAN
}

/// The parameters in (0, 1) at which time reverses, the larger one first.
pub(crate) fn turning_points(w0: f64, w1: f64) -> [Option<f64>; 2] {
    // A third of the derivative of time is a u² + 2 h u + c.
    let a = 3.0 * (w0 + w1) - 2.0;
    let h = 1.0 - w1 - 2.0 * w0;
    let c = w0;
    let discriminant = h * h - a * c;
    if discriminant <= 0.0 {
        return [None, None];
    }
    // One root from the sum, without cancellation; the other from the product of both.
    let q = -(h + discriminant.sqrt().copysign(h));
    let (x, y) = (q / a, c / q);
    [x.max(y), x.min(y)].map(|u| (u > 0.0 && u < 1.0).then_some(u))
}

/// The root of a function between two points of different sign, to the last bit. Bisection takes about 50 steps, but it
/// is exact, and weighted keys come from curve editors, not from recorders.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const MAX_BISECTION_STEPS: usize = 200;
    let low_is_below = f(low) <= 0.0;
    for _ in 0..MAX_BISECTION_STEPS {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) <= 0.0) == low_is_below {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + 0.5 * (high - low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WRAP_MODES: [WrapMode; 3] = [WrapMode::CLAMP_FOREVER, WrapMode::LOOP, WrapMode::PING_PONG];

    proptest! {
        #[test]
        fn value_near_equals_value_at(
            // Few times, so that some are equal.
            times in prop::collection::vec(prop::sample::select(vec![0.0, 0.5, 1.0, 1.5, 2.0, 7.0, f32::NAN]), 0..8),
            sampled in prop::collection::vec((-20..60_i8).prop_map(|n| f64::from(n) / 4.0), 1..20),
            wrap in prop::sample::select(&WRAP_MODES[..]),
            start in 0..9_usize,
        ) {
            let mut curve: Curve = times.iter().zip([3.0, 1.0].repeat(4)).map(|(&t, value)| LinearKey::new(t, value)).collect();
            (curve.pre_wrap, curve.post_wrap) = (wrap, wrap);
            let evaluator = curve.evaluator();
            let mut near = start;
            for time in sampled.into_iter().chain([f64::NAN, f64::INFINITY]) {
                let (expected, found) = (evaluator.value_at(time), evaluator.value_near(time, &mut near));
                prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "at {} s", time);
            }
        }
    }
}
