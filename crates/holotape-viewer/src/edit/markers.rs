//! Changes of markers, as `holotape markers` makes them.

use holotape::{Marker, Recording};

use crate::http_error::HttpError;

pub(super) fn add(recording: &mut Recording, time: f64, name: String) -> Result<(), HttpError> {
    recording.markers.add(file_time(time)?, name);
    // A marker that nobody can read again is none.
    recording.format.marker_list = true;
    Ok(())
}

pub(super) fn move_to(recording: &mut Recording, index: usize, time: f64) -> Result<(), HttpError> {
    let place = marker_index(&recording.markers, index)?;
    recording.markers.move_to(place, file_time(time)?);
    Ok(())
}

pub(super) fn rename(recording: &mut Recording, index: usize, name: String) -> Result<(), HttpError> {
    let place = marker_index(&recording.markers, index)?;
    recording.markers[place].name = name;
    Ok(())
}

pub(super) fn remove(recording: &mut Recording, index: usize) -> Result<(), HttpError> {
    let place = marker_index(&recording.markers, index)?;
    recording.markers.remove(place);
    Ok(())
}

/// The place of a marker in the recording, by its number on the page, which knows none of those that are at no time.
fn marker_index(markers: &[Marker], index: usize) -> Result<usize, HttpError> {
    let mut shown = markers.iter().enumerate().filter(|(_, marker)| marker.time.is_finite());
    let place = shown.nth(index).map(|(place, _)| place);
    place.ok_or_else(|| HttpError::unprocessable(format!("there is no marker number {index}")))
}

fn file_time(time: f64) -> Result<f32, HttpError> {
    match time as f32 {
        time if time.is_finite() => Ok(time),
        _ => Err(HttpError::unprocessable(format!("{time} is no time that a file can hold"))),
    }
}
