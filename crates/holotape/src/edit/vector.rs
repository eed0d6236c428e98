//! The curves of a vector while an edit changes them, and the signs of quaternions.
//!
//! The [`Sampler`](crate::Sampler) takes the short way between two keys of a rotation if the four curves share their
//! keys and are linear. Otherwise it evaluates each curve on its own, and signs matter. An edit may turn one case into
//! the other. So signs are aligned before an edit where the sampler ignores them. After it, a key is inserted wherever
//! the sampler would now take another way.

use glam::{DVec4, Vec4};

use super::editable_curve::EditableCurve;
use crate::sample::have_shared_keys;
use crate::{BezierKey, Curve, LinearKey, Recording, VectorId, VectorKind, is_sign_flip};

/// The curves of a vector, with the signs of rotations aligned as the sampler evaluates them.
pub(super) fn editable_curves(recording: &Recording, id: VectorId) -> Vec<EditableCurve> {
    let curves = recording.vector(id);
    let mut editable: Vec<_> = curves.iter().map(EditableCurve::new).collect();
    if id.kind() == VectorKind::Rotation && have_shared_keys(curves) {
        align_signs(&mut editable);
    }
    editable
}

/// Stores edited curves, which the sampler then evaluates as they are.
pub(super) fn store_curves(edited: Vec<EditableCurve>, kind: VectorKind, target: &mut [Curve]) {
    for (target, curve) in target.iter_mut().zip(edited) {
        *target = curve.into_curve();
    }
    if kind == VectorKind::Rotation && have_shared_keys(target) {
        insert_sign_keys(target);
    }
}

fn align_signs(rotation: &mut [EditableCurve]) {
    for key in 1..rotation[0].keys.len() {
        if is_sign_flip(values(rotation, key - 1), values(rotation, key)) {
            for curve in &mut *rotation {
                curve.keys[key].value = -curve.keys[key].value;
            }
        }
    }
}

/// Inserts a key between keys of opposite sign, so that the sampler does not take the short way there.
fn insert_sign_keys(target: &mut [Curve]) {
    let mut rotation: Vec<_> = target.iter().map(EditableCurve::new).collect();
    let inserted: Vec<_> = (0..rotation[0].keys.len()).map(|key| key_before(&rotation, key)).collect();
    if inserted.iter().all(Option::is_none) {
        return;
    }
    for (component, curve) in rotation.iter_mut().enumerate() {
        let before = |(time, values): (f32, Vec4)| BezierKey::from(LinearKey::new(time, values[component]));
        let keys = inserted.iter().zip(&curve.keys).flat_map(|(inserted, key)| [inserted.map(before), Some(*key)]);
        curve.keys = keys.flatten().collect();
    }
    for (target, curve) in target.iter_mut().zip(rotation) {
        *target = curve.into_curve();
    }
}

/// A key between the previous key and this one, less than a right angle from both. `None` if the two have the same
/// sign, or if no time lies between them.
fn key_before(rotation: &[EditableCurve], key: usize) -> Option<(f32, Vec4)> {
    let previous = key.checked_sub(1)?;
    let [from, to] = [previous, key].map(|key| values(rotation, key));
    if !is_sign_flip(from, to) {
        return None;
    }
    let [from, to] = [from, to].map(|values| Vec4::from_array(values).as_dvec4());
    let [start, end] = [previous, key].map(|key| f64::from(rotation[0].keys[key].time));
    let fraction = midpoint_fraction(from, to);
    let time = (start + fraction * (end - start)) as f32;
    (start < f64::from(time) && f64::from(time) < end).then(|| (time, from.lerp(to, fraction).as_vec4()))
}

/// Where on the line between two quaternions of opposite sign the point is less than a right angle from both.
fn midpoint_fraction(from: DVec4, to: DVec4) -> f64 {
    let dot = from.dot(to);
    let latest = from.length_squared() / (from.length_squared() - dot);
    let earliest = -dot / (to.length_squared() - dot);
    0.5 * (earliest + latest)
}

fn values(rotation: &[EditableCurve], key: usize) -> [f32; 4] {
    std::array::from_fn(|component| rotation.get(component).map_or(0.0, |curve| curve.keys[key].value))
}
