//! Times of keys: that they are numbers, and how they are moved.

use crate::error::{Error, ErrorKind, Location, Result};
use crate::{Marker, Markers, Recording};

/// How far a key may be from where it was moved to, in steps of what 32 bits can tell apart there.
const MAX_ULPS: usize = 2;

/// The time of the last key, wherever it is stored, and at least 0; an error if a key or a marker is at no time at all,
/// because then nothing can be said of before and after.
pub(super) fn checked_end_secs(recording: &Recording) -> Result<f32> {
    let mut end = 0.0_f32;
    for (id, curve) in recording.curves() {
        for (index, time) in curve.key_times().enumerate() {
            if !time.is_finite() {
                return Err(invalid_time(time, Location::Curve { id, key: Some(index) }));
            }
            end = end.max(time);
        }
    }
    let timeless = recording.markers.iter().position(|marker| !marker.time.is_finite());
    match timeless {
        Some(index) => Err(invalid_time(recording.markers[index].time, Location::Marker { index })),
        None => Ok(end),
    }
}

/// The time of the first key, and at most 0.
pub(super) fn start_secs(recording: &Recording) -> f32 {
    recording.curves().flat_map(|(_, curve)| curve.key_times()).fold(0.0, f32::min)
}

fn invalid_time(time: f32, location: Location) -> Error {
    Error::new(ErrorKind::Invalid, format!("{location} is at {time} seconds, which is no time to work with"))
}

/// Moves keys to other times, each rounded once. Keys that were apart stay apart: rounding may bring them together, and
/// would so make one key of two.
pub(super) fn move_times<'a>(times: impl Iterator<Item = &'a mut f32>, to: impl Fn(f64) -> f64) -> Result<()> {
    let mut last: Option<(f32, f32)> = None;
    for time in times {
        let (from, nearest) = (*time, to(f64::from(*time)) as f32);
        let least = last.and_then(|(before, moved)| match before.partial_cmp(&from)? {
            std::cmp::Ordering::Less => Some(moved.next_up()),
            std::cmp::Ordering::Equal => Some(moved),
            std::cmp::Ordering::Greater => None,
        });
        let moved = least.map_or(nearest, |least| nearest.max(least));
        let furthest = (0..MAX_ULPS).fold(nearest, |time, _| time.next_up());
        if from.is_finite() && !(moved.is_finite() && moved <= furthest) {
            let message =
                format!("keys at {from} seconds would get to {nearest}, where times in a file are too coarse");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        *time = moved;
        last = Some((from, moved));
    }
    Ok(())
}

/// The marker at another time.
pub(super) fn moved_marker(marker: &Marker, to: impl Fn(f64) -> f64) -> Result<Marker> {
    let time = to(marker.time.into()) as f32;
    if marker.time.is_finite() && !time.is_finite() {
        let message = format!("the marker {:?} would get to {time} seconds", marker.name);
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    Ok(Marker { time, name: marker.name.clone() })
}

/// Markers of several recordings as those of one.
pub(super) fn sorted_markers(mut markers: Vec<Marker>) -> Markers {
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers.into()
}
