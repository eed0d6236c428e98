//! Two curves as the coordinates of one point, which is turned about the origin.

use super::align::aligned;
use super::budget::Budget;
use super::side::{straighten_in, straighten_out, weigh_in, weigh_out};
use super::split::{STRAIGHT_PIECES, split, straighten};
use super::strand::Strand;
use crate::curve::Shape;
use crate::error::Result;
use crate::pose::to_f32;
use crate::{BezierKey, LinearKey, WeightedMode};

/// A turn from the second of two axes towards the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    sin: f64,
    cos: f64,
}

/// Keys of two curves at one time.
type Pair = [BezierKey; 2];

impl Turn {
    pub(super) fn new(angle_deg: f64) -> Self {
        let (sin, cos) = angle_deg.to_radians().sin_cos();
        Self { sin, cos }
    }

    pub(super) fn of(self, [a, b]: [f64; 2]) -> [f64; 2] {
        [self.cos * a + self.sin * b, self.cos * b - self.sin * a]
    }

    /// Turns two curves, which get keys at the same times. If they repeat in different ways, they are written out over
    /// a span.
    pub(super) fn curves(self, curves: [&mut Strand; 2], span: (f32, f32), budget: &mut Budget) -> Result<()> {
        if curves.iter().any(|strand| strand.keys.is_empty()) {
            return Ok(()); // Without both there is no point.
        }
        let habits = curves.each_ref().map(|strand| (strand.pre_wrap, strand.post_wrap, strand.span()));
        let unroll = habits[0] != habits[1] && curves.iter().any(|strand| strand.repeats());
        let [a, b] = curves;
        if unroll {
            a.unroll(span.0, span.1, budget)?;
            b.unroll(span.0, span.1, budget)?;
        }
        let keys = self.keys(&matched(aligned(a, b), budget)?);
        let is_compact = a.is_compact && b.is_compact;
        for (n, strand) in [a, b].into_iter().enumerate() {
            strand.keys = keys.iter().map(|pair| pair[n]).collect();
            strand.is_compact = is_compact;
        }
        Ok(())
    }

    fn keys(self, keys: &[Pair]) -> Vec<Pair> {
        let turned_values = |pair: &Pair| {
            let [a, b] = to_f32(self.of(pair.map(|key| key.value.into())));
            [BezierKey { value: a, ..pair[0] }, BezierKey { value: b, ..pair[1] }]
        };
        let mut turned: Vec<_> = keys.iter().map(turned_values).collect();
        for (n, ends) in keys.windows(2).enumerate() {
            if let ([k0, k1], [from, to]) = (ends, &mut turned[n..n + 2]) {
                self.sides([k0, k1], [from, to]);
            }
        }
        turned
    }

    /// Turns the sides of keys that face each other. A line goes with any cubic: it is one itself, by its slope.
    fn sides(self, [k0, k1]: [&Pair; 2], [from, to]: [&mut Pair; 2]) {
        let shapes = shapes(k0, k1);
        if shapes == [Shape::Step; 2] {
            from.iter_mut().for_each(|key| key.out_tangent = f32::INFINITY);
            return;
        }
        if shapes == [Shape::Line; 2] || k0[0].time == k1[0].time {
            from.iter_mut().for_each(straighten_out);
            to.iter_mut().for_each(straighten_in);
            return;
        }
        let tangents = [0, 1].map(|n| tangents(shapes[n], &k0[n], &k1[n]));
        let [out, into] = [0, 1].map(|side| to_f32(self.of(tangents.map(|tangents| tangents[side]))));
        let weights = shapes.into_iter().find_map(weights);
        for n in 0..2 {
            (from[n].out_tangent, to[n].in_tangent) = (out[n], into[n]);
            weigh(&mut from[n], &mut to[n], weights);
        }
    }
}

/// Slopes out of one key and into the next.
fn tangents(shape: Shape, k0: &BezierKey, k1: &BezierKey) -> [f64; 2] {
    match shape {
        Shape::Line => {
            let [v0, v1, t0, t1] = [k0.value, k1.value, k0.time, k1.time].map(f64::from);
            [(v1 - v0) / (t1 - t0); 2]
        }
        _ => [k0.out_tangent, k1.in_tangent].map(f64::from),
    }
}

fn weights(shape: Shape) -> Option<[f32; 2]> {
    match shape {
        Shape::Bezier(w0, w1) => Some(to_f32([w0, w1])),
        Shape::Step | Shape::Line | Shape::Hermite => None,
    }
}

/// Makes these weights count between two keys, or none.
fn weigh(from: &mut BezierKey, to: &mut BezierKey, weights: Option<[f32; 2]>) {
    if let Some(weights) = weights {
        [from.out_weight, to.in_weight] = weights;
        weigh_out(from);
        weigh_in(to);
    } else {
        from.weighted_mode.0 &= !WeightedMode::OUT.0;
        to.weighted_mode.0 &= !WeightedMode::IN.0;
    }
}

fn shapes(k0: &Pair, k1: &Pair) -> [Shape; 2] {
    [0, 1].map(|n| Shape::between(&k0[n], &k1[n]))
}

/// Adds keys where two curves run in ways that no curve can mix.
fn matched(pairs: Vec<Pair>, budget: &mut Budget) -> Result<Vec<Pair>> {
    let mut all: Vec<Pair> = Vec::with_capacity(pairs.len());
    for mut next in pairs {
        if let Some(last) = all.last_mut().filter(|last| last[0].time < next[0].time) {
            let between = keys_between(last, &mut next, budget)?;
            all.extend(between);
        }
        all.push(next);
    }
    Ok(all)
}

/// The keys by which the two ways from one pair to the next can be mixed.
fn keys_between(last: &mut Pair, next: &mut Pair, budget: &mut Budget) -> Result<Vec<Pair>> {
    Ok(match shapes(last, next) {
        [Shape::Line, Shape::Hermite | Shape::Bezier(..)] | [Shape::Hermite | Shape::Bezier(..), Shape::Line] => {
            Vec::new()
        }
        [a, b] if a == b => Vec::new(),
        [Shape::Step, _] => keep_step(last, next, 0),
        [_, Shape::Step] => keep_step(last, next, 1),
        _ => {
            budget.take(STRAIGHT_PIECES as f64)?;
            let [a, b] = [0, 1].map(|n| straighten(&mut last[n], &mut next[n]));
            a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
        }
    })
}

/// Writes the step of one of two curves as a value that is held until just before it ends.
fn keep_step(last: &mut Pair, next: &mut Pair, step: usize) -> Vec<Pair> {
    let time = next[0].time.next_down();
    let held = LinearKey::new(time, last[step].value).into();
    straighten_out(&mut last[step]);
    straighten_in(&mut next[step]);
    if time <= last[0].time {
        return Vec::new();
    }
    let mut pair = [held; 2];
    pair[1 - step] = split(&mut last[1 - step], &mut next[1 - step], time);
    vec![pair]
}
