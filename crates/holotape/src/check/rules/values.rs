//! Non-finite values, flags that are neither 0 nor 1, wrap modes other than clamp forever.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::{BezierKey, BoolCurve, Curve, CurveRef, Keys, WrapMode};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for (vector, curves) in context.recording.vectors() {
        let occurrences = curves.iter().map(non_finite);
        findings.add_each(FindingKind::NonFiniteValues, vector.curve_ids().into_iter().zip(occurrences));
    }
    for (id, curve) in context.recording.curves() {
        if curve.wrap_modes() != (WrapMode::CLAMP_FOREVER, WrapMode::CLAMP_FOREVER) {
            findings.add(FindingKind::NonClampWrapModes, &[id], Occurrences::counted(1));
        }
        if let CurveRef::Bool(flag) = curve {
            findings.add(FindingKind::NonFiniteValues, &[id], flags(flag, |value| !value.is_finite()));
            findings.add(
                FindingKind::InvalidFlagValues,
                &[id],
                flags(flag, |value| value.is_finite() && value != 0.0 && value != 1.0),
            );
        }
    }
}

fn non_finite(curve: &Curve) -> Occurrences {
    match &curve.keys {
        Keys::Linear(keys) => {
            Occurrences::at_times(keys.iter().filter(|key| !key.value.is_finite()).map(|key| key.time))
        }
        Keys::Bezier(keys) => {
            let is_bad = |key: &&BezierKey| !key.value.is_finite() || !has_valid_tangents(key);
            Occurrences::at_times(keys.iter().filter(is_bad).map(|key| key.time))
        }
    }
}

/// Whether tangents and weights can be evaluated. An infinite tangent is a step; an infinite weight is invalid.
pub(in crate::check) fn has_valid_tangents(key: &BezierKey) -> bool {
    let tangents = [key.in_tangent, key.out_tangent];
    let weights = [key.in_weight, key.out_weight];
    tangents.iter().all(|tangent| !tangent.is_nan()) && weights.iter().all(|weight| weight.is_finite())
}

fn flags(flag: &BoolCurve, is_bad: impl Fn(f32) -> bool) -> Occurrences {
    Occurrences::at_times(flag.keys.iter().filter(|key| is_bad(key.value)).map(|key| key.time))
}
