//! Gives two curves keys at the same times.

use super::editable_curve::EditableCurve;
use super::split::split;
use super::tangents::{linearize_in, linearize_out};
use crate::{BezierKey, LinearKey};

/// The keys of two curves, with inserted keys where only the other has one. The shapes stay the same.
pub(super) fn align_keys(a: &EditableCurve, b: &EditableCurve) -> Vec<[BezierKey; 2]> {
    let times = union_times(&a.keys, &b.keys);
    let (a, b) = (keys_at(&a.keys, &times), keys_at(&b.keys, &times));
    a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
}

/// The sorted times of both. Of several keys at one time, the larger number is used.
fn union_times(a: &[BezierKey], b: &[BezierKey]) -> Vec<f32> {
    let (mut a, mut b) = (a.iter().map(|key| key.time).peekable(), b.iter().map(|key| key.time).peekable());
    let mut times = Vec::new();
    while let Some(&next) = match (a.peek(), b.peek()) {
        (Some(x), Some(y)) => Some(if x < y { x } else { y }),
        (one, other) => one.or(other),
    } {
        a.next_if(|time| *time == next);
        b.next_if(|time| *time == next);
        times.push(next);
    }
    times
}

/// Keys at these times, which include all times of the given keys.
fn keys_at(keys: &[BezierKey], times: &[f32]) -> Vec<BezierKey> {
    let mut rest = keys.iter().copied().peekable();
    let mut all: Vec<BezierKey> = Vec::with_capacity(times.len());
    for &time in times {
        let key = match (rest.next_if(|key| key.time == time), all.last_mut(), rest.peek_mut()) {
            (Some(key), _, _) => key,
            (None, Some(last), Some(next)) if last.time < time => split(last, next, time),
            (None, Some(last), _) => hold_after(last, time),
            (None, None, Some(next)) => hold_before(next, time),
            (None, None, None) => break, // There are no keys.
        };
        all.push(key);
    }
    all
}

/// A key with the value of the previous one, linear between the two. The outgoing side of the previous key moves to it.
fn hold_after(last: &mut BezierKey, time: f32) -> BezierKey {
    let mut held = BezierKey { time, ..*last };
    linearize_in(&mut held);
    linearize_out(last);
    held
}

/// A key with the value of the next one, linear between the two.
fn hold_before(next: &mut BezierKey, time: f32) -> BezierKey {
    linearize_in(next);
    LinearKey::new(time, next.value).into()
}
