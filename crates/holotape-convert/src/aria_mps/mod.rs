//! Reads hands, head and gaze from the output of the Machine Perception Services (MPS) for
//! [Project Aria](https://facebookresearch.github.io/projectaria_tools/) glasses.
//!
//! A recording is a folder with tables, each of them optional: `hand_tracking/hand_tracking_results.csv`,
//! `slam/closed_loop_trajectory.csv` and `eye_gaze/general_eye_gaze.csv`. Their times are microseconds of one clock.
//!
//! - Hands are positions of 21 landmarks in the frame of the device. The trajectory, interpolated at their times, places
//!   them in the world. Rotations and metacarpals are constructed.
//! - The trajectory is the pose of the device in a world with z up. The head follows from the nominal dimensions of the
//!   glasses.
//! - The gaze has angles in the central pupil frame (CPF), between the eyes.
//!
//! Without a trajectory, the head is at the origin and looks ahead.

mod files;
mod glasses;
mod streams;
mod table;
mod trajectory;

use std::path::{Path, PathBuf};

use holotape::format::ReadOptions;
use holotape::{Error, ErrorKind, Recording, Result};

pub(crate) use self::files::{is_folder, is_part, other_tables};
pub(crate) use self::table::has_header;

use self::files::TableKind;
use self::streams::Streams;
use self::table::Table;
use crate::file_set::read_files;
use crate::{Loss, Losses};

/// Reads one table. Use [`open`] to read all tables of a recording.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/import/aria_mps/slam/closed_loop_trajectory.csv");
/// let (recording, losses) = holotape_convert::aria_mps::read(bytes)?;
/// assert!(recording.camera.is_some() && recording.hands.is_none());
/// assert!(losses.iter().any(|loss| loss.to_string().contains("nominal dimensions")));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the table is not one of hands, of a trajectory or of eye gaze, lacks a column, or a cell is not a number. The
/// message has the row and the column. A truncated last row is a loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    assemble(&[(bytes, None)])
}

/// Reads the tables of a folder, or of the folder that a table is in.
///
/// ```
/// use holotape::{Hand, Joint};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/import/aria_mps");
/// let (recording, losses) = holotape_convert::aria_mps::open(folder)?;
/// assert!(recording.camera.is_some() && recording.gaze.is_some());
/// assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).is_some());
/// assert!(losses.iter().any(|loss| loss.to_string().contains("Project Aria")));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`read`], and if the folder has no table or a file cannot be read; [`ErrorKind::LimitExceeded`] if the files have
/// more than [`ReadOptions::DEFAULT_MAX_BYTES`] in total. The error has the path of the file.
pub fn open(path: impl AsRef<Path>) -> Result<(Recording, Losses)> {
    let path = path.as_ref();
    let paths = if path.is_dir() {
        files::find(path)?
    } else {
        [path.to_owned()].into_iter().chain(other_tables(path)).collect()
    };
    let texts = read_files(paths.iter().map(PathBuf::as_path), ReadOptions::DEFAULT_MAX_BYTES)?;
    let sources: Vec<_> = texts.iter().map(Vec::as_slice).zip(paths.iter().map(|path| Some(path.as_path()))).collect();
    assemble(&sources)
}

/// Reads the bytes of a table at a path, and the other tables of the same recording.
pub(crate) fn read_at(bytes: &[u8], path: &Path) -> Result<(Recording, Losses)> {
    let paths = other_tables(path);
    let max_bytes = ReadOptions::DEFAULT_MAX_BYTES.saturating_sub(bytes.len() as u64);
    let texts = read_files(paths.iter().map(PathBuf::as_path), max_bytes)?;
    let others = texts.iter().map(Vec::as_slice).zip(paths.iter().map(|path| Some(path.as_path())));
    let sources: Vec<_> = [(bytes, None)].into_iter().chain(others).collect();
    assemble(&sources)
}

fn assemble(sources: &[(&[u8], Option<&Path>)]) -> Result<(Recording, Losses)> {
    let located = |error: Error, path: Option<&Path>| match path {
        Some(path) => error.with_path(path),
        None => error,
    };
    let mut tables = Vec::new();
    for (bytes, path) in sources {
        tables.push((Table::new(bytes).map_err(|error| located(error, *path))?, *path));
    }
    // Hands and gaze are placed by the trajectory.
    tables.sort_by_key(|(table, _)| table.kind != TableKind::Trajectory);
    let start_us = tables.iter().filter_map(|(table, _)| table.start_us()).min();
    let start_us = start_us.ok_or_else(|| Error::new(ErrorKind::NotARecording, "the tables have no rows"))?;
    let mut streams = Streams::new(start_us);
    let mut truncated = Vec::new();
    for (table, path) in tables {
        let loss = streams.read(table).map_err(|error| located(error, path))?;
        truncated.extend(loss.map(|loss| match path {
            Some(path) => Loss::new(loss.kind(), format!("{}: {loss}", path.display())),
            None => loss,
        }));
    }
    let (recording, mut losses) = streams.finish();
    losses.extend(truncated);
    Ok((recording, losses))
}
