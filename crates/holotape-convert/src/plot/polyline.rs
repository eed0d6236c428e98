//! Values over time in pieces: a line runs until there is no value, and begins again where there is one.

use holotape::{BoolCurve, Curve, CurveRef, Keys, LinearKey};

use super::span::Span;
use crate::curve::has_repeating_wrap;

/// Seconds, and a value.
pub(super) type Point = [f64; 2];

/// Points with no gap between them.
pub(super) type Polyline = Vec<Point>;

/// Seconds from and to; may be an instant.
pub(super) type TimeSpan = [f64; 2];

/// The pieces of a line. What is no number is a gap.
pub(super) fn split_at_gaps(points: impl IntoIterator<Item = Point>) -> Vec<Polyline> {
    let mut runs = vec![Polyline::new()];
    for point in points {
        match runs.last_mut() {
            Some(run) if point[1].is_finite() => run.push(point),
            Some(run) if !run.is_empty() => runs.push(Polyline::new()),
            _ => {}
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// When a flag is set, within a span. Where a curve repeats itself, as exactly as so many steps can tell.
pub(super) fn true_spans(flag: &BoolCurve, span: Span, steps: usize) -> Vec<TimeSpan> {
    let keys = flag.keys.iter().map(|key| f64::from(key.time));
    let repeats = has_repeating_wrap(CurveRef::Bool(flag));
    let steps = span.steps(steps).filter(|_| repeats);
    let flag = flag.evaluator();
    let mut intervals: Vec<TimeSpan> = Vec::new();
    let mut is_set = false;
    for time in span.times(keys.chain(steps)) {
        match (is_set, flag.value_at(time)) {
            (false, true) => intervals.push([time, span.end]),
            (true, false) => intervals.last_mut().into_iter().for_each(|last| last[1] = time),
            _ => {}
        }
        is_set = flag.value_at(time);
    }
    intervals
}

/// A curve as Unity evaluates it, in those intervals only.
pub(super) fn curve_polylines(curve: &Curve, intervals: &[TimeSpan], span: Span, steps: usize) -> Vec<Polyline> {
    let keys = curve.keys.iter().map(|key| f64::from(key.time));
    let is_straight = is_straight(curve);
    let times = span.times(keys.chain(span.steps(steps).filter(|_| !is_straight)));
    let curve = curve.evaluator();
    let point = |time: f64| [time, curve.value_at(time).unwrap_or(f64::NAN)];
    let piece = |[start, end]: &TimeSpan| {
        let after = &times[times.partition_point(|time| time <= start)..];
        let within = &after[..after.partition_point(|time| time < end)];
        // An interval ends where the next thing begins, so the line ends just before.
        let last = (end > start).then(|| end.next_down());
        split_at_gaps([*start].into_iter().chain(within.iter().copied()).chain(last).map(point))
    };
    intervals.iter().flat_map(piece).collect()
}

/// The keys of a curve in those intervals.
pub(super) fn key_points(curve: &Curve, intervals: &[TimeSpan]) -> Polyline {
    let is_within = |time: f64| {
        let after = intervals.partition_point(|[start, _]| *start <= time);
        intervals[..after].last().is_some_and(|[start, end]| time < *end || time == *start || *end == time)
    };
    let points = curve.keys.iter().map(|key| [f64::from(key.time), f64::from(key.value)]);
    points.filter(|[time, value]| value.is_finite() && is_within(*time)).collect()
}

/// Whether a curve is nothing but lines from key to key.
fn is_straight(curve: &Curve) -> bool {
    let rises = |keys: &[LinearKey]| keys.windows(2).all(|pair| pair[0].time < pair[1].time);
    !has_repeating_wrap(CurveRef::Float(curve)) && matches!(&curve.keys, Keys::Linear(keys) if rises(keys))
}

#[cfg(test)]
mod tests {
    use holotape::WrapMode;

    use super::*;

    const SPAN: Span = Span { start: 0.0, end: 10.0 };

    fn flag(keys: &[(f32, f32)]) -> BoolCurve {
        keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
    }

    #[test]
    fn a_flag_is_set_from_key_to_key() {
        let pinching = flag(&[(-2.0, 1.0), (1.0, 0.0), (4.0, 1.0), (4.5, 1.0), (6.0, 0.0), (9.0, 1.0)]);
        assert_eq!(true_spans(&pinching, SPAN, 1), [[0.0, 1.0], [4.0, 6.0], [9.0, 10.0]]);
        assert_eq!(true_spans(&BoolCurve::new(), SPAN, 1), [[0.0; 2]; 0]);
    }

    #[test]
    fn a_flag_that_repeats_itself_is_followed() {
        let blinking = BoolCurve { post_wrap: WrapMode::LOOP, ..flag(&[(0.0, 1.0), (1.0, 0.0), (2.0, 0.0)]) };
        let on = true_spans(&blinking, SPAN, 1000);
        assert_eq!(on.len(), 6, "{on:?}");
        assert!((on[2][0] - 4.0).abs() < 0.011 && (on[2][1] - 5.0).abs() < 0.011, "{on:?}");
    }

    #[test]
    fn what_is_no_number_parts_a_line() {
        let points = [[0.0, 1.0], [1.0, f64::NAN], [2.0, f64::INFINITY], [3.0, 2.0], [4.0, 3.0], [5.0, f64::NAN]];
        assert_eq!(split_at_gaps(points), [vec![[0.0, 1.0]], vec![[3.0, 2.0], [4.0, 3.0]]]);
    }

    #[test]
    fn a_curve_ends_where_its_interval_does() {
        let ramp = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(10.0, 10.0)]);
        let pieces = curve_polylines(&ramp, &[[1.0, 2.0], [7.5, 10.0]], SPAN, 1);
        let ends: Vec<_> = pieces.iter().map(|run| (run[0][1], run[run.len() - 1][1])).collect();
        assert!((ends[0].1 - 2.0).abs() < 1e-9 && (ends[1].1 - 10.0).abs() < 1e-9, "{ends:?}");
        assert_eq!((ends[0].0, ends[1].0), (1.0, 7.5));
    }
}
