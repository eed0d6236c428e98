//! Drops non-finite keys, and the keys of the other components at the same times.

use super::keys::{group_by_key_times, retain, retain_masked};
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::rules::has_valid_tangents;
use crate::{BezierKey, Curve, CurveId, Keys, LinearKey, Recording};

/// Drops keys with a non-finite time or value, and makes keys with invalid tangents or weights linear.
pub(super) fn drop_non_finite(recording: &mut Recording, repaired: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let ids = vector.curve_ids();
        for (id, curve) in ids.iter().zip(&mut *curves) {
            repaired.add(FindingKind::NonFiniteValues, &[*id], linearize(curve));
        }
        for group in group_by_key_times(curves) {
            let ids: Vec<_> = group.iter().map(|component| ids[*component]).collect();
            let mut finite = FiniteMask::new(curves[group[0]].keys.iter());
            group.iter().for_each(|component| finite.mask_non_finite(curves[*component].keys.iter()));
            finite.add_to(repaired, &ids);
            if finite.drops_any() {
                group.iter().for_each(|component| retain(&mut curves[*component], &finite.is_kept));
            }
        }
    }
    super::flags::for_each_mut(recording, |id, flag| {
        let mut finite = FiniteMask::new(flag.keys.iter().copied());
        finite.mask_non_finite(flag.keys.iter().copied());
        finite.add_to(repaired, &[id]);
        retain_masked(&mut flag.keys, &finite.is_kept);
    });
}

/// Marks the keys that are finite in all of several curves.
struct FiniteMask {
    is_kept: Vec<bool>,
    non_finite_times: Occurrences,
    non_finite_values: Occurrences,
}

impl FiniteMask {
    fn new(keys: impl Iterator<Item = LinearKey>) -> Self {
        let is_kept: Vec<_> = keys.map(|key| key.time.is_finite()).collect();
        let non_finite_times = Occurrences::counted(is_kept.iter().filter(|is_kept| !**is_kept).count());
        Self { is_kept, non_finite_times, non_finite_values: Occurrences::default() }
    }

    fn mask_non_finite(&mut self, keys: impl Iterator<Item = LinearKey>) {
        for (is_kept, key) in self.is_kept.iter_mut().zip(keys) {
            if *is_kept && !key.value.is_finite() {
                *is_kept = false;
                self.non_finite_values.add(key.time.into(), 0.0);
            }
        }
    }

    fn drops_any(&self) -> bool {
        self.non_finite_times.count + self.non_finite_values.count > 0
    }

    fn add_to(&self, repaired: &mut FindingAggregator, ids: &[CurveId]) {
        repaired.add(FindingKind::NonFiniteTimes, ids, self.non_finite_times);
        repaired.add(FindingKind::NonFiniteValues, ids, self.non_finite_values);
    }
}

fn linearize(curve: &mut Curve) -> Occurrences {
    let mut occurrences = Occurrences::default();
    if let Keys::Bezier(keys) = &mut curve.keys {
        for key in keys.iter_mut().filter(|key| !has_valid_tangents(key)) {
            occurrences.add(key.time.into(), 0.0);
            *key = BezierKey::from(LinearKey::new(key.time, key.value));
        }
    }
    occurrences
}
