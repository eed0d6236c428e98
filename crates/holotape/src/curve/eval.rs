//! The value of a curve at a time, by the rules of Unity's `AnimationCurve` (docs/format.md, "Evaluation").
//!
//! All arithmetic is in 64 bits: the exact curve, not the rounding noise of Unity's 32-bit cube roots. Finite keys
//! give finite values: the largest intermediate result of 32-bit keys is far below what 64 bits hold.

use std::borrow::Cow;
use std::ops::Range;

use super::{BezierKey, BoolCurve, Curve, Keys, LinearKey, WrapMode};

/// A [`Curve`] made ready for evaluation at many times.
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

    /// The same, with keys of its own.
    pub(crate) fn into_owned(self) -> CurveEvaluator<'static> {
        CurveEvaluator(match self.0 {
            Sorted::Linear(track) => Sorted::Linear(track.into_owned()),
            Sorted::Bezier(track) => Sorted::Bezier(track.into_owned()),
        })
    }

    /// The value at a time, or nothing if the curve has no keys.
    #[must_use]
    pub fn value_at(&self, time_secs: f64) -> Option<f64> {
        match &self.0 {
            Sorted::Linear(track) => {
                track.value_at(time_secs, |k0, k1, s| lerp(f64::from(k0.value), f64::from(k1.value), s))
            }
            Sorted::Bezier(track) => track.value_at(time_secs, segment_value),
        }
    }
}

/// A [`BoolCurve`] made ready for evaluation at many times.
///
/// ```
/// use holotape::{BoolCurve, LinearKey};
///
/// let tracked = BoolCurve::from_iter([LinearKey::new(1.0, 1.0), LinearKey::new(2.0, 0.0)]);
/// let tracked = tracked.evaluator();
/// assert_eq!([1.5, 2.0].map(|time| tracked.value_at(time)), [true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct BoolEvaluator<'a>(SortedKeys<'a, LinearKey>);

impl<'a> BoolEvaluator<'a> {
    pub(super) fn new(curve: &'a BoolCurve) -> Self {
        Self(SortedKeys::new((curve.pre_wrap, curve.post_wrap), &curve.keys))
    }

    /// The same, with keys of its own.
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
    /// The times around this one that have the same value for the same reason: from key to key, or outside of them; none
    /// where the curve repeats itself.
    pub(crate) fn constant_span_at(&self, time: f64) -> Range<f64> {
        let Self(track) = self;
        let first_and_last = track.keys.first().zip(track.keys.last());
        let Some((first, last)) = first_and_last.filter(|_| track.numbered.is_none()) else {
            return time..time;
        };
        match time {
            time if time < first.time() && !track.pre_wrap.repeats() => f64::NEG_INFINITY..first.time(),
            time if time >= last.time() && !track.post_wrap.repeats() => last.time()..f64::INFINITY,
            time if time >= first.time() && time < last.time() => {
                let after = track.keys.partition_point(|key| key.time() <= time);
                track.keys[after - 1].time()..track.keys[after].time()
            }
            _ => time..time,
        }
    }
}

/// Keys in order of time, and what to do outside of them.
#[derive(Clone, Debug)]
struct SortedKeys<'a, K: Clone> {
    pre_wrap: WrapMode,
    post_wrap: WrapMode,
    keys: Cow<'a, [K]>,
    /// The keys whose times are numbers, if not all are: among these, halving finds a place.
    numbered: Option<Vec<usize>>,
}

/// Puts keys in order of time. Of keys at one time the order stays, and with it which of them is the last.
pub(crate) fn sort_by_time<K: Key>(keys: &mut [K]) {
    // Adding zero makes -0 and 0 one time.
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
        // A NaN is larger than nothing, so it does not by itself count as out of order.
        if keys.windows(2).any(|pair| pair[0].time() > pair[1].time()) {
            sort_by_time(keys.to_mut());
        }
        let is_numbered = |index: &usize| !keys[*index].time().is_nan();
        let numbered = if (0..keys.len()).all(|index| is_numbered(&index)) {
            None
        } else {
            Some((0..keys.len()).filter(is_numbered).collect())
        };
        Self { pre_wrap, post_wrap, keys, numbered }
    }

    fn into_owned(self) -> SortedKeys<'static, K> {
        let Self { pre_wrap, post_wrap, keys, numbered } = self;
        SortedKeys { pre_wrap, post_wrap, keys: Cow::Owned(keys.into_owned()), numbered }
    }

    /// `between` gives the value between two keys, at a share of the time from the first to the second.
    fn value_at(&self, time: f64, between: impl FnOnce(&K, &K, f64) -> f64) -> Option<f64> {
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
        let Some(before) = self.last_key_at_or_before(time) else {
            return Some(f64::NAN); // The time, or the first key's, is not a number.
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
        match &self.numbered {
            None => self.keys.partition_point(|key| key.time() <= time).checked_sub(1),
            Some(numbered) => {
                let after = numbered.partition_point(|&index| self.keys[index].time() <= time);
                numbered[..after].last().copied()
            }
        }
    }

    /// Brings a time outside the keys back among them, if the mode on that side repeats.
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

fn lerp(from: f64, to: f64, fraction: f64) -> f64 {
    from + fraction * (to - from)
}

/// How a curve runs from one full key to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SegmentShape {
    /// The first key's value, up to the second key.
    Step,
    /// Straight. This is what recorders write, so it is worth its own case.
    Line,
    /// A cubic in time, by the tangents.
    Hermite,
    /// A cubic in time and in value, by tangents and these weights: out of the first key, into the second.
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
        // Without weights, time and value have one shape.
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
/// With weights in [0, 1] time only grows and there is one such u. With larger ones time can turn back twice, and
/// Unity takes, of three real roots, the first within [0, 1] in the order largest, smallest, middle. Time is 0 at
/// u = 0 and 1 at u = 1, so the roots inside are one or three, and that is always the largest root inside.
pub(crate) fn bezier_parameter(w0: f64, w1: f64, s: f64) -> f64 {
    if s >= 1.0 {
        return 1.0; // Just before a key, a share of less than one can round up to it.
    }
    let time = |u: f64| bezier([0.0, w0, 1.0 - w1, 1.0], u) - s;
    let mut high = 1.0;
    for low in turning_points(w0, w1).into_iter().flatten().chain([0.0]) {
        if (time(low) <= 0.0) != (time(high) <= 0.0) {
            return bisect(time, low, high);
        }
        high = low;
    }
    // Only numbers that are none get here.
    f64::NAN
}

/// Where time turns back, within (0, 1), the later one first.
pub(crate) fn turning_points(w0: f64, w1: f64) -> [Option<f64>; 2] {
    // A third of the derivative of time is a u² + 2 h u + c.
    let a = 3.0 * (w0 + w1) - 2.0;
    let h = 1.0 - w1 - 2.0 * w0;
    let c = w0;
    let discriminant = h * h - a * c;
    if discriminant <= 0.0 {
        return [None, None];
    }
    // The sum without cancellation gives one root, the product of both gives the other.
    let q = -(h + discriminant.sqrt().copysign(h));
    let (x, y) = (q / a, c / q);
    [x.max(y), x.min(y)].map(|u| (u > 0.0 && u < 1.0).then_some(u))
}

/// The root of a function between two points of different sign, to the last bit. Plain bisection: weighted keys come
/// from curve editors, not from recorders, and being right is worth the fifty steps.
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
