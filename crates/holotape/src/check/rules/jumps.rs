//! Positions that jump further in one step than anything moves.

use glam::DVec3;

use super::CheckContext;
use crate::VectorKind;
use crate::check::CheckOptions;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::Spans;
use crate::vector::{VectorKey, vector_keys};

/// Away and back within this is one bad frame, not somebody waving.
const SPIKE_SECS: f64 = 0.1;

/// How near to where it was a spike ends, as a share of how far it went.
const RETURN_FRACTION: f64 = 0.3;

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for (vector, curves) in context.recording.vectors().filter(|(vector, _)| vector.kind() == VectorKind::Position) {
        let Some(keys) = vector_keys::<3>(curves) else { continue };
        let occurrences = jumps(&keys, context.tracked.for_vector(vector), context.options);
        findings.add(FindingKind::Jumps, &vector.curve_ids(), occurrences);
    }
}

fn jumps(rows: &[VectorKey<3>], spans: &Spans, options: &CheckOptions) -> Occurrences {
    let mut occurrences = Occurrences::default();
    let mut at = 1;
    while let Some([before, key]) = rows.get(at - 1..=at) {
        let far = distance(before, key);
        let after = rows.get(at + 1).filter(|after| is_spike(before, key, after, options));
        let is_jump = after.is_some() || is_too_fast(before, key, options);
        if far > options.min_jump_m
            && far.is_finite()
            && is_jump
            && spans.in_same_span(before.time_secs(), key.time_secs())
        {
            occurrences.add(key.time_secs(), far);
            // The way back is part of the same jump.
            at += usize::from(after.is_some());
        }
        at += 1;
    }
    occurrences
}

fn is_too_fast(a: &VectorKey<3>, b: &VectorKey<3>, options: &CheckOptions) -> bool {
    let secs = b.time_secs() - a.time_secs();
    secs > 0.0 && distance(a, b) > options.max_speed_m_per_sec * secs
}

fn is_spike(before: &VectorKey<3>, key: &VectorKey<3>, after: &VectorKey<3>, options: &CheckOptions) -> bool {
    let near = distance(before, key).min(distance(key, after));
    let is_brief = after.time_secs() - before.time_secs() < SPIKE_SECS;
    is_brief && near > options.min_jump_m && distance(before, after) < RETURN_FRACTION * near
}

fn distance(a: &VectorKey<3>, b: &VectorKey<3>) -> f64 {
    DVec3::from_array(a.values_f64()).distance(DVec3::from_array(b.values_f64()))
}
