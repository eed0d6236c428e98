//! Normalizes rotations and directions, and fixes sign flips of quaternions.

use super::keys::scale;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::TrackedSpans;
use crate::check::unit_length::{length, unit_length_error};
use crate::vector::{is_sign_flip, vector_keys};
use crate::{Curve, Recording, VectorKind};

/// Scales rotations and directions to length 1 where they deviate by more than the tolerance.
pub(super) fn normalize(recording: &mut Recording, tolerance: f64, repaired: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let (kind, occurrences) = match vector.kind() {
            VectorKind::Rotation => (FindingKind::NonUnitRotations, normalize_keys::<4>(curves, tolerance)),
            VectorKind::Direction => (FindingKind::NonUnitDirections, normalize_keys::<3>(curves, tolerance)),
            VectorKind::Position => continue,
        };
        repaired.add(kind, &vector.curve_ids(), occurrences);
    }
}

fn normalize_keys<const N: usize>(curves: &mut [Curve], tolerance: f64) -> Occurrences {
    let mut occurrences = Occurrences::default();
    for (index, key) in vector_keys::<N>(curves).unwrap_or_default().iter().enumerate() {
        let values = key.values_f64();
        let Some(error) = unit_length_error(values, tolerance) else { continue };
        curves.iter_mut().for_each(|curve| scale(curve, index, 1.0 / length(values)));
        occurrences.add(key.time_secs(), error);
    }
    occurrences
}

/// Negates quaternions whose sign differs from the previous key's. Signs on both sides of a tracking gap may differ.
pub(super) fn fix_sign_flips(recording: &mut Recording, repaired: &mut FindingAggregator) {
    let tracked = TrackedSpans::new(recording);
    for (vector, curves) in recording.vectors_mut().filter(|(vector, _)| vector.kind() == VectorKind::Rotation) {
        let spans = tracked.for_vector(vector);
        let mut occurrences = Occurrences::default();
        let mut is_negated = false;
        for (index, pair) in vector_keys::<4>(curves).unwrap_or_default().windows(2).enumerate() {
            let is_flip = is_sign_flip(pair[0].values_f64(), pair[1].values_f64());
            // After a negated key, a key that flips back has the right sign already.
            is_negated = spans.in_same_span(pair[0].time_secs(), pair[1].time_secs()) && is_negated != is_flip;
            if is_negated {
                curves.iter_mut().for_each(|curve| scale(curve, index + 1, -1.0));
                occurrences.add(pair[1].time_secs(), 0.0);
            }
        }
        repaired.add(FindingKind::SignFlips, &vector.curve_ids(), occurrences);
    }
}
