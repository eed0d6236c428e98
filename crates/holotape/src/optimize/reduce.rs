//! Reduces one vector: reads its keys, searches for the minimal set, measures the error, and writes the keys back.

use super::SkipReason;
use super::keyed_motion::{KeyedMotion, dot};
use super::positions::Positions;
use super::search::minimal_keys;
use super::unit_vectors::UnitVectors;
use super::vector_keys::{VectorKeys, align_signs, retain_keys};
use crate::{Curve, Tolerance, VectorKind};

/// Reduces a vector and returns the largest error, in metres or degrees.
pub(super) fn reduce(curves: &mut [Curve], kind: VectorKind, tolerance: Tolerance) -> Result<f64, SkipReason> {
    match kind {
        VectorKind::Position => reduce_position(curves, clamp_tolerance(tolerance.position_m)),
        VectorKind::Direction => {
            let keys = VectorKeys::<3>::from_curves(curves)?;
            let (kept, error_deg) = reduce_unit_vectors(&keys, clamp_tolerance(tolerance.rotation_deg), kind)?;
            retain_keys(curves, &kept);
            Ok(error_deg)
        }
        VectorKind::Rotation => {
            let keys = VectorKeys::<4>::from_curves(curves)?;
            let (kept, error_deg) = reduce_unit_vectors(&keys, clamp_tolerance(tolerance.rotation_deg), kind)?;
            if kept.len() < keys.times.len() {
                retain_keys(curves, &kept);
                align_signs(curves, &keys.values, &kept);
            }
            Ok(error_deg)
        }
    }
}

/// Negative tolerances and NaN count as 0.
fn clamp_tolerance(tolerance: f64) -> f64 {
    tolerance.max(0.0)
}

fn reduce_position(curves: &mut [Curve], tolerance_m: f64) -> Result<f64, SkipReason> {
    let VectorKeys { times, values } = VectorKeys::from_curves(curves)?;
    let positions = Positions::new(&times, &values, tolerance_m);
    let kept = minimal_keys(&positions);
    retain_keys(curves, &kept);
    Ok(max_squared_error(&positions, &kept).sqrt())
}

/// Returns the keys to keep and the largest error in degrees.
fn reduce_unit_vectors<const N: usize>(
    VectorKeys { times, values }: &VectorKeys<N>,
    tolerance_deg: f64,
    kind: VectorKind,
) -> Result<(Vec<usize>, f64), SkipReason> {
    let is_zero = |value: &[f64; N]| value.iter().all(|x| *x == 0.0);
    if !values.iter().all(|value| is_zero(value) || (0.25..=4.0).contains(&dot(value, value))) {
        return Err(SkipReason::NotUnit);
    }
    let (mut kept, mut largest_deg) = (Vec::new(), 0.0_f64);
    let mut first = 0;
    // A zero vector has no direction, so no segment may pass it: the keys on either side are reduced separately.
    for values in values.chunk_by(|a, b| is_zero(a) == is_zero(b)) {
        let last = first + values.len() - 1;
        if is_zero(&values[0]) {
            kept.push(first);
            kept.extend((last > first).then_some(last));
        } else {
            let units = UnitVectors::new(&times[first..=last], values, tolerance_deg, kind);
            let keys = minimal_keys(&units);
            largest_deg = largest_deg.max(units.angle_deg(max_squared_error(&units, &keys)));
            kept.extend(keys.iter().map(|key| first + key));
        }
        first = last + 1;
    }
    Ok((kept, largest_deg))
}

fn max_squared_error<M: KeyedMotion>(motion: &M, kept: &[usize]) -> f64 {
    let segment_error = |segment: &[usize]| {
        let line = motion.line(segment[0], segment[1]);
        (segment[0] + 1..segment[1]).map(|key| motion.square_error(&line, key)).fold(0.0, f64::max)
    };
    kept.windows(2).map(segment_error).fold(0.0, f64::max)
}
