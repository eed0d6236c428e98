//! Recordings one after the other.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::format::choose_format;
use super::times::{checked_end_secs, move_times, moved_marker, sorted_markers, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Channels;
use crate::{BoolCurve, Hand, LinearKey, Markers, Recording, VectorId, VectorKind, is_sign_flip};

/// How recordings are put together by [`concat()`].
///
/// ```
/// use holotape::edit::ConcatOptions;
///
/// let options = ConcatOptions::new().with_gap_secs(0.5);
/// assert_ne!(options, ConcatOptions::new());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConcatOptions {
    gap_secs: f64,
}

impl ConcatOptions {
    /// The defaults: no gap.
    #[must_use]
    pub const fn new() -> Self {
        Self { gap_secs: 0.0 }
    }

    /// The time between one recording and the next. Nobody recorded anything then: hands are not tracked, head and eyes
    /// stay as they were.
    #[must_use]
    pub const fn with_gap_secs(self, gap_secs: f64) -> Self {
        Self { gap_secs }
    }
}

/// Recordings one after the other, as one. Each starts where the one before ends, and its markers come along.
///
/// Within each of them, everything is sampled as it was. Where one ends and the next begins with something else, there
/// is a jump, with nothing in between. What a recording had before its time 0 is kept of the first only; one that has
/// no length leaves only its markers, unless it is the last.
///
/// The result has every channel that any of them has. Where one lacks a hand, it is not tracked; where one lacks the
/// head, the eyes or a joint, these stay as they were before, or are already as they will be.
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
/// [`ErrorKind::Invalid`] if there are no recordings, if the gap is no length of time, or if a key is at no time;
/// [`ErrorKind::LimitExceeded`] if the result is so long that times in a file cannot tell its keys apart, or if writing
/// out a curve that repeats takes millions of keys.
pub fn concat(recordings: &[&Recording], options: &ConcatOptions) -> Result<Recording> {
    let pieces = segments(recordings, options.gap_secs)?;
    let mut whole = Recording::with_channels(channels(recordings));
    let visible: Vec<_> = pieces.iter().filter(|piece| piece.is_visible()).collect();
    let mut budget = KeyBudget::new();
    for (vector, target) in whole.vectors_mut() {
        store_curves(concat_vector(&visible, vector, &mut budget)?, vector.kind(), target);
    }
    if whole.hands.is_some() {
        for hand in Hand::ALL {
            let flags = whole.hand_mut(hand);
            flags.tracked = concat_flags(&visible, |recording| &recording.hand(hand).tracked, &mut budget)?;
            flags.pinching = concat_flags(&visible, |recording| &recording.hand(hand).pinching, &mut budget)?;
        }
    }
    whole.markers = concat_markers(&pieces)?;
    choose_format(&mut whole, recordings);
    Ok(whole)
}

/// A recording in its place.
#[derive(Clone, Copy)]
struct ConcatSegment<'a> {
    recording: &'a Recording,
    /// Where its time 0 comes to be.
    start: f64,
    /// From where to where it is kept, by its own time.
    from: f32,
    to: f32,
    /// Where the next begins.
    next: Option<f64>,
}

impl ConcatSegment<'_> {
    fn end(&self) -> f64 {
        self.start + f64::from(self.to)
    }

    /// Whether a time of the result shows anything of it.
    fn is_visible(&self) -> bool {
        self.next.is_none_or(|next| ((self.start + f64::from(self.from)) as f32) < next as f32)
    }
}

fn segments<'a>(takes: &[&'a Recording], gap_secs: f64) -> Result<Vec<ConcatSegment<'a>>> {
    if takes.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, "there are no recordings to put together"));
    }
    if !(gap_secs >= 0.0 && gap_secs.is_finite()) {
        return Err(Error::new(ErrorKind::Invalid, format!("a gap cannot be {gap_secs} seconds long")));
    }
    let mut pieces: Vec<ConcatSegment<'a>> = Vec::with_capacity(takes.len());
    for &recording in takes {
        let to = checked_end_secs(recording)?;
        let (start, from) = match pieces.last_mut() {
            None => (0.0, start_secs(recording)),
            Some(last) => (*last.next.insert(last.end() + gap_secs), 0.0),
        };
        pieces.push(ConcatSegment { recording, start, from, to, next: None });
    }
    Ok(pieces)
}

fn channels(recordings: &[&Recording]) -> Channels {
    let any = |has: fn(Channels) -> bool| recordings.iter().any(|recording| has(recording.channels()));
    Channels { camera: any(|has| has.camera), hands: any(|has| has.hands), gaze: any(|has| has.gaze) }
}

fn concat_vector(
    pieces: &[&ConcatSegment<'_>],
    vector: VectorId,
    budget: &mut KeyBudget,
) -> Result<Vec<EditableCurve>> {
    let mut whole: Vec<EditableCurve> = Vec::new();
    for piece in pieces {
        let mut next = editable_curves(piece.recording, vector);
        for strand in &mut next {
            strand.clip(piece.from, piece.to, budget)?;
            if !whole.is_empty() {
                strand.extend_start(piece.from);
            }
            strand.shift(piece.start)?;
        }
        if next.iter().any(|strand| !strand.keys.is_empty()) {
            append(&mut whole, next, vector.kind());
        }
    }
    whole.iter_mut().for_each(EditableCurve::clamp);
    Ok(whole)
}

fn append(whole: &mut Vec<EditableCurve>, mut next: Vec<EditableCurve>, kind: VectorKind) {
    if whole.is_empty() {
        *whole = next;
        return;
    }
    let [end, start] = values_at_seam(whole, &next);
    if kind == VectorKind::Rotation && is_sign_flip(end, start) {
        next.iter_mut().for_each(EditableCurve::negate);
    }
    // All components or none, so that curves that share their keys still do.
    let [end, start] = values_at_seam(whole, &next);
    let meets = end.iter().zip(start).all(|(a, b)| *a == b || a.is_nan() && b.is_nan());
    for (whole, next) in whole.iter_mut().zip(next) {
        whole.append(next, meets);
    }
}

/// The last value of each component before the seam, and the first after it; 0 for components without keys.
fn values_at_seam(whole: &[EditableCurve], next: &[EditableCurve]) -> [[f32; 4]; 2] {
    let pair = |component: usize| {
        let first = next.get(component)?.keys.first()?;
        Some((whole.get(component)?.value_before(first.time)?, first.value))
    };
    let pairs: [(f32, f32); 4] = std::array::from_fn(|component| pair(component).unwrap_or_default());
    [pairs.map(|(end, _)| end), pairs.map(|(_, start)| start)]
}

/// A boolean curve that says of each piece what it was at its start, and is false in the gaps.
fn concat_flags(
    pieces: &[&ConcatSegment<'_>],
    curve: impl Fn(&Recording) -> &BoolCurve,
    budget: &mut KeyBudget,
) -> Result<BoolCurve> {
    let mut whole = BoolCurve::new();
    if pieces.iter().all(|piece| curve(piece.recording).keys.is_empty()) {
        return Ok(whole);
    }
    for piece in pieces {
        let mut strand = EditableCurve::from_bool_curve(curve(piece.recording));
        strand.clip(piece.from, piece.to, budget)?;
        let start = LinearKey::new(piece.from, strand.keys.first().map_or(0.0, |key| key.value));
        let mut keys = strand.into_bool_curve().keys;
        if keys.first().is_none_or(|key| key.time > start.time) {
            keys.insert(0, start);
        }
        if piece.next.is_some_and(|next| next > piece.end()) {
            keys.truncate(keys.partition_point(|key| key.time < piece.to));
            keys.push(LinearKey::new(piece.to, 0.0));
        }
        move_times(keys.iter_mut().map(|key| &mut key.time), |time| time + piece.start)?;
        push_flags(&mut whole.keys, keys);
    }
    Ok(whole)
}

/// Adds the keys of a piece, in the place of what is there from its start on, without a first key that says nothing
/// new.
fn push_flags(whole: &mut Vec<LinearKey>, keys: Vec<LinearKey>) {
    let Some(first) = keys.first() else { return };
    whole.truncate(whole.partition_point(|key| key.time < first.time));
    let is_known = whole.last().is_some_and(|last| last.value == first.value);
    whole.extend(keys.iter().skip(usize::from(is_known)));
}

fn concat_markers(pieces: &[ConcatSegment<'_>]) -> Result<Markers> {
    let mut markers = Vec::new();
    for piece in pieces {
        for marker in &piece.recording.markers {
            markers.push(moved_marker(marker, |time| time + piece.start)?);
        }
    }
    Ok(sorted_markers(markers))
}
