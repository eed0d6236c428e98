//! Recordings from a file or standard input, told apart by content.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use holotape::format::ReadOptions;
use holotape::{Recording, Summary};

/// Whether a path means standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a recording: an input animation, or a JSON document.
pub fn recording(path: &Path) -> holotape::Result<Recording> {
    let read = || {
        if is_dash(path) { read_recording(io::stdin().lock()) } else { read_recording(File::open(path)?) }
    };
    read().map_err(|error| error.with_path(shown(path)))
}

/// Reads what is in a recording, and no more than that where it can be helped.
pub fn summary(path: &Path) -> holotape::Result<Summary> {
    let read = || {
        if is_dash(path) {
            return Ok(Summary::of(&read_recording(io::stdin().lock())?));
        }
        let mut file = File::open(path)?;
        let mut first = [0; 1];
        let is_json = file.read(&mut first)? == 1 && looks_like_json(&first);
        file.rewind()?;
        if is_json { Ok(Summary::of(&Recording::from_json_reader(file)?)) } else { Summary::from_reader(file) }
    };
    read().map_err(|error: holotape::Error| error.with_path(shown(path)))
}

fn read_recording(mut reader: impl Read) -> holotape::Result<Recording> {
    let mut start = [0; 1];
    let length = reader.read(&mut start)?;
    let start = &start[..length];
    let whole = start.chain(reader);
    if looks_like_json(start) { Recording::from_json_reader(whole) } else { ReadOptions::new().from_reader(whole) }
}

fn looks_like_json(start: &[u8]) -> bool {
    start.first().is_some_and(|byte| b"{[ \t\r\n".contains(byte))
}

fn shown(path: &Path) -> PathBuf {
    if is_dash(path) { PathBuf::from("standard input") } else { path.to_owned() }
}
