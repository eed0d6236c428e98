//! Checks and moves key times.

use crate::error::{Error, ErrorKind, Location, Result};
use crate::{Marker, Markers, Recording};

/// How far a key may be from its exact new time, in units of the last place.
const MAX_ULPS: usize = 2;

/// The latest key time, at earliest 0. Returns an error if a key or a marker has a non-finite time.
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
    let non_finite = recording.markers.iter().position(|marker| !marker.time.is_finite());
    match non_finite {
        Some(index) => Err(invalid_time(recording.markers[index].time, Location::Marker { index })),
        None => Ok(end),
    }
}

/// The earliest key time, at most 0.
pub(super) fn start_secs(recording: &Recording) -> f32 {
    recording.curves().flat_map(|(_, curve)| curve.key_times()).fold(0.0, f32::min)
}

fn invalid_time(time: f32, location: Location) -> Error {
    Error::new(ErrorKind::Invalid, format!("invalid time {time} s at {location}; repair the recording first"))
}

/// Moves keys to other times, each rounded once. Keys at different times stay at different times, although rounding alone
/// could merge them.
pub(super) fn move_times<'a>(times: impl Iterator<Item = &'a mut f32>, to: impl Fn(f64) -> f64) -> Result<()> {
    let mut last: Option<(f32, f32)> = None;
    for time in times {
        let (from, nearest) = (*time, to(f64::from(*time)) as f32);
        let earliest = last.and_then(|(before, moved)| match before.partial_cmp(&from)? {
            std::cmp::Ordering::Less => Some(moved.next_up()),
            std::cmp::Ordering::Equal => Some(moved),
            std::cmp::Ordering::Greater => None,
        });
        let moved = earliest.map_or(nearest, |earliest| nearest.max(earliest));
        let furthest = (0..MAX_ULPS).fold(nearest, |time, _| time.next_up());
        if from.is_finite() && !(moved.is_finite() && moved <= furthest) {
            let message = format!(
                "cannot move keys from {from} s to {nearest} s: the resolution of 32-bit times is too low there"
            );
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        *time = moved;
        last = Some((from, moved));
    }
    Ok(())
}

/// A copy of a marker at another time.
pub(super) fn moved_marker(marker: &Marker, to: impl Fn(f64) -> f64) -> Result<Marker> {
    let time = to(marker.time.into()) as f32;
    if marker.time.is_finite() && !time.is_finite() {
        let message = format!("cannot move marker {:?} to {time} s", marker.name);
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    Ok(Marker { time, name: marker.name.clone() })
}

/// Sorts markers by time.
pub(super) fn sorted_markers(mut markers: Vec<Marker>) -> Markers {
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers.into()
}
