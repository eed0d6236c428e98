//! Any file that holds a recording, told by content.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use holotape::{Error, ErrorKind, Recording, Result};

use crate::{Kind, Losses, Space};

/// A recording, what it was read from, and what had no place in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The recording.
    pub recording: Recording,
    /// What the file was.
    pub kind: Kind,
    /// What a recording has no place for, and what could not be used.
    pub losses: Losses,
}

/// Reads a recording of any kind that can be read, told by content. A folder is taken for one of psi or HoloAssist.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("take.bin");
/// # let _ = holotape::Recording::default().save(&path)?;
/// let opened = holotape_convert::open(&path)?;
/// assert_eq!(opened.kind, holotape_convert::Kind::Bin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is of no kind that is known, or is broken. The error carries the path, and for tables the
/// row and the column.
pub fn open(path: impl AsRef<Path>) -> Result<Opened> {
    let path = path.as_ref();
    open_unnamed(path).map_err(|error| if error.path().is_some() { error } else { error.with_path(path) })
}

fn open_unnamed(path: &Path) -> Result<Opened> {
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    (&mut file).take(Kind::START_BYTES as u64).read_to_end(&mut start)?;
    if Kind::of_start(&start) == Some(Kind::Bin) {
        // Without a copy of the whole file in memory.
        return Ok(Opened { recording: Recording::open(path)?, kind: Kind::Bin, losses: Losses::default() });
    }
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    from_slice(&bytes)
}

/// Reads a recording of any kind that can be read, told by content.
///
/// ```
/// let (bytes, _) = holotape::Recording::default().to_vec()?;
/// assert_eq!(holotape_convert::from_slice(&bytes)?.kind, holotape_convert::Kind::Bin);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As with [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Opened> {
    // What is nothing that we know may be a broken input animation: its reader knows best what to say.
    let kind = Kind::of_start(&bytes[..bytes.len().min(Kind::START_BYTES)]).unwrap_or(Kind::Bin);
    let (recording, losses) = match kind {
        Kind::Bin => (Recording::from_slice(bytes)?, Losses::default()),
        Kind::Json => (Recording::from_json_slice(bytes)?, Losses::default()),
        Kind::Csv => crate::csv::read(bytes, Space::Unity)?,
        Kind::Parquet => crate::parquet::read(bytes)?,
        _ => {
            let message = format!("this is a {}, which can be written but not read", kind.name());
            return Err(Error::new(ErrorKind::NotARecording, message));
        }
    };
    Ok(Opened { recording, kind, losses })
}
