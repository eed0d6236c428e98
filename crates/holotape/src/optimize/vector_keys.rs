//! Curves that are reduced together: read as one list of keys, and written back with fewer.

use super::SkipReason;
use crate::{BezierKey, Curve, Keys, WrapMode};

/// The keys of curves that share their times and run straight from one to the next.
#[derive(Debug)]
pub(super) struct VectorKeys<const N: usize> {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<[f64; N]>,
}

impl<const N: usize> VectorKeys<N> {
    /// Reads curves, or says why they cannot be reduced.
    pub(super) fn from_curves(curves: &[Curve; N]) -> Result<Self, SkipReason> {
        let times: Vec<_> = curves[0].keys.iter().map(|key| key.time).collect();
        let mut values = vec![[0.0; N]; times.len()];
        for (axis, curve) in curves.iter().enumerate() {
            check_shape(curve)?;
            check_keys(curve, &times)?;
            for (value, key) in values.iter_mut().zip(curve.keys.iter()) {
                value[axis] = f64::from(key.value);
            }
        }
        if !times.is_sorted_by(|a, b| a < b) {
            return Err(SkipReason::TimesNotRising);
        }
        Ok(Self { times: times.into_iter().map(f64::from).collect(), values })
    }
}

fn check_shape(curve: &Curve) -> Result<(), SkipReason> {
    let repeats = |mode| [WrapMode::LOOP, WrapMode::PING_PONG].contains(&mode);
    if repeats(curve.pre_wrap) || repeats(curve.post_wrap) {
        return Err(SkipReason::Repeats);
    }
    match &curve.keys {
        Keys::Bezier(keys) if !keys.iter().all(BezierKey::is_linear) => Err(SkipReason::NotStraight),
        _ => Ok(()),
    }
}

fn check_keys(curve: &Curve, times: &[f32]) -> Result<(), SkipReason> {
    if !curve.keys.iter().all(|key| key.time.is_finite() && key.value.is_finite()) {
        return Err(SkipReason::NotFinite);
    }
    let is_shared = curve.keys.iter().map(|key| key.time).eq(times.iter().copied());
    if is_shared { Ok(()) } else { Err(SkipReason::TimesDiffer) }
}

/// Leaves each curve the keys with these numbers.
pub(super) fn retain_keys(curves: &mut [Curve], kept: &[usize]) {
    for curve in curves {
        match &mut curve.keys {
            Keys::Linear(keys) => *keys = kept.iter().map(|&key| keys[key]).collect(),
            Keys::Bezier(keys) => *keys = kept.iter().map(|&key| keys[key]).collect(),
        }
    }
}

/// Negates the values of these keys in each curve.
pub(super) fn negate_keys(curves: &mut [Curve], is_negated: &[bool]) {
    for curve in curves {
        let values = curve.keys.iter_mut().map(|(_, value)| value);
        values.zip(is_negated).filter(|(_, is_negated)| **is_negated).for_each(|(value, _)| *value = -*value);
    }
}
