//! One position, rotation or direction reduced: read, searched, measured, written back.

use super::SkipReason;
use super::keyed_motion::{KeyedMotion, dot};
use super::positions::Positions;
use super::search::minimal_keys;
use super::unit_vectors::{UnitVectorKind, UnitVectors};
use super::vector_keys::{VectorKeys, negate_keys, retain_keys};
use crate::Curve;

/// Reduces a position and gives the largest error, in metres.
pub(super) fn reduce_position(curves: &mut [Curve; 3], tolerance_m: f64) -> Result<f64, SkipReason> {
    let VectorKeys { times, values } = VectorKeys::from_curves(curves)?;
    let places = Positions::new(&times, &values, clamp_tolerance(tolerance_m));
    let kept = minimal_keys(&places);
    retain_keys(curves, &kept);
    Ok(largest_square_error(&places, &kept).sqrt())
}

/// Reduces a direction and gives the largest error, in degrees.
pub(super) fn reduce_direction(curves: &mut [Curve; 3], tolerance_deg: f64) -> Result<f64, SkipReason> {
    let (kept, error_deg) =
        reduce_unit_vectors(&VectorKeys::from_curves(curves)?, tolerance_deg, UnitVectorKind::Direction)?;
    retain_keys(curves, &kept);
    Ok(error_deg)
}

/// Reduces a rotation and gives the largest error, in degrees.
pub(super) fn reduce_rotation(curves: &mut [Curve; 4], tolerance_deg: f64) -> Result<f64, SkipReason> {
    let knots = VectorKeys::from_curves(curves)?;
    let (kept, error_deg) = reduce_unit_vectors(&knots, tolerance_deg, UnitVectorKind::Rotation)?;
    if kept.len() < knots.times.len() {
        retain_keys(curves, &kept);
        negate_keys(curves, &sign_flips(&knots.values, &kept));
    }
    Ok(error_deg)
}

/// Which of the kept quaternions have to be negated so that none is on the far side of the one before it. A change of
/// sign between frames spoils one frame for those who do not look for it; where keys are left out it would spoil many.
fn sign_flips(values: &[[f64; 4]], kept: &[usize]) -> Vec<bool> {
    let mut is_far = false;
    let changes = kept.windows(2).map(|pair| dot(&values[pair[0]], &values[pair[1]]) < 0.0);
    let rest = changes.map(|changes| {
        is_far ^= changes;
        is_far
    });
    std::iter::once(false).chain(rest).collect()
}

/// The keys to keep, and the largest error in degrees.
fn reduce_unit_vectors<const N: usize>(
    VectorKeys { times, values }: &VectorKeys<N>,
    tolerance_deg: f64,
    meaning: UnitVectorKind,
) -> Result<(Vec<usize>, f64), SkipReason> {
    let is_zero = |value: &[f64; N]| value.iter().all(|x| *x == 0.0);
    if !values.iter().all(|value| is_zero(value) || (0.25..=4.0).contains(&dot(value, value))) {
        return Err(SkipReason::NotUnit);
    }
    let (mut kept, mut largest_deg) = (Vec::new(), 0.0_f64);
    let mut first = 0;
    // Zero has no direction and is not on the way from one to another: what is on either side of it is reduced by itself.
    for values in values.chunk_by(|a, b| is_zero(a) == is_zero(b)) {
        let last = first + values.len() - 1;
        if is_zero(&values[0]) {
            kept.push(first);
            kept.extend((last > first).then_some(last));
        } else {
            let turns = UnitVectors::new(&times[first..=last], values, clamp_tolerance(tolerance_deg), meaning);
            let keys = minimal_keys(&turns);
            largest_deg = largest_deg.max(turns.angle_deg(largest_square_error(&turns, &keys)));
            kept.extend(keys.iter().map(|key| first + key));
        }
        first = last + 1;
    }
    Ok((kept, largest_deg))
}

/// What is below 0, or no number, allows nothing.
fn clamp_tolerance(tolerance: f64) -> f64 {
    tolerance.max(0.0)
}

fn largest_square_error<M: KeyedMotion>(motion: &M, kept: &[usize]) -> f64 {
    let of_span = |span: &[usize]| {
        let line = motion.line(span[0], span[1]);
        (span[0] + 1..span[1]).map(|key| motion.square_error(&line, key)).fold(0.0, f64::max)
    };
    kept.windows(2).map(of_span).fold(0.0, f64::max)
}
