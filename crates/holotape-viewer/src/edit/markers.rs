//! Marker edits, the same as those of `holotape markers`.

use holotape::{Marker, Recording};

use crate::http_error::HttpError;

pub(super) fn add(recording: &mut Recording, time: f64, name: String) -> Result<(), HttpError> {
    recording.markers.add(file_time(time)?, name);
    // Without a marker list the file would not keep the marker.
    recording.format.marker_list = true;
    Ok(())
}

pub(super) fn move_to(recording: &mut Recording, index: usize, time: f64) -> Result<(), HttpError> {
    let index = marker_index(&recording.markers, index)?;
    recording.markers.move_to(index, file_time(time)?);
    Ok(())
}

pub(super) fn rename(recording: &mut Recording, index: usize, name: String) -> Result<(), HttpError> {
    let index = marker_index(&recording.markers, index)?;
    recording.markers[index].name = name;
    Ok(())
}

pub(super) fn remove(recording: &mut Recording, index: usize) -> Result<(), HttpError> {
    let index = marker_index(&recording.markers, index)?;
    recording.markers.remove(index);
    Ok(())
}

/// Converts an index of the page, which does not get markers at non-finite times.
fn marker_index(markers: &[Marker], index: usize) -> Result<usize, HttpError> {
    let mut sent = markers.iter().enumerate().filter(|(_, marker)| marker.time.is_finite());
    let found = sent.nth(index).map(|(index, _)| index);
    found.ok_or_else(|| HttpError::unprocessable(format!("there is no marker with index {index}")))
}

fn file_time(time: f64) -> Result<f32, HttpError> {
    match time as f32 {
        time if time.is_finite() => Ok(time),
        _ => Err(HttpError::unprocessable(format!("invalid time: {time} exceeds 32-bit floating point"))),
    }
}
