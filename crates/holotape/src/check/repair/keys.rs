//! Changes to keys of either layout that several repairs need.

use crate::pose::to_f32;
use crate::vector::have_same_times;
use crate::{BezierKey, Curve, Keys};

/// Keeps the keys whose flag is set.
pub(super) fn retain_masked<K>(keys: &mut Vec<K>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    keys.retain(|_| is_kept.next().is_none_or(|is_kept| *is_kept));
}

/// Keeps the keys of a curve whose flag is set.
pub(super) fn retain(curve: &mut Curve, is_kept: &[bool]) {
    match &mut curve.keys {
        Keys::Linear(keys) => retain_masked(keys, is_kept),
        Keys::Bezier(keys) => retain_masked(keys, is_kept),
    }
}

/// Multiplies the value and the tangents of one key.
pub(super) fn scale(curve: &mut Curve, key: usize, factor: f64) {
    let times_factor = |x: &mut f32| [*x] = to_f32([f64::from(*x) * factor]);
    match &mut curve.keys {
        Keys::Linear(keys) => keys.get_mut(key).into_iter().for_each(|key| times_factor(&mut key.value)),
        Keys::Bezier(keys) => {
            if let Some(BezierKey { value, in_tangent, out_tangent, .. }) = keys.get_mut(key) {
                times_factor(value);
                // A tangent of 0 stays 0: with -0 a linear key would not be recognized as linear.
                [in_tangent, out_tangent].into_iter().filter(|tangent| **tangent != 0.0).for_each(times_factor);
            }
        }
    }
}

/// Groups the components of a vector that share their key times: keys are dropped in all of them together.
pub(super) fn group_by_key_times(curves: &[Curve]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for component in 0..curves.len() {
        match groups.iter_mut().find(|group| have_same_times(&curves[group[0]], &curves[component])) {
            Some(group) => group.push(component),
            None => groups.push(vec![component]),
        }
    }
    groups
}
