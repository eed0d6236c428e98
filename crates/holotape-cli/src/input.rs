//! Reads recordings from files or standard input. The format is detected by content.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use holotape::check::RepairEntry;
use holotape::format::ReadOptions;
use holotape::paths;
use holotape::stats::{Stats, StatsOptions};
use holotape::{Error, ErrorKind, Recording, Result, Summary};
use holotape_convert::compression::{self, Compression, DecompressedReader};
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
        Some((file, file_format)) => read_native(file, file_format).map_err(|error| error.with_path(path)),
        None => read_pipe(path).map(|(recording, ..)| recording),
    }
}

/// The summary of a recording, and what its file is.
pub struct SummarizedFile {
    pub summary: Summary,
    pub file_format: FileFormat,
    pub compression: Compression,
}

/// Reads the summary of a recording, without its keys if the file is a `.bin`.
pub fn summary(path: &Path) -> Result<SummarizedFile> {
    let Some((file, file_format)) = regular_file(path)? else {
        let (recording, file_format, compression) = read_pipe(path)?;
        return Ok(SummarizedFile { summary: Summary::from_recording(&recording), file_format, compression });
    };
    let compression = file.compression();
    let summary = match file_format {
        FileFormat::Json => read_native(file, file_format).map(|recording| Summary::from_recording(&recording)),
        _ => Summary::from_reader(file),
    };
    let summary = summary.map_err(|error| error.with_path(path))?;
    Ok(SummarizedFile { summary, file_format, compression })
}

/// Computes the statistics of a recording, without the curves that they do not need if the file is a `.bin`.
pub fn stats(path: &Path, options: &StatsOptions) -> Result<Stats> {
    let of_recording = |recording: &Recording| Stats::from_recording(recording, options);
    let Some((file, file_format)) = regular_file(path)? else {
        let (recording, ..) = read_pipe(path)?;
        return of_recording(&recording).map_err(|error| error.with_path(display_path(path)));
    };
    let stats = match file_format {
        FileFormat::Json => read_native(file, file_format).and_then(|recording| of_recording(&recording)),
        _ => Stats::from_reader(file, options),
    };
    stats.map_err(|error| error.with_path(path))
}

fn read_native(file: DecompressedReader<File>, file_format: FileFormat) -> Result<Recording> {
    match (file_format, file.kept_bytes()) {
        (FileFormat::Json, _) => Recording::from_json_reader(file),
        (_, Some(bytes)) => Recording::from_slice(bytes),
        (_, None) => ReadOptions::new().from_seekable_reader(file),
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

/// Reads a file that is not damaged, curve by curve, which takes half the memory of [`bytes`]. `None` for pipes, which can be
/// read only once, and for files that cannot be opened.
pub fn intact(path: &Path) -> Option<Recording> {
    let (file, file_format) = regular_file(path).ok()??;
    read_native(file, file_format).ok()
}

/// The contents of a file that may be damaged: a parsed JSON document, or the bytes of any other file.
pub enum Bytes {
    Bin {
        bytes: Vec<u8>,
        /// Why a compressed file could not be decompressed completely, and what is lost by that.
        damage: Option<(Error, RepairEntry)>,
    },
    Json(Box<Recording>),
}

/// Reads a file that may be damaged.
pub fn bytes(path: &Path) -> Result<Bytes> {
    const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(paths::open(path)?) };
        let mut bytes = Vec::new();
        reader.by_ref().take(MAX_BYTES).read_to_end(&mut bytes)?;
        if reader.read(&mut [0])? > 0 {
            let message = format!("file too large: more than {MAX_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message).into());
        }
        let salvaged = compression::salvage(&bytes, MAX_BYTES)?;
        let loss = salvaged.loss();
        let damage = salvaged.error.zip(loss);
        if salvaged.compression.is_compressed() {
            bytes = salvaged.bytes.into_owned();
        }
        match (detect_native(&bytes)?, damage) {
            (FileFormat::Json, Some((error, _))) => Err(error),
            (FileFormat::Json, None) => {
                Recording::from_json_slice(&bytes).map(|recording| Bytes::Json(Box::new(recording)))
            }
            (_, damage) => Ok(Bytes::Bin { bytes, damage }),
        }
    };
    read().map_err(|error: Error| error.with_path(display_path(path)))
}

/// Opens the file at a path and detects its format; `None` for pipes, which are not seekable.
fn regular_file(path: &Path) -> Result<Option<(DecompressedReader<File>, FileFormat)>> {
    let open = || {
        // Check before opening: opening and closing a named pipe would break it for its writer.
        if is_stdio(path) || !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut file = DecompressedReader::new(paths::open(path)?, ReadOptions::DEFAULT_MAX_BYTES)?;
        let file_format = detect_native(&file.start()?)?;
        Ok(Some((file, file_format)))
    };
    open().map_err(|error: Error| error.with_path(path))
}

fn read_pipe(path: &Path) -> Result<(Recording, FileFormat, Compression)> {
    let read = || {
        let mut reader: Box<dyn Read> =
            if is_stdio(path) { Box::new(standard_input()?) } else { Box::new(paths::open(path)?) };
        let start = start_of(&mut reader)?;
        let compression = Compression::detect(&start);
        let mut reader = compression.reader(start.chain(reader), ReadOptions::DEFAULT_MAX_BYTES)?;
        let start = start_of(&mut reader)?;
        let file_format = detect_native(&start)?;
        let complete = start.chain(reader);
        let recording = match file_format {
            FileFormat::Json => Recording::from_json_reader(complete),
            _ => Recording::from_reader(complete),
        };
        Ok((recording?, file_format, compression))
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
            let hint = match other.can_read() {
                true if other.is_enabled() => "; import it with `holotape convert`",
                true => "; this program was built without it: build it with default features",
                false => "",
            };
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
