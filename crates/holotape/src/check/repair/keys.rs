//! What repairs do to keys, whichever sort they are.

use crate::pose::to_f32;
use crate::vector::have_same_times;
use crate::{BezierKey, Curve, Keys};

/// Keeps the keys that are marked.
pub(super) fn retain_masked<K>(keys: &mut Vec<K>, marks: &[bool]) {
    let mut marks = marks.iter();
    keys.retain(|_| marks.next().is_none_or(|mark| *mark));
}

/// Keeps those keys of a curve that are marked.
pub(super) fn retain(curve: &mut Curve, marks: &[bool]) {
    match &mut curve.keys {
        Keys::Linear(keys) => retain_masked(keys, marks),
        Keys::Bezier(keys) => retain_masked(keys, marks),
    }
}

/// Multiplies the value of one key, and with it the slopes on both sides.
pub(super) fn scale(curve: &mut Curve, key: usize, factor: f64) {
    let times_factor = |x: &mut f32| [*x] = to_f32([f64::from(*x) * factor]);
    match &mut curve.keys {
        Keys::Linear(keys) => keys.get_mut(key).into_iter().for_each(|key| times_factor(&mut key.value)),
        Keys::Bezier(keys) => {
            if let Some(BezierKey { value, in_tangent, out_tangent, .. }) = keys.get_mut(key) {
                [value, in_tangent, out_tangent].into_iter().for_each(times_factor);
            }
        }
    }
}

/// The components of a bundle, those with keys at the same times together: what is done to a key of one is done to all.
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
