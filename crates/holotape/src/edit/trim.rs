//! Trims a recording to a span.

use std::ops::{Bound, RangeBounds};

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::times::{checked_end_secs, moved_marker, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, Result};
use crate::{BoolCurve, Hand, Recording};

/// Trims a recording to a span, which then starts at time 0.
///
/// Both ends are exact: a curve without a key there gets one, and keeps its shape. States that started earlier, e.g. a
/// pinch, are set at the start. A span that extends beyond the recording ends with it.
///
/// Whether a range includes its end matters only for markers: one at 2.0 is in `..=2.0` and in `2.0..`, but not in
/// `..2.0`. A range without a start begins at 0; pass a negative start to keep earlier keys.
///
/// Times are rounded to 32 bits, as in the file: 0.1 is the key that was written at 0.1.
///
/// ```
/// use holotape::{Curve, LinearKey, PoseCurves, Recording, edit};
///
/// let mut camera = PoseCurves::new();
/// camera.position[0] = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(8.0, 1.0)]);
/// let recording = Recording { camera: Some(camera), ..Recording::default() };
///
/// let middle = edit::trim(&recording, 2.0..=6.0)?;
/// assert_eq!(middle.duration_secs(), 4.0);
/// assert_eq!(middle.camera.unwrap().position[0].value_at(1.0), recording.camera.unwrap().position[0].value_at(3.0));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if the span is empty or outside the recording;
/// [`Invalid`](crate::ErrorKind::Invalid) if a key has a non-finite time;
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) if unrolling a repeating curve needs too many keys.
pub fn trim(recording: &Recording, span_secs: impl RangeBounds<f64>) -> Result<Recording> {
    let end = checked_end_secs(recording)?;
    let (from, to) = span_within(&span_secs, start_secs(recording), end)?;
    let mut budget = KeyBudget::for_recordings(&[recording]);
    let mut trimmed = Recording::with_channels(recording.channels());
    trimmed.format = recording.format;
    for (vector, target) in trimmed.vectors_mut() {
        let mut curves = editable_curves(recording, vector);
        for curve in &mut curves {
            curve.clip(from, to, &mut budget)?;
            curve.shift(-f64::from(from))?;
        }
        store_curves(curves, vector.kind(), target);
    }
    if recording.hands.is_some() {
        for hand in Hand::ALL {
            let (old, new) = (recording.hand(hand), trimmed.hand_mut(hand));
            new.tracked = trim_flags(&old.tracked, from, to, &mut budget)?;
            new.pinching = trim_flags(&old.pinching, from, to, &mut budget)?;
        }
    }
    let within = recording.markers.iter().filter(|marker| has_marker(&span_secs, marker.time));
    trimmed.markers =
        within.map(|marker| moved_marker(marker, |time| time - f64::from(from))).collect::<Result<_>>()?;
    Ok(trimmed)
}

fn trim_flags(curve: &BoolCurve, from: f32, to: f32, budget: &mut KeyBudget) -> Result<BoolCurve> {
    let mut curve = EditableCurve::from_bool_curve(curve);
    curve.clip(from, to, budget)?;
    curve.shift(-f64::from(from))?;
    Ok(curve.into_bool_curve())
}

/// Whether a span contains a marker, with bounds in 32 bits. Open ends include all markers, also those outside the
/// recording.
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

/// The part of a span within the recording. It starts before 0 only if the span has such a start.
fn span_within(span: &impl RangeBounds<f64>, start: f32, end: f32) -> Result<(f32, f32)> {
    let edge = |bound: Bound<&f64>, open: f32| match bound {
        Bound::Included(time) | Bound::Excluded(time) => *time as f32,
        Bound::Unbounded => open,
    };
    let (from, to) = (edge(span.start_bound(), 0.0), edge(span.end_bound(), end));
    if from > end {
        let message = format!("invalid span: it starts at {from} s, after the end of the recording at {end} s");
        return Err(Error::invalid_argument(message));
    }
    if to < start {
        let message = format!("invalid span: it ends at {to} s, before the start of the recording at {start} s");
        return Err(Error::invalid_argument(message));
    }
    if from.is_nan() || to.is_nan() || from > to {
        return Err(Error::invalid_argument(format!("invalid span: {from} s to {to} s")));
    }
    Ok((from.max(start), to.min(end)))
}
