//! Rotations and directions of length 1, and rotations by the nearer of their two quaternions.

use super::keys::scale;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::TrackedSpans;
use crate::check::vector::{is_sign_flip, length, unit_length_error};
use crate::check::vector_curves::{VectorCurves, VectorKind, for_each_vector_mut, vector_keys};
use crate::{Curve, Recording};

/// Brings rotations and directions to length 1 where they are further from it than the tolerance.
pub(super) fn normalize(recording: &mut Recording, tolerance: f64, done: &mut FindingAggregator) {
    for_each_vector_mut(recording, |mut bundle| match bundle.meaning {
        VectorKind::Rotation => normalize_vector::<4>(&mut bundle, FindingKind::NonUnitRotations, tolerance, done),
        VectorKind::Direction => normalize_vector::<3>(&mut bundle, FindingKind::NonUnitDirections, tolerance, done),
        VectorKind::Position | VectorKind::Origin => {}
    });
}

fn normalize_vector<const N: usize>(
    bundle: &mut VectorCurves<&mut [Curve]>,
    fault: FindingKind,
    tolerance: f64,
    done: &mut FindingAggregator,
) {
    let Some(rows) = vector_keys::<N>(bundle.curves) else { return };
    let mut seen = Occurrences::default();
    for (key, row) in rows.iter().enumerate() {
        let Some(off) = unit_length_error(row.values, tolerance) else { continue };
        bundle.curves.iter_mut().for_each(|curve| scale(curve, key, 1.0 / length(row.values)));
        seen.add(row.time, off);
    }
    done.add(fault, &bundle.ids(), seen);
}

/// Negates rotations whose quaternion is on the far side of the one before. Where the hand was lost in between, either
/// side will do.
pub(super) fn fix_sign_flips(recording: &mut Recording, done: &mut FindingAggregator) {
    let recorded = TrackedSpans::new(recording);
    for_each_vector_mut(recording, |bundle| {
        let Some(rows) = vector_keys::<4>(bundle.curves) else { return };
        let spans = recorded.for_owner(bundle.owner);
        let mut seen = Occurrences::default();
        let mut negated = false;
        for (key, pair) in rows.windows(2).enumerate() {
            let flips = is_sign_flip(pair[0].values, pair[1].values);
            // A flip of what was negated is none, and the other way round.
            negated = spans.in_same_span(pair[0].time, pair[1].time) && negated != flips;
            if negated {
                bundle.curves.iter_mut().for_each(|curve| scale(curve, key + 1, -1.0));
                seen.add(pair[1].time, 0.0);
            }
        }
        done.add(FindingKind::SignFlips, &bundle.ids(), seen);
    });
}
