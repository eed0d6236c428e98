//! Rotations whose keys change sign.
//!
//! A quaternion and its negative are one rotation, and devices now and then write one after the other. Where the four
//! curves share their keys and run straight, a [`Sampler`](crate::Sampler) goes the short way whatever the signs;
//! everywhere else curves run plainly, each from value to value. An edit may turn the one case into the other. So signs
//! are made to agree before it, where they do not count, and where they would come to count after it, a key more says
//! which way is meant.

use glam::{DVec4, Vec4};

use super::editable_curve::EditableCurve;
use crate::sample::have_shared_keys;
use crate::{BezierKey, Curve, LinearKey};

/// Makes the strands of a rotation run plainly as their curves are sampled.
pub(super) fn align_signs(curves: &[Curve], strands: &mut [EditableCurve]) {
    if !have_shared_keys(curves) {
        return;
    }
    for key in 1..strands[0].keys.len() {
        if values(strands, key - 1).dot(values(strands, key)) < 0.0 {
            for strand in &mut *strands {
                strand.keys[key].value = -strand.keys[key].value;
            }
        }
    }
}

/// Makes the curves of a rotation be sampled as they run plainly.
pub(super) fn insert_sign_keys(curves: Vec<Curve>) -> Vec<Curve> {
    if !have_shared_keys(&curves) {
        return curves;
    }
    let mut strands: Vec<_> = curves.iter().map(EditableCurve::new).collect();
    let keys = 0..strands[0].keys.len();
    if keys.clone().all(|key| key_before(&strands, key).is_none()) {
        return curves;
    }
    let mut longer = vec![Vec::new(); strands.len()];
    for key in keys {
        let before = key_before(&strands, key);
        for (component, longer) in longer.iter_mut().enumerate() {
            longer.extend(before.map(|(time, values)| BezierKey::from(LinearKey::new(time, values[component]))));
            longer.push(strands[component].keys[key]);
        }
    }
    for (strand, longer) in strands.iter_mut().zip(longer) {
        strand.keys = longer;
    }
    strands.into_iter().map(EditableCurve::into_curve).collect()
}

/// A key by which a sampler gets from the key before to this one without going to a negative; none if it does anyway,
/// or if no time lies between the two.
fn key_before(strands: &[EditableCurve], key: usize) -> Option<(f32, Vec4)> {
    let before = key.checked_sub(1)?;
    let [from, to] = [before, key].map(|key| values(strands, key));
    if from.dot(to) >= 0.0 {
        return None;
    }
    let [from, to] = [from, to].map(|values| values.as_dvec4());
    let [start, end] = [before, key].map(|key| f64::from(strands[0].keys[key].time));
    let fraction = midpoint_fraction(from, to);
    let time = (start + fraction * (end - start)) as f32;
    (start < f64::from(time) && f64::from(time) < end).then(|| (time, from.lerp(to, fraction).as_vec4()))
}

/// How far from one quaternion to another, more than a right angle apart, there is one within a right angle of both.
fn midpoint_fraction(from: DVec4, to: DVec4) -> f64 {
    let dot = from.dot(to);
    let latest = from.length_squared() / (from.length_squared() - dot);
    let earliest = -dot / (to.length_squared() - dot);
    0.5 * (earliest + latest)
}

fn values(strands: &[EditableCurve], key: usize) -> Vec4 {
    let mut values = Vec4::ZERO;
    for (component, strand) in strands.iter().enumerate().take(4) {
        values[component] = strand.keys[key].value;
    }
    values
}
