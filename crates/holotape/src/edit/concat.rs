//! Joins recordings one after the other.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::format::choose_format;
use super::times::{checked_end_secs, move_times, moved_marker, sorted_markers, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, Result};
use crate::format::Channels;
use crate::{BoolCurve, Hand, LinearKey, Markers, Recording, VectorId, VectorKind, is_sign_flip};

options! {
    /// Options of [`concat()`].
    ///
    /// ```
    /// use holotape::edit::ConcatOptions;
    ///
    /// let options = ConcatOptions::new().with_gap_secs(0.5);
    /// assert_ne!(options, ConcatOptions::new());
    /// ```
    pub struct ConcatOptions {
        /// The time between one recording and the next. In the gap, hands are not tracked, and head and gaze hold their
        /// values. By default 0.
        with_gap_secs(gap_secs: f64) = 0.0,
    }
}

/// Joins recordings into one. Each starts where the previous one ends, and keeps its markers.
///
/// Within each recording, all values stay the same. Where values differ at a seam, they jump without interpolation. Keys
/// before time 0 are kept only from the first recording. A recording of length 0 contributes only its markers, unless it
/// is the last.
///
/// The result has every channel that any of the recordings has. Where a recording lacks a hand, the hand is not tracked.
/// Where it lacks the head, the gaze or a joint, these hold the previous value, or the next one if there is none.
///
/// ```
/// use holotape::demo::DemoOptions;
/// use holotape::edit::{self, ConcatOptions};
///
/// let [first, second] = [1, 2].map(|seed| DemoOptions::new().with_seconds(2.0).with_seed(seed).generate());
/// let both = edit::concat(&[&first?, &second?], &ConcatOptions::new().with_gap_secs(0.5))?;
/// assert_eq!(both.duration_secs(), 4.5);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if there are no recordings, or if the gap is negative
/// or not finite; [`Invalid`](crate::ErrorKind::Invalid) if a key has a non-finite time;
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) if the result is too long for 32-bit key times, or if unrolling a
/// repeating curve needs too many keys.
pub fn concat(recordings: &[&Recording], options: &ConcatOptions) -> Result<Recording> {
    let segments = place_segments(recordings, options.gap_secs)?;
    let mut joined = Recording::with_channels(channels(recordings));
    let visible: Vec<_> = segments.iter().filter(|segment| segment.is_visible()).collect();
    let mut budget = KeyBudget::for_recordings(recordings);
    for (vector, target) in joined.vectors_mut() {
        store_curves(concat_vector(&visible, vector, &mut budget)?, vector.kind(), target);
    }
    if joined.hands.is_some() {
        for hand in Hand::ALL {
            let flags = joined.hand_mut(hand);
            flags.tracked = concat_flags(&visible, |recording| &recording.hand(hand).tracked, &mut budget)?;
            flags.pinching = concat_flags(&visible, |recording| &recording.hand(hand).pinching, &mut budget)?;
        }
    }
    joined.markers = concat_markers(&segments)?;
    choose_format(&mut joined, recordings);
    Ok(joined)
}

/// A recording with its position in the result.
#[derive(Clone, Copy)]
struct ConcatSegment<'a> {
    recording: &'a Recording,
    /// Where its time 0 is in the result.
    start: f64,
    /// The part to keep, in its own time.
    from: f32,
    to: f32,
    /// Where the next one starts.
    next: Option<f64>,
}

impl ConcatSegment<'_> {
    fn end(&self) -> f64 {
        self.start + f64::from(self.to)
    }

    /// Whether any time of the result shows it.
    fn is_visible(&self) -> bool {
        self.next.is_none_or(|next| ((self.start + f64::from(self.from)) as f32) < next as f32)
    }
}

fn place_segments<'a>(recordings: &[&'a Recording], gap_secs: f64) -> Result<Vec<ConcatSegment<'a>>> {
    if recordings.is_empty() {
        return Err(Error::invalid_argument("no recordings to join"));
    }
    if !(gap_secs >= 0.0 && gap_secs.is_finite()) {
        return Err(Error::invalid_argument(format!("invalid gap: {gap_secs} s; must be finite and at least 0")));
    }
    let mut segments: Vec<ConcatSegment<'a>> = Vec::with_capacity(recordings.len());
    for &recording in recordings {
        let to = checked_end_secs(recording)?;
        let (start, from) = match segments.last_mut() {
            None => (0.0, start_secs(recording)),
            Some(last) => (*last.next.insert(last.end() + gap_secs), 0.0),
        };
        segments.push(ConcatSegment { recording, start, from, to, next: None });
    }
    Ok(segments)
}

fn channels(recordings: &[&Recording]) -> Channels {
    let any = |has: fn(Channels) -> bool| recordings.iter().any(|recording| has(recording.channels()));
    Channels { camera: any(|has| has.camera), hands: any(|has| has.hands), gaze: any(|has| has.gaze) }
}

fn concat_vector(
    segments: &[&ConcatSegment<'_>],
    vector: VectorId,
    budget: &mut KeyBudget,
) -> Result<Vec<EditableCurve>> {
    let mut joined: Vec<EditableCurve> = Vec::new();
    for segment in segments {
        let mut next = editable_curves(segment.recording, vector);
        for curve in &mut next {
            curve.clip(segment.from, segment.to, budget)?;
            if !joined.is_empty() {
                curve.extend_start(segment.from);
            }
            curve.shift(segment.start)?;
        }
        if next.iter().any(|curve| !curve.keys.is_empty()) {
            append(&mut joined, next, vector.kind());
        }
    }
    joined.iter_mut().for_each(EditableCurve::clamp);
    Ok(joined)
}

fn append(joined: &mut Vec<EditableCurve>, mut next: Vec<EditableCurve>, kind: VectorKind) {
    if joined.is_empty() {
        *joined = next;
        return;
    }
    let [end, start] = values_at_seam(joined, &next);
    if kind == VectorKind::Rotation && is_sign_flip(end, start) {
        next.iter_mut().for_each(EditableCurve::negate);
    }
    // All components or none, so that curves that share their keys still do.
    let [end, start] = values_at_seam(joined, &next);
    let meets = end.iter().zip(start).all(|(a, b)| *a == b || a.is_nan() && b.is_nan());
    for (joined, next) in joined.iter_mut().zip(next) {
        joined.append(next, meets);
    }
}

/// The last value of each component before the seam, and the first after it; 0 for components without keys.
fn values_at_seam(joined: &[EditableCurve], next: &[EditableCurve]) -> [[f32; 4]; 2] {
    let pair = |component: usize| {
        let first = next.get(component)?.keys.first()?;
        Some((joined.get(component)?.value_before(first.time)?, first.value))
    };
    let pairs: [(f32, f32); 4] = std::array::from_fn(|component| pair(component).unwrap_or_default());
    [pairs.map(|(end, _)| end), pairs.map(|(_, start)| start)]
}

/// Joins boolean curves. Each segment gets a key at its start, and gaps are false.
fn concat_flags(
    segments: &[&ConcatSegment<'_>],
    curve: impl Fn(&Recording) -> &BoolCurve,
    budget: &mut KeyBudget,
) -> Result<BoolCurve> {
    let mut joined = BoolCurve::new();
    if segments.iter().all(|segment| curve(segment.recording).keys.is_empty()) {
        return Ok(joined);
    }
    for segment in segments {
        let mut curve = EditableCurve::from_bool_curve(curve(segment.recording));
        curve.clip(segment.from, segment.to, budget)?;
        let start = LinearKey::new(segment.from, curve.keys.first().map_or(0.0, |key| key.value));
        let mut keys = curve.into_bool_curve().keys;
        if keys.first().is_none_or(|key| key.time > start.time) {
            keys.insert(0, start);
        }
        if segment.next.is_some_and(|next| next > segment.end()) {
            keys.truncate(keys.partition_point(|key| key.time < segment.to));
            keys.push(LinearKey::new(segment.to, 0.0));
        }
        move_times(keys.iter_mut().map(|key| &mut key.time), |time| time + segment.start)?;
        push_flags(&mut joined.keys, keys);
    }
    Ok(joined)
}

/// Replaces all keys from the start of a segment on. Omits the first key if it repeats the value.
fn push_flags(joined: &mut Vec<LinearKey>, keys: Vec<LinearKey>) {
    let Some(first) = keys.first() else { return };
    joined.truncate(joined.partition_point(|key| key.time < first.time));
    let is_repeated = joined.last().is_some_and(|last| last.value == first.value);
    joined.extend(keys.iter().skip(usize::from(is_repeated)));
}

fn concat_markers(segments: &[ConcatSegment<'_>]) -> Result<Markers> {
    let mut markers = Vec::new();
    for segment in segments {
        for marker in &segment.recording.markers {
            markers.push(moved_marker(marker, |time| time + segment.start)?);
        }
    }
    Ok(sorted_markers(markers))
}
