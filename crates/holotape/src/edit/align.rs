//! Two curves with keys at the same times.

use super::side::{straighten_in, straighten_out};
use super::split::split;
use super::strand::Strand;
use crate::{BezierKey, LinearKey};

/// The keys of two strands, with keys more where only the other has one. Each runs as it did.
pub(super) fn aligned(a: &Strand, b: &Strand) -> Vec<[BezierKey; 2]> {
    let times = all_times(&a.keys, &b.keys);
    let (a, b) = (keys_at(&a.keys, &times), keys_at(&b.keys, &times));
    a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
}

/// The times of both, in order; of several keys at one time as many as the one has that has more.
fn all_times(a: &[BezierKey], b: &[BezierKey]) -> Vec<f32> {
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

/// Keys at these times, among which are those that the keys have.
fn keys_at(keys: &[BezierKey], times: &[f32]) -> Vec<BezierKey> {
    let mut rest = keys.iter().copied().peekable();
    let mut all: Vec<BezierKey> = Vec::with_capacity(times.len());
    for &time in times {
        let key = match (rest.next_if(|key| key.time == time), all.last_mut(), rest.peek_mut()) {
            (Some(key), _, _) => key,
            (None, Some(last), Some(next)) if last.time < time => split(last, next, time),
            (None, Some(last), _) => held_after(last, time),
            (None, None, Some(next)) => held_before(next, time),
            (None, None, None) => break, // There are no keys at all.
        };
        all.push(key);
    }
    all
}

/// A key with the value of the one before, which now runs straight to it. What ran on from that one runs on from here.
fn held_after(last: &mut BezierKey, time: f32) -> BezierKey {
    let mut held = BezierKey { time, ..*last };
    straighten_in(&mut held);
    straighten_out(last);
    held
}

/// A key with the value of the one after, which it runs straight to.
fn held_before(next: &mut BezierKey, time: f32) -> BezierKey {
    straighten_in(next);
    LinearKey::new(time, next.value).into()
}
