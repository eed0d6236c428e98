//! Reads a vector's keys for the search and writes back the kept ones.

use super::SkipReason;
use crate::vector::{is_sign_flip, vector_keys};
use crate::{Curve, CurveRef, Keys};

/// The keys of a vector whose components share their key times and are linear between them.
#[derive(Debug)]
pub(super) struct VectorKeys<const N: usize> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<[f64; N]>,
}

impl<const N: usize> VectorKeys<N> {
    pub(super) fn from_curves(curves: &[Curve]) -> Result<Self, SkipReason> {
        if curves.iter().any(|curve| CurveRef::Float(curve).repeats()) {
            return Err(SkipReason::Repeats);
        }
        if !curves.iter().all(|curve| curve.keys.are_linear()) {
            return Err(SkipReason::NotLinear);
        }
        if !curves.iter().flat_map(|curve| curve.keys.iter()).all(|key| key.time.is_finite() && key.value.is_finite()) {
            return Err(SkipReason::NotFinite);
        }
        let keys = vector_keys(curves).ok_or(SkipReason::TimesDiffer)?;
        if !keys.is_sorted_by(|a, b| a.time < b.time) {
            return Err(SkipReason::TimesNotIncreasing);
        }
        let (times, values) = keys.iter().map(|key| (key.time_secs(), key.values_f64())).unzip();
        Ok(Self { times, values })
    }
}

/// Keeps only the keys with these indexes in each curve.
pub(super) fn retain_keys(curves: &mut [Curve], kept: &[usize]) {
    for curve in curves {
        match &mut curve.keys {
            Keys::Linear(keys) => *keys = kept.iter().map(|&key| keys[key]).collect(),
            Keys::Bezier(keys) => *keys = kept.iter().map(|&key| keys[key]).collect(),
        }
    }
}

/// Negates values where needed, so that no two consecutive quaternions have opposite signs.
///
/// A sign flip between frames spoils one frame in players that do not look for it. Where keys were dropped, it would
/// spoil many.
pub(super) fn align_signs(curves: &mut [Curve], values: &[[f64; 4]], kept: &[usize]) {
    let mut is_negated = false;
    let flips = kept.windows(2).map(|pair| is_sign_flip(values[pair[0]], values[pair[1]]));
    let negated: Vec<_> = std::iter::once(false)
        .chain(flips.map(|is_flip| {
            is_negated ^= is_flip;
            is_negated
        }))
        .collect();
    for curve in curves {
        let values = curve.keys.iter_mut().map(|(_, value)| value);
        values.zip(&negated).filter(|(_, is_negated)| **is_negated).for_each(|(value, _)| *value = -*value);
    }
}
