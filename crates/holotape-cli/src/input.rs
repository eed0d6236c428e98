//! Reads recordings from files or standard input. The format is detected by content.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use holotape::format::ReadOptions;
use holotape::{Error, ErrorKind, Recording, Result, Summary};
use holotape_convert::{FileFormat, ImportedRecording, OpenOptions};

/// Returns whether a path is `-`: standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns a path for messages.
pub fn display_path(path: &Path) -> PathBuf {
    if is_stdio(path) { PathBuf::from("standard input") } else { path.to_owned() }
}

/// Reads an input animation or a JSON document.
pub fn recording(path: &Path) -> Result<Recording> {
    match regular_file(path)? {
        Some((file, FileFormat::Json)) => Recording::from_json_reader(file).map_err(|error| error.with_path(path)),
        Some(_) => Recording::open(path),
        None => read_pipe(path).map(|(recording, _)| recording),
    }
}

/// Reads the summary of a recording, without its keys if the file is a `.bin`.
pub fn summary(path: &Path) -> Result<(Summary, FileFormat)> {
    match regular_file(path)? {
        Some((file, FileFormat::Json)) => {
            let recording = Recording::from_json_reader(file).map_err(|error| error.with_path(path))?;
            Ok((Summary::from_recording(&recording), FileFormat::Json))
        }
        Some(_) => Summary::open(path).map(|summary| (summary, FileFormat::Bin)),
        None => read_pipe(path).map(|(recording, file_format)| (Summary::from_recording(&recording), file_format)),
    }
}

/// Returns standard input; fails on the second call.
fn standard_input() -> io::Result<impl Read> {
    static IS_USED: AtomicBool = AtomicBool::new(false);
    if IS_USED.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("- was given twice; standard input can be read only once"));
    }
    Ok(io::stdin().lock())
}

/// The contents of a file that may be damaged: a parsed JSON document, or the bytes of any other file.
pub enum Bytes {
    Bin(Vec<u8>),
    Json(Box<Recording>),
}

/// Reads a file that may be damaged.
pub fn bytes(path: &Path) -> Result<Bytes> {
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(File::open(path)?) };
        let mut bytes = Vec::new();
        reader.by_ref().take(ReadOptions::DEFAULT_MAX_BYTES).read_to_end(&mut bytes)?;
        if reader.read(&mut [0])? > 0 {
            let message = format!("file too large: more than {} bytes", ReadOptions::DEFAULT_MAX_BYTES);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message).into());
        }
        match detect_native(&bytes)? {
            FileFormat::Json => Recording::from_json_slice(&bytes).map(|recording| Bytes::Json(Box::new(recording))),
            _ => Ok(Bytes::Bin(bytes)),
        }
    };
    read().map_err(|error: Error| error.with_path(display_path(path)))
}

/// Opens the file at a path and detects its format; `None` for pipes, which are not seekable.
fn regular_file(path: &Path) -> Result<Option<(File, FileFormat)>> {
    let open = || {
        // Check before opening: opening and closing a named pipe would break it for its writer.
        if is_stdio(path) || !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let file_format = detect_native(&start_of(&mut file)?)?;
        file.rewind()?;
        Ok(Some((file, file_format)))
    };
    open().map_err(|error: Error| error.with_path(path))
}

fn read_pipe(path: &Path) -> Result<(Recording, FileFormat)> {
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(File::open(path)?) };
        let start = start_of(&mut reader)?;
        let file_format = detect_native(&start)?;
        let complete = start.chain(reader);
        let recording = match file_format {
            FileFormat::Json => Recording::from_json_reader(complete),
            _ => Recording::from_reader(complete),
        };
        Ok((recording?, file_format))
    };
    read().map_err(|error: Error| error.with_path(display_path(path)))
}

fn start_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns `.bin` or `.json`; an error for other formats. An unknown format is treated as a damaged `.bin`.
fn detect_native(start: &[u8]) -> Result<FileFormat> {
    match FileFormat::detect(&start[..start.len().min(FileFormat::DETECT_BYTES)]) {
        None => Ok(FileFormat::Bin),
        Some(native @ (FileFormat::Bin | FileFormat::Json)) => Ok(native),
        Some(other) => {
            let hint = if other.can_read() { "; import it with `holotape convert`" } else { "" };
            Err(Error::new(ErrorKind::NotARecording, format!("this is {}{hint}", other.name_with_article())))
        }
    }
}

/// Reads a recording of any file format.
pub fn open_any(path: &Path, options: &OpenOptions) -> Result<ImportedRecording> {
    if !is_stdio(path) {
        return options.open(path);
    }
    let read = || options.from_reader(standard_input()?);
    read().map_err(|error: Error| error.with_path(display_path(path)))
}
