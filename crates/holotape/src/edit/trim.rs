//! A part of a recording.

use std::ops::{Bound, RangeBounds};

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::times::{checked_end_secs, moved_marker, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, ErrorKind, Result};
use crate::{BoolCurve, Hand, Recording};

/// The part of a recording between two times, which starts at time 0.
///
/// Exact at both ends: where a curve has no key at the cut, it gets one, and runs towards it as it did. What began
/// earlier, a pinch for example, is there at the start. The result is as long as what was asked for; a span that reaches
/// beyond the recording ends with it.
///
/// Whether a range has its end makes a difference for markers only: one at 2.0 is in `..=2.0` and in `2.0..`, but not in
/// `..2.0`. A range without a start begins at 0; keys before that can be had by asking for them.
///
/// Times are taken as a file would have them, in 32 bits: 0.1 is the key that was written at 0.1.
///
/// ```
/// use holotape::{Curve, LinearKey, PoseCurves, Recording, edit};
///
/// let mut camera = PoseCurves::new();
/// camera.position[0] = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(8.0, 1.0)]);
/// let take = Recording { camera: Some(camera), ..Recording::default() };
///
/// let middle = edit::trim(&take, 2.0..=6.0)?;
/// assert_eq!(middle.duration_secs(), 4.0);
/// assert_eq!(middle.camera.unwrap().position[0].value_at(1.0), take.camera.unwrap().position[0].value_at(3.0));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if the span is none of the recording's, or if a key is at no time;
/// [`ErrorKind::LimitExceeded`] if writing out a curve that repeats takes millions of keys.
pub fn trim(recording: &Recording, span_secs: impl RangeBounds<f64>) -> Result<Recording> {
    let end = checked_end_secs(recording)?;
    let (from, to) = span_within(&span_secs, start_secs(recording), end)?;
    let mut budget = KeyBudget::new();
    let mut part = Recording::with_channels(recording.channels());
    part.format = recording.format;
    for (vector, target) in part.vectors_mut() {
        let mut curves = editable_curves(recording, vector);
        for curve in &mut curves {
            curve.clip(from, to, &mut budget)?;
            curve.shift(-f64::from(from))?;
        }
        store_curves(curves, vector.kind(), target);
    }
    if recording.hands.is_some() {
        for hand in Hand::ALL {
            let (old, new) = (recording.hand(hand), part.hand_mut(hand));
            new.tracked = trim_flags(&old.tracked, from, to, &mut budget)?;
            new.pinching = trim_flags(&old.pinching, from, to, &mut budget)?;
        }
    }
    let within = recording.markers.iter().filter(|marker| has_marker(&span_secs, marker.time));
    part.markers = within.map(|marker| moved_marker(marker, |time| time - f64::from(from))).collect::<Result<_>>()?;
    Ok(part)
}

fn trim_flags(curve: &BoolCurve, from: f32, to: f32, budget: &mut KeyBudget) -> Result<BoolCurve> {
    let mut strand = EditableCurve::from_bool_curve(curve);
    strand.clip(from, to, budget)?;
    strand.shift(-f64::from(from))?;
    Ok(strand.into_bool_curve())
}

/// Whether a marker belongs to a span, by its bounds as a file would have them. Where it is open, so is it for markers, also
/// for those that lie outside of what was recorded.
fn has_marker(span: &impl RangeBounds<f64>, time: f32) -> bool {
    let is_after_start = match span.start_bound() {
        Bound::Included(from) | Bound::Excluded(from) => *from as f32 <= time,
        Bound::Unbounded => true,
    };
    is_after_start
        && match span.end_bound() {
            Bound::Included(to) => time <= *to as f32,
            Bound::Excluded(to) => time < *to as f32,
            Bound::Unbounded => true,
        }
}

/// The part of a span that lies within the recording: before 0 only where that is asked for.
fn span_within(span: &impl RangeBounds<f64>, start: f32, end: f32) -> Result<(f32, f32)> {
    let edge = |bound: Bound<&f64>, open: f32| match bound {
        Bound::Included(time) | Bound::Excluded(time) => *time as f32,
        Bound::Unbounded => open,
    };
    let (from, to) = (edge(span.start_bound(), 0.0), edge(span.end_bound(), end));
    if from > end || to < start {
        let message = format!("there is nothing from {from} s on: the recording is from {start} to {end} s");
        return Err(Error::new(ErrorKind::Invalid, message));
    }
    if from.is_nan() || to.is_nan() || from > to {
        return Err(Error::new(ErrorKind::Invalid, format!("from {from} to {to} s is no span of time")));
    }
    Ok((from.max(start), to.min(end)))
}
