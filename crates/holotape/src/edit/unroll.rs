//! Writes out repetitions outside the keys of a curve as keys.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::split::{LINEAR_SUBDIVISIONS, subdivide_linear};
use super::tangents::{linearize_in, linearize_out, reversed};
use super::times::move_times;
use crate::curve::{SegmentShape, turning_points};
use crate::error::Result;
use crate::{BezierKey, LinearKey, WrapMode};

impl EditableCurve {
    /// Whether the curve repeats outside its keys.
    pub(super) fn repeats(&self) -> bool {
        self.pre_wrap.repeats() || self.post_wrap.repeats()
    }

    /// Writes out the repetitions between two times. Outside of them the curve then clamps.
    pub(super) fn unroll(&mut self, from: f32, to: f32, budget: &mut KeyBudget) -> Result<()> {
        let Some((first, last)) = self.span().filter(|_| self.repeats()) else { return Ok(()) };
        let period = f64::from(last) - f64::from(first);
        let periods =
            |mode: WrapMode, secs: f64| if mode.repeats() && period > 0.0 && secs > 0.0 { secs / period } else { 0.0 };
        let before = periods(self.pre_wrap, f64::from(first) - f64::from(from)).ceil();
        // Includes a repetition that starts exactly at the end.
        let after = periods(self.post_wrap, f64::from(to) - f64::from(last));
        let after = if after > 0.0 { after.floor() + 1.0 } else { 0.0 };
        budget.spend((before + after) * self.keys.len() as f64)?;
        drop_unreachable(&mut self.keys);
        let mut unrolled = self.repetition(-(before as i64), budget)?;
        for index in 1 - before as i64..=after as i64 {
            let mut next = self.repetition(index, budget)?;
            let Some((start, _)) = next.span() else { continue };
            next.drop_before(start);
            let meets = next.keys.first().is_some_and(|key| unrolled.value_before(start) == Some(key.value));
            unrolled.append(next, meets);
        }
        self.keys = unrolled.keys;
        self.clamp();
        Ok(())
    }

    /// Sets repeating wrap modes to clamp forever.
    pub(super) fn clamp(&mut self) {
        for mode in [&mut self.pre_wrap, &mut self.post_wrap].into_iter().filter(|mode| mode.repeats()) {
            *mode = WrapMode::CLAMP_FOREVER;
        }
    }

    /// The keys of the repetition with this index; negative indexes are before the keys.
    fn repetition(&self, index: i64, budget: &mut KeyBudget) -> Result<Self> {
        let mut copy = self.clone();
        let Some((first, last)) = self.span().filter(|_| index != 0) else { return Ok(copy) };
        let [first, last] = [first, last].map(f64::from);
        let mode = if index < 0 { self.pre_wrap } else { self.post_wrap };
        let mut start = index as f64 * (last - first);
        if mode == WrapMode::PING_PONG && index % 2 != 0 {
            copy.keys = reverse_keys(copy.keys, budget)?;
            start += first + last;
        }
        move_times(copy.keys.iter_mut().map(|key| &mut key.time), |time| time + start)?;
        Ok(copy)
    }
}

/// Drops keys that are never evaluated. Of several keys at one time, only the first, where the curve arrives, and the
/// last, where it continues, are evaluated; after a step only the last.
fn drop_unreachable(keys: &mut Vec<BezierKey>) {
    let mut reachable: Vec<BezierKey> = Vec::with_capacity(keys.len());
    for key in keys.drain(..) {
        if let [.., k0, k1] = &mut reachable[..]
            && k1.time == key.time
        {
            if k0.time == k1.time {
                reachable.pop();
            } else if SegmentShape::between(k0, k1) == SegmentShape::Step {
                k0.out_tangent = f32::INFINITY;
                reachable.pop();
            }
        }
        reachable.push(key);
    }
    *keys = reachable;
}

/// The keys with time reversed, from minus the last time to minus the first.
fn reverse_keys(mut keys: Vec<BezierKey>, budget: &mut KeyBudget) -> Result<Vec<BezierKey>> {
    let mut back = Vec::with_capacity(keys.len());
    while let Some(mut k1) = keys.pop() {
        let Some(k0) = keys.last_mut() else {
            back.push(reversed(&k1));
            break;
        };
        if k0.time == k1.time {
            // The last of them is used at that time, also in reverse.
            k0.time = k0.time.next_down();
            linearize_out(k0);
            linearize_in(&mut k1);
        }
        match SegmentShape::between(k0, &k1) {
            SegmentShape::Step => push_reversed_step(&mut back, k0, k1),
            // Of several parameters for one time the last is used, which in reverse would be another one.
            SegmentShape::Bezier(w0, w1) if turning_points(w0, w1).iter().any(Option::is_some) => {
                budget.spend(LINEAR_SUBDIVISIONS as f64)?;
                let inner = subdivide_linear(k0, &mut k1);
                back.push(reversed(&k1));
                back.extend(inner.iter().rev().map(reversed));
            }
            _ => back.push(reversed(&k1)),
        }
    }
    Ok(back)
}

/// Pushes the second key of a step, which holds for one instant. After it comes the value of the first.
fn push_reversed_step(back: &mut Vec<BezierKey>, k0: &mut BezierKey, mut k1: BezierKey) {
    linearize_in(&mut k1);
    linearize_out(k0);
    let key = reversed(&k1);
    let held = LinearKey::new(key.time.next_up(), k0.value);
    back.push(key);
    if held.time < -k0.time {
        back.push(held.into());
    }
}
