//! Recordings from a file or standard input, told apart by content.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use holotape::format::ReadOptions;
use holotape::{Error, ErrorKind, Recording, Result, Summary};
use holotape_convert::{FileFormat, ImportedRecording, OpenOptions};

use crate::output::NativeFormat;

/// Whether a path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path as it is shown.
pub fn display_path(path: &Path) -> PathBuf {
    if is_stdio(path) { PathBuf::from("standard input") } else { path.to_owned() }
}

/// Reads a recording: an input animation, or a JSON document.
pub fn recording(path: &Path) -> Result<Recording> {
    match regular_file(path)? {
        Some((_, NativeFormat::Bin)) => Recording::open(path),
        Some((file, NativeFormat::Json)) => Recording::from_json_reader(file).map_err(|error| error.with_path(path)),
        None => read_pipe(path).map(|(recording, _)| recording),
    }
}

/// Reads what is in a recording, and no more than that where it can be helped.
pub fn summary(path: &Path) -> Result<(Summary, NativeFormat)> {
    match regular_file(path)? {
        Some((_, NativeFormat::Bin)) => Summary::open(path).map(|summary| (summary, NativeFormat::Bin)),
        Some((file, NativeFormat::Json)) => {
            let recording = Recording::from_json_reader(file).map_err(|error| error.with_path(path))?;
            Ok((Summary::from_recording(&recording), NativeFormat::Json))
        }
        None => read_pipe(path).map(|(recording, kind)| (Summary::from_recording(&recording), kind)),
    }
}

/// Standard input, which can be read once.
fn standard_input() -> io::Result<impl Read> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    if IS_TAKEN.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("it can be read only once"));
    }
    Ok(io::stdin().lock())
}

/// A file that may be broken: a JSON document, which is read, or the bytes of anything else.
pub enum Bytes {
    Bin(Vec<u8>),
    Json(Box<Recording>),
}

/// Reads a file that may be broken.
pub fn bytes(path: &Path) -> Result<Bytes> {
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(File::open(path)?) };
        let mut bytes = Vec::new();
        reader.by_ref().take(ReadOptions::DEFAULT_MAX_BYTES).read_to_end(&mut bytes)?;
        if reader.read(&mut [0])? > 0 {
            let message = format!("more than {} bytes", ReadOptions::DEFAULT_MAX_BYTES);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message).into());
        }
        match kind_of(&bytes)? {
            NativeFormat::Bin => Ok(Bytes::Bin(bytes)),
            NativeFormat::Json => Recording::from_json_slice(&bytes).map(|recording| Bytes::Json(Box::new(recording))),
        }
    };
    read().map_err(|error: Error| error.with_path(display_path(path)))
}

/// The file at a path and what it holds; nothing for what can only be read from start to end.
fn regular_file(path: &Path) -> Result<Option<(File, NativeFormat)>> {
    let open = || {
        // Asked before it is opened: to open and close a pipe cuts off whoever writes into it.
        if is_stdio(path) || !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let kind = kind_of(&start_of(&mut file)?)?;
        file.rewind()?;
        Ok(Some((file, kind)))
    };
    open().map_err(|error: Error| error.with_path(path))
}

fn read_pipe(path: &Path) -> Result<(Recording, NativeFormat)> {
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(File::open(path)?) };
        let start = start_of(&mut reader)?;
        let kind = kind_of(&start)?;
        let whole = start.chain(reader);
        let recording = match kind {
            NativeFormat::Bin => Recording::from_reader(whole),
            NativeFormat::Json => Recording::from_json_reader(whole),
        };
        Ok((recording?, kind))
    };
    read().map_err(|error: Error| error.with_path(display_path(path)))
}

fn start_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Which of the two sorts of files this is that hold all of a recording. What is nothing that we know may be a broken
/// input animation.
fn kind_of(start: &[u8]) -> Result<NativeFormat> {
    match FileFormat::detect(&start[..start.len().min(FileFormat::DETECT_BYTES)]) {
        None | Some(FileFormat::Bin) => Ok(NativeFormat::Bin),
        Some(FileFormat::Json) => Ok(NativeFormat::Json),
        Some(other) => {
            let remedy = if other.can_read() { "; `holotape convert` makes a recording of it" } else { "" };
            Err(Error::new(ErrorKind::NotARecording, format!("this is {}{remedy}", other.name_with_article())))
        }
    }
}

/// Reads a recording of whatever kind.
pub fn open_any(path: &Path, options: &OpenOptions) -> Result<ImportedRecording> {
    if !is_stdio(path) {
        return options.open(path);
    }
    let read = || options.from_reader(standard_input()?);
    read().map_err(|error: Error| error.with_path(display_path(path)))
}
