//! Values over time as polylines with gaps where there is no value.

use holotape::{BoolCurve, Curve, CurveRef, Keys, LinearKey};

use super::span::Span;

/// Time in seconds, and value.
pub(super) type Point = [f64; 2];

/// Points without gaps.
pub(super) type Polyline = Vec<Point>;

/// Start and end in seconds; may be equal.
pub(super) type TimeSpan = [f64; 2];

/// Splits points at non-finite values.
pub(super) fn split_at_gaps(points: impl IntoIterator<Item = Point>) -> Vec<Polyline> {
    let mut polylines = vec![Polyline::new()];
    for point in points {
        match polylines.last_mut() {
            Some(polyline) if point[1].is_finite() => polyline.push(point),
            Some(polyline) if !polyline.is_empty() => polylines.push(Polyline::new()),
            _ => {}
        }
    }
    polylines.retain(|polyline| !polyline.is_empty());
    polylines
}

/// The spans in which a flag is true. Repeating curves are sampled at `steps` times.
pub(super) fn true_spans(flag: &BoolCurve, span: Span, steps: usize) -> Vec<TimeSpan> {
    let keys = flag.keys.iter().map(|key| f64::from(key.time));
    let repeats = CurveRef::Bool(flag).repeats();
    let steps = span.steps(steps).filter(|_| repeats);
    let flag = flag.evaluator();
    let mut spans: Vec<TimeSpan> = Vec::new();
    let mut is_set = false;
    for time in span.times(keys.chain(steps)) {
        match (is_set, flag.value_at(time)) {
            (false, true) => spans.push([time, span.end]),
            (true, false) => spans.last_mut().into_iter().for_each(|last| last[1] = time),
            _ => {}
        }
        is_set = flag.value_at(time);
    }
    spans
}

/// A curve as Unity evaluates it, within the given spans.
pub(super) fn curve_polylines(curve: &Curve, spans: &[TimeSpan], span: Span, steps: usize) -> Vec<Polyline> {
    let keys = curve.keys.iter().map(|key| f64::from(key.time));
    let is_linear = is_linear(curve);
    let times = span.times(keys.chain(span.steps(steps).filter(|_| !is_linear)));
    let curve = curve.evaluator();
    let point = |time: f64| [time, curve.value_at(time).unwrap_or(f64::NAN)];
    let polylines = |[start, end]: &TimeSpan| {
        let after = &times[times.partition_point(|time| time <= start)..];
        let within = &after[..after.partition_point(|time| time < end)];
        // Spans exclude their end: the next value starts there.
        let last = (end > start).then(|| end.next_down());
        split_at_gaps([*start].into_iter().chain(within.iter().copied()).chain(last).map(point))
    };
    spans.iter().flat_map(polylines).collect()
}

/// The keys of a curve within the given spans.
pub(super) fn key_points(curve: &Curve, spans: &[TimeSpan]) -> Polyline {
    let is_within = |time: f64| {
        let after = spans.partition_point(|[start, _]| *start <= time);
        spans[..after].last().is_some_and(|[start, end]| time < *end || time == *start || *end == time)
    };
    let points = curve.keys.iter().map(|key| [f64::from(key.time), f64::from(key.value)]);
    points.filter(|[time, value]| value.is_finite() && is_within(*time)).collect()
}

/// Whether a curve is piecewise linear with increasing times, without repeats.
fn is_linear(curve: &Curve) -> bool {
    let rises = |keys: &[LinearKey]| keys.is_sorted_by(|a, b| a.time < b.time);
    !CurveRef::Float(curve).repeats() && matches!(&curve.keys, Keys::Linear(keys) if rises(keys))
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
    fn true_spans_extend_from_key_to_key() {
        let pinching = flag(&[(-2.0, 1.0), (1.0, 0.0), (4.0, 1.0), (4.5, 1.0), (6.0, 0.0), (9.0, 1.0)]);
        assert_eq!(true_spans(&pinching, SPAN, 1), [[0.0, 1.0], [4.0, 6.0], [9.0, 10.0]]);
        assert_eq!(true_spans(&BoolCurve::new(), SPAN, 1), [[0.0; 2]; 0]);
    }

    #[test]
    fn true_spans_follow_repeating_flags() {
        let blinking = BoolCurve { post_wrap: WrapMode::LOOP, ..flag(&[(0.0, 1.0), (1.0, 0.0), (2.0, 0.0)]) };
        let on = true_spans(&blinking, SPAN, 1000);
        assert_eq!(on.len(), 6, "{on:?}");
        assert!((on[2][0] - 4.0).abs() < 0.011 && (on[2][1] - 5.0).abs() < 0.011, "{on:?}");
    }

    #[test]
    fn split_at_gaps_splits_at_non_finite_values() {
        let points = [[0.0, 1.0], [1.0, f64::NAN], [2.0, f64::INFINITY], [3.0, 2.0], [4.0, 3.0], [5.0, f64::NAN]];
        assert_eq!(split_at_gaps(points), [vec![[0.0, 1.0]], vec![[3.0, 2.0], [4.0, 3.0]]]);
    }

    #[test]
    fn curve_polylines_end_with_their_spans() {
        let ramp = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(10.0, 10.0)]);
        let polylines = curve_polylines(&ramp, &[[1.0, 2.0], [7.5, 10.0]], SPAN, 1);
        let ends: Vec<_> = polylines.iter().map(|polyline| (polyline[0][1], polyline[polyline.len() - 1][1])).collect();
        assert!((ends[0].1 - 2.0).abs() < 1e-9 && (ends[1].1 - 10.0).abs() < 1e-9, "{ends:?}");
        assert_eq!((ends[0].0, ends[1].0), (1.0, 7.5));
    }
}
