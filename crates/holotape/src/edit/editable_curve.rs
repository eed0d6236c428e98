//! A curve while an edit changes it.

use super::budget::KeyBudget;
use super::split::split;
use super::tangents::{join_sides, linearize_in, linearize_out, negate};
use super::times::move_times;
use crate::curve::{SegmentShape, sort_by_time};
use crate::error::Result;
use crate::{BezierKey, BoolCurve, Curve, Keys, LinearKey, WrapMode};

/// The keys of a curve, sorted by time and always in the full layout. All times are finite.
#[derive(Clone, Debug)]
pub(super) struct EditableCurve {
    pub(super) keys: Vec<BezierKey>,
    pub(super) pre_wrap: WrapMode,
    pub(super) post_wrap: WrapMode,
    /// Whether the curve has compact keys: all segments are linear.
    pub(super) is_compact: bool,
}

impl EditableCurve {
    pub(super) fn new(curve: &Curve) -> Self {
        let (mut keys, is_compact) = match &curve.keys {
            Keys::Linear(keys) => (keys.iter().map(|key| BezierKey::from(*key)).collect(), true),
            Keys::Bezier(keys) => (keys.clone(), false),
        };
        sort_by_time(&mut keys);
        Self { keys, pre_wrap: curve.pre_wrap, post_wrap: curve.post_wrap, is_compact }
    }

    /// A boolean curve as steps.
    pub(super) fn from_bool_curve(curve: &BoolCurve) -> Self {
        let step = |key: &LinearKey| BezierKey { out_tangent: f32::INFINITY, ..BezierKey::from(*key) };
        let mut keys: Vec<_> = curve.keys.iter().map(step).collect();
        sort_by_time(&mut keys);
        Self { keys, pre_wrap: curve.pre_wrap, post_wrap: curve.post_wrap, is_compact: false }
    }

    pub(super) fn into_curve(self) -> Curve {
        let Self { keys, pre_wrap, post_wrap, is_compact } = self;
        let keys = if is_compact { Keys::Linear(linear_keys(&keys).collect()) } else { Keys::Bezier(keys) };
        Curve { pre_wrap, post_wrap, keys }
    }

    pub(super) fn into_bool_curve(self) -> BoolCurve {
        let Self { keys, pre_wrap, post_wrap, .. } = self;
        BoolCurve { pre_wrap, post_wrap, keys: linear_keys(&keys).collect() }
    }

    /// The times of the first and the last key.
    pub(super) fn span(&self) -> Option<(f32, f32)> {
        self.keys.first().zip(self.keys.last()).map(|(first, last)| (first.time, last.time))
    }

    /// Keeps the part within a span, with a key at both ends where the curve continues beyond it. A curve that lies
    /// completely before or after the span becomes one key at that end. Repetitions are unrolled.
    pub(super) fn clip(&mut self, from: f32, to: f32, budget: &mut KeyBudget) -> Result<()> {
        self.unroll(from, to, budget)?;
        let Some((first, last)) = self.span() else { return Ok(()) };
        if to < first {
            self.keys.truncate(1);
            self.keys[0].time = to;
        } else if last < from {
            self.keys.drain(..self.keys.len() - 1);
            self.keys[0].time = from;
        } else {
            self.split_at(to);
            self.split_at(from);
            self.keys.truncate(self.keys.partition_point(|key| key.time <= to));
            self.drop_before(from);
        }
        Ok(())
    }

    fn split_at(&mut self, time: f32) {
        let after = self.keys.partition_point(|key| key.time <= time);
        if let Some([k0, k1]) = after.checked_sub(1).and_then(|before| self.keys.get_mut(before..=after))
            && k0.time < time
        {
            let key = split(k0, k1, time);
            self.keys.insert(after, key);
        }
    }

    /// Drops all keys before the last key at a time, which is the one that is used.
    pub(super) fn drop_before(&mut self, time: f32) {
        let start = self.keys.partition_point(|key| key.time <= time).saturating_sub(1);
        self.keys.drain(..start);
    }

    /// Adds a key with the first value at a time before all keys.
    pub(super) fn extend_start(&mut self, time: f32) {
        if let Some(first) = self.keys.first_mut().filter(|first| time < first.time) {
            linearize_in(first);
            let held = LinearKey::new(time, first.value);
            self.keys.insert(0, held.into());
        }
    }

    pub(super) fn shift(&mut self, secs: f64) -> Result<()> {
        move_times(self.keys.iter_mut().map(|key| &mut key.time), |time| time + secs)
    }

    pub(super) fn negate(&mut self) {
        self.keys.iter_mut().for_each(negate);
    }

    /// The value just before a time.
    pub(super) fn value_before(&self, time: f32) -> Option<f32> {
        let (before, after) = self.keys.split_at(self.keys.partition_point(|key| key.time < time));
        match (before.last(), after.first()) {
            (Some(k0), Some(k1)) if SegmentShape::between(k0, k1) == SegmentShape::Step => Some(k0.value),
            (before, after) => after.or(before).map(|key| key.value),
        }
    }

    /// Appends another curve, which replaces all keys from its start on. If the two do not meet in one value, this curve
    /// ends at the last representable time before the start of the other, so that there is no interpolation.
    pub(super) fn append(&mut self, next: Self, meets: bool) {
        let Self { keys: mut next, is_compact, .. } = next;
        let Some(first) = next.first_mut() else { return };
        let kept = self.keys.partition_point(|key| key.time < first.time);
        let end = self.keys.get(kept).copied();
        self.keys.truncate(kept);
        match (self.keys.last_mut(), end) {
            (Some(last), Some(end)) if SegmentShape::between(last, &end) == SegmentShape::Step => {
                last.out_tangent = f32::INFINITY
            }
            (_, Some(end)) if meets => *first = join_sides(&end, first),
            (_, Some(end)) => {
                linearize_in(first);
                self.end_before(first.time, end);
            }
            (_, None) => {
                linearize_in(first);
                self.hold_until(first.time, meets);
            }
        }
        self.is_compact &= is_compact;
        self.keys.append(&mut next);
    }

    /// Adds a last key just before a time.
    fn end_before(&mut self, time: f32, mut end: BezierKey) {
        end.time = time.next_down();
        linearize_out(&mut end);
        self.keys.truncate(self.keys.partition_point(|key| key.time < end.time));
        self.keys.push(end);
    }

    /// Holds the last value until a time if it is the same there, or until just before it otherwise.
    fn hold_until(&mut self, time: f32, is_same: bool) {
        let Some(last) = self.keys.last_mut() else { return };
        linearize_out(last);
        let held = LinearKey::new(time.next_down(), last.value);
        if !is_same && last.time < held.time {
            self.keys.push(held.into());
        }
    }
}

fn linear_keys(keys: &[BezierKey]) -> impl Iterator<Item = LinearKey> {
    keys.iter().map(|key| LinearKey::new(key.time, key.value))
}
