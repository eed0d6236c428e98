//! Rotations and directions: lost w, zero vectors, vectors that are not of unit length, sign flips.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::Spans;
use crate::check::unit_length::{is_zero, unit_length_error};
use crate::vector::{VectorKey, has_lost_w, is_sign_flip, vector_keys};
use crate::{Curve, VectorId, VectorKind};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for (vector, curves) in context.recording.vectors() {
        match vector.kind() {
            VectorKind::Rotation => check_rotation(context, vector, curves, findings),
            VectorKind::Direction => check_direction(context, vector, curves, findings),
            VectorKind::Position => {}
        }
    }
}

fn check_rotation(context: CheckContext<'_>, vector: VectorId, curves: &[Curve], findings: &mut FindingAggregator) {
    let ids = vector.curve_ids();
    if has_lost_w(curves) {
        findings.add(FindingKind::RotationWLost, &ids, lost_w(curves));
        return;
    }
    let Some(keys) = vector_keys::<4>(curves) else { return };
    findings.add(FindingKind::ZeroRotations, &ids, zeros(&keys));
    findings.add(FindingKind::NonUnitRotations, &ids, non_units(&keys, context.options.unit_tolerance));
    findings.add(FindingKind::SignFlips, &ids, sign_flips(&keys, context.tracked.for_vector(vector)));
}

fn check_direction(context: CheckContext<'_>, vector: VectorId, curves: &[Curve], findings: &mut FindingAggregator) {
    let Some(keys) = vector_keys::<3>(curves) else { return };
    let ids = vector.curve_ids();
    findings.add(FindingKind::ZeroDirections, &ids, zeros(&keys));
    findings.add(FindingKind::NonUnitDirections, &ids, non_units(&keys, context.options.unit_tolerance));
}

/// The keys of x that w lacks.
fn lost_w(rotation: &[Curve]) -> Occurrences {
    let [x, .., w] = rotation else { return Occurrences::default() };
    Occurrences::at_times(x.keys.iter().skip(w.keys.len()).map(|key| key.time))
}

fn zeros<const N: usize>(keys: &[VectorKey<N>]) -> Occurrences {
    Occurrences::at_times(keys.iter().filter(|key| is_zero(key.values)).map(|key| key.time))
}

fn non_units<const N: usize>(keys: &[VectorKey<N>], tolerance: f64) -> Occurrences {
    let error = |key: &VectorKey<N>| Some((key.time_secs(), unit_length_error(key.values_f64(), tolerance)?));
    keys.iter().filter_map(error).collect()
}

fn sign_flips(keys: &[VectorKey<4>], spans: &Spans) -> Occurrences {
    let flips = keys.windows(2).filter(|pair| is_sign_flip(pair[0].values_f64(), pair[1].values_f64()));
    let within_spans = flips.filter(|pair| spans.in_same_span(pair[0].time_secs(), pair[1].time_secs()));
    Occurrences::at_times(within_spans.map(|pair| pair[1].time))
}
