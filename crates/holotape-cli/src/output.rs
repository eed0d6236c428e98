//! Writes data to files or standard output, and messages to stderr.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

use anstyle::{AnsiColor, Style};
use holotape::Error;
use holotape::atomic::{self, IfExists};
use holotape_convert::FileFormat;
use holotape_convert::compression::Compression;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{display_path, is_stdio};
use crate::signals;
use crate::table::escape_for_terminal;

/// Returns standard output for text, without colours if it is not a terminal.
pub fn stdout() -> impl Write {
    BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// Returns standard output for data.
pub fn data_stdout() -> impl Write + Send {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Writes an object as one line of JSON.
pub fn write_json(mut out: impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut out, object)?;
    writeln!(out)
}

/// Prints one line to stderr: `error: …`.
pub fn print_labelled(label: &str, message: &dyn fmt::Display) {
    let message = escape_for_terminal(&message.to_string(), usize::MAX);
    if message.is_empty() {
        return;
    }
    let colour = match label {
        "error" => AnsiColor::Red,
        "lost" | "warning" | "hint" => AnsiColor::Yellow,
        _ => AnsiColor::Green,
    };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    // If stderr is closed, there is no way to report that.
    writeln!(anstream::stderr(), "{style}{label}:{style:#} {message}").ok();
}

/// Fails if [`write()`] would fail because the file exists. Call it before expensive work.
pub fn check_not_existing(path: &Path, force: bool) -> Result<(), Failure> {
    if is_stdio(path) {
        return Ok(());
    }
    atomic::check(path, existing(force)).map_err(Failure::from_write)
}

fn existing(force: bool) -> IfExists {
    if force { IfExists::Replace } else { IfExists::Refuse }
}

/// Writes a file atomically, or to standard output. Replaces an existing file only with `force`.
pub fn write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> holotape::Result<T>,
) -> Result<T, Failure> {
    try_write(path, force, |out| {
        let is_stdout = is_stdio(path);
        fill(out).map_err(|error| Failure::from(if is_stdout { error.with_path("standard output") } else { error }))
    })
}

/// As [`write()`], for a closure that fails with a [`Failure`]. No partial file remains after a failure.
pub fn try_write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if is_stdio(path) {
        let mut out = data_stdout();
        let result = fill(&mut out)?;
        out.flush()?;
        return Ok(result);
    }
    remove_temp_files_on_signal();
    let mut failure = None;
    let written = atomic::write(path, existing(force), |out| {
        fill(out).map_err(|cause| match cause {
            Failure::Failed(error) => error,
            other => {
                failure = Some(other);
                Error::from(io::Error::other("nothing was written"))
            }
        })
    });
    written.map_err(|error| failure.unwrap_or_else(|| Failure::from_write(error)))
}

/// The exit code of a process that was interrupted by Ctrl-C.
pub const EXIT_SIGINT: i32 = 130;

/// Removes partial files on Ctrl-C. Commands with their own handler have installed it before.
fn remove_temp_files_on_signal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        signals::set_handler(|| {
            atomic::remove_temp_files();
            process::exit(EXIT_SIGINT);
        })
        .ok();
    });
}

/// Creates a folder if it is missing, and returns the path in it for each file: its name, with the extension that
/// `extension` returns.
pub fn output_paths(
    folder: &Path,
    files: &[PathBuf],
    extension: impl Fn(&Path) -> String,
) -> Result<Vec<PathBuf>, Failure> {
    let mut used = HashSet::new();
    let path = |file: &PathBuf| {
        let name = file.file_name().filter(|_| !is_stdio(file));
        let name = name.ok_or_else(|| {
            Failure::Usage(format!("{}: no file name to use in --out-dir", display_path(file).display()))
        })?;
        let path = folder.join(with_extension(Path::new(name), &extension(file)));
        if used.insert(path.clone()) {
            Ok(path)
        } else {
            let message = format!("{}: two inputs have this output path; rename one of them", path.display());
            Err(Failure::Usage(message))
        }
    };
    let paths = files.iter().map(path).collect::<Result<_, _>>()?;
    create_out_dir(folder)?;
    Ok(paths)
}

/// Creates the folder of `--out-dir` if it is missing.
pub fn create_out_dir(folder: &Path) -> Result<(), Failure> {
    check_dir("--out-dir", folder)?;
    atomic::create_folder(folder).map_err(|error| Error::from(error).with_path(folder).into())
}

/// Fails if the folder of an option is a file, or below one.
pub fn check_dir(option: &str, folder: &Path) -> Result<(), Failure> {
    match atomic::file_in_path(folder) {
        Some(file) => Err(Failure::Usage(format!("{option}: {} is a file, not a folder", file.display()))),
        None => Ok(()),
    }
}

/// Replaces the extension of a name if it is a known one, with that of a compression; otherwise appends the new one.
fn with_extension(name: &Path, extension: &str) -> PathBuf {
    let name = name.to_string_lossy();
    let (name, _) = Compression::split_name(&name);
    let known = FileFormat::ALL.into_iter().map(FileFormat::extension).chain(["journal"]);
    let stem_of = |known: &str| {
        let start = name.len().checked_sub(known.len()).filter(|start| name.is_char_boundary(*start))?;
        let (stem, end) = name.split_at(start);
        stem.strip_suffix('.').filter(|stem| !stem.is_empty() && end.eq_ignore_ascii_case(known))
    };
    let stem = known.filter_map(stem_of).min_by_key(|stem| stem.len()).unwrap_or(name);
    format!("{stem}.{extension}").into()
}

/// Fails unless the path of a page ends in `.html` or is standard output.
#[cfg(any(feature = "dataset", feature = "viewer"))]
pub fn check_html(page: &Path) -> Result<(), Failure> {
    let has_extension = |known: &&str| page.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known));
    if is_stdio(page) || ["html", "htm"].iter().any(has_extension) {
        return Ok(());
    }
    Err(Failure::Usage(format!("{}: unknown extension; use .html", page.display())))
}

/// The format of an output file, and its compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputFormat {
    pub file_format: FileFormat,
    pub compression: Compression,
}

impl OutputFormat {
    pub const BIN: Self = Self { file_format: FileFormat::Bin, compression: Compression::None };

    /// Returns the format for the extensions of a path; `None` if they are unknown.
    pub fn from_path(path: &Path) -> Option<Self> {
        Some(Self { file_format: FileFormat::from_path(path)?, compression: Compression::from_path(path) })
    }

    /// Returns `.bin` or `.json`, the formats that represent a recording completely; `None` for other extensions.
    pub fn native_from_path(path: &Path) -> Option<Self> {
        Self::from_path(path).filter(|format| matches!(format.file_format, FileFormat::Bin | FileFormat::Json))
    }

    /// Returns the extensions, without the first dot: `bin.zst`.
    pub fn extension(self) -> String {
        let dot = if self.compression.is_compressed() { "." } else { "" };
        format!("{}{dot}{}", self.file_format.extension(), self.compression.extension())
    }
}
