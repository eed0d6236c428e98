//! Positions that jump in one step.

use glam::DVec3;

use super::CheckContext;
use crate::VectorKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::spans::Spans;
use crate::check::{CheckOptions, FindingKind};
use crate::vector::{VectorKey, vector_keys};

/// Away and back within this time is a tracking error, not a movement.
const SPIKE_SECS: f64 = 0.1;

/// How close to its start a spike ends, as a fraction of its height.
const RETURN_FRACTION: f64 = 0.3;

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for (vector, curves) in context.recording.vectors().filter(|(vector, _)| vector.kind() == VectorKind::Position) {
        let Some(keys) = vector_keys::<3>(curves) else { continue };
        let occurrences = jumps(&keys, context.tracked.for_vector(vector), context.options);
        findings.add(FindingKind::PositionJumps, &vector.curve_ids(), occurrences);
    }
}

fn jumps(keys: &[VectorKey<3>], spans: &Spans, options: &CheckOptions) -> Occurrences {
    let mut occurrences = Occurrences::default();
    let mut index = 1;
    while let Some([before, key]) = keys.get(index - 1..=index) {
        let distance_m = distance(before, key);
        let is_spike = keys.get(index + 1).is_some_and(|after| is_spike(before, key, after, options));
        let is_jump = distance_m > options.min_jump_m && (is_spike || is_too_fast(before, key, options));
        if is_jump && distance_m.is_finite() && spans.in_same_span(before.time_secs(), key.time_secs()) {
            occurrences.add(key.time_secs(), distance_m);
            // The step back is part of the same jump.
            index += usize::from(is_spike);
        }
        index += 1;
    }
    occurrences
}

fn is_too_fast(a: &VectorKey<3>, b: &VectorKey<3>, options: &CheckOptions) -> bool {
    let secs = b.time_secs() - a.time_secs();
    secs > 0.0 && distance(a, b) > options.max_speed_m_per_sec * secs
}

fn is_spike(before: &VectorKey<3>, key: &VectorKey<3>, after: &VectorKey<3>, options: &CheckOptions) -> bool {
    let height = distance(before, key).min(distance(key, after));
    let is_brief = after.time_secs() - before.time_secs() < SPIKE_SECS;
    is_brief && height > options.min_jump_m && distance(before, after) < RETURN_FRACTION * height
}

fn distance(a: &VectorKey<3>, b: &VectorKey<3>) -> f64 {
    DVec3::from_array(a.values_f64()).distance(DVec3::from_array(b.values_f64()))
}
