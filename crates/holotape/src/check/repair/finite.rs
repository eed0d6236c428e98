//! Keys that are no numbers go, and with them the same key of the other components.

use super::keys::{group_by_key_times, retain, retain_masked};
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::rules::has_valid_tangents;
use crate::{BezierKey, Curve, CurveId, Keys, LinearKey, Recording};

/// Drops keys whose time or value is not a finite number, and makes straight those with such tangents or weights.
pub(super) fn drop_non_finite(recording: &mut Recording, done: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let ids = vector.curve_ids();
        for (id, curve) in ids.iter().zip(&mut *curves) {
            done.add(FindingKind::NonFiniteValues, &[*id], linearize(curve));
        }
        for group in group_by_key_times(curves) {
            let ids: Vec<_> = group.iter().map(|component| ids[*component]).collect();
            let mut finite = FiniteMask::new(curves[group[0]].keys.iter());
            group.iter().for_each(|component| finite.mask_non_finite(curves[*component].keys.iter()));
            finite.add_to(done, &ids);
            if finite.drops_any() {
                group.iter().for_each(|component| retain(&mut curves[*component], &finite.marks));
            }
        }
    }
    super::flags::for_each_mut(recording, |id, flag| {
        let mut finite = FiniteMask::new(flag.keys.iter().copied());
        finite.mask_non_finite(flag.keys.iter().copied());
        finite.add_to(done, &[id]);
        retain_masked(&mut flag.keys, &finite.marks);
    });
}

/// Which keys of some curves are finite in all of them.
struct FiniteMask {
    marks: Vec<bool>,
    without_time: Occurrences,
    without_value: Occurrences,
}

impl FiniteMask {
    fn new(keys: impl Iterator<Item = LinearKey>) -> Self {
        let marks: Vec<_> = keys.map(|key| key.time.is_finite()).collect();
        let without_time = Occurrences::counted(marks.iter().filter(|mark| !**mark).count());
        Self { marks, without_time, without_value: Occurrences::default() }
    }

    fn mask_non_finite(&mut self, keys: impl Iterator<Item = LinearKey>) {
        for (mark, key) in self.marks.iter_mut().zip(keys) {
            if *mark && !key.value.is_finite() {
                *mark = false;
                self.without_value.add(key.time.into(), 0.0);
            }
        }
    }

    fn drops_any(&self) -> bool {
        self.without_time.count + self.without_value.count > 0
    }

    fn add_to(&self, done: &mut FindingAggregator, ids: &[CurveId]) {
        done.add(FindingKind::NonFiniteTimes, ids, self.without_time);
        done.add(FindingKind::NonFiniteValues, ids, self.without_value);
    }
}

fn linearize(curve: &mut Curve) -> Occurrences {
    let mut seen = Occurrences::default();
    if let Keys::Bezier(keys) = &mut curve.keys {
        for key in keys.iter_mut().filter(|key| !has_valid_tangents(key)) {
            seen.add(key.time.into(), 0.0);
            *key = BezierKey::from(LinearKey::new(key.time, key.value));
        }
    }
    seen
}
