//! Rotations and directions: lost, zero, of the wrong length, of changing sign.

use super::CheckContext;
use crate::Curve;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::Spans;
use crate::check::vector::{is_sign_flip, is_zero, unit_length_error};
use crate::check::vector_curves::{VectorCurves, VectorKey, VectorKind, has_lost_w, vector_keys, vectors};

pub(super) fn check(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    for bundle in vectors(scene.recording) {
        match bundle.meaning {
            VectorKind::Rotation => check_rotation(scene, &bundle, tally),
            VectorKind::Direction => check_direction(scene, &bundle, tally),
            VectorKind::Position | VectorKind::Origin => {}
        }
    }
}

fn check_rotation(scene: CheckContext<'_>, bundle: &VectorCurves<&[Curve]>, tally: &mut FindingAggregator) {
    if has_lost_w(bundle.curves) {
        tally.add(FindingKind::RotationWLost, &bundle.ids(), lost_w(bundle.curves));
        return;
    }
    let Some(rows) = vector_keys::<4>(bundle.curves) else { return };
    tally.add(FindingKind::ZeroRotations, &bundle.ids(), zeros(&rows));
    tally.add(FindingKind::NonUnitRotations, &bundle.ids(), non_units(&rows, scene.options.unit_tolerance));
    tally.add(FindingKind::SignFlips, &bundle.ids(), flips(&rows, scene.recorded.for_owner(bundle.owner)));
}

fn check_direction(scene: CheckContext<'_>, bundle: &VectorCurves<&[Curve]>, tally: &mut FindingAggregator) {
    let Some(rows) = vector_keys::<3>(bundle.curves) else { return };
    tally.add(FindingKind::ZeroDirections, &bundle.ids(), zeros(&rows));
    tally.add(FindingKind::NonUnitDirections, &bundle.ids(), non_units(&rows, scene.options.unit_tolerance));
}

/// The keys that x has and w has not.
fn lost_w(rotation: &[Curve]) -> Occurrences {
    let [x, .., w] = rotation else { return Occurrences::default() };
    let mut seen = Occurrences::default();
    x.keys.iter().skip(w.keys.len()).for_each(|key| seen.add(key.time.into(), 0.0));
    seen
}

fn zeros<const N: usize>(rows: &[VectorKey<N>]) -> Occurrences {
    let mut seen = Occurrences::default();
    rows.iter().filter(|row| is_zero(row.values)).for_each(|row| seen.add(row.time, 0.0));
    seen
}

fn non_units<const N: usize>(rows: &[VectorKey<N>], tolerance: f64) -> Occurrences {
    let mut seen = Occurrences::default();
    for row in rows {
        if let Some(off) = unit_length_error(row.values, tolerance) {
            seen.add(row.time, off);
        }
    }
    seen
}

fn flips(rows: &[VectorKey<4>], spans: &Spans) -> Occurrences {
    let mut seen = Occurrences::default();
    for pair in rows.windows(2).filter(|pair| is_sign_flip(pair[0].values, pair[1].values)) {
        if spans.in_same_span(pair[0].time, pair[1].time) {
            seen.add(pair[1].time, 0.0);
        }
    }
    seen
}
