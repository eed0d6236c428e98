//! Data to a file or standard output; everything else to stderr.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use holotape::Error;
use holotape::atomic::{self, IfExists};
use holotape_convert::FileFormat;

use crate::failure::Failure;
use crate::input::{display_path, is_stdio};
use crate::table::escape_for_terminal;

/// Standard output, without colours where nobody could see them.
pub fn stdout() -> impl Write {
    BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// Standard output as it is, for data.
pub fn data_stdout() -> impl Write + Send {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// One line on stderr: `error: …`.
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
    // A stderr that is closed leaves nobody to tell.
    writeln!(anstream::stderr(), "{style}{label}:{style:#} {message}").ok();
}

/// Fails where [`write`] would because of a file that is there, before the work is done.
pub fn check_not_existing(path: &Path, force: bool) -> Result<(), Failure> {
    if is_stdio(path) {
        return Ok(());
    }
    Ok(atomic::check(path, existing(force))?)
}

fn existing(force: bool) -> IfExists {
    if force { IfExists::Replace } else { IfExists::Refuse }
}

/// Writes to a path in one step, or to standard output. A file that is there is left alone unless `force`.
pub fn write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> holotape::Result<T>,
) -> Result<T, Failure> {
    try_write(path, force, |out| {
        let is_dash = is_stdio(path);
        fill(out).map_err(|error| Failure::from(if is_dash { error.with_path("standard output") } else { error }))
    })
}

/// The same where more can go wrong than writing: nothing is left of what fails, but on standard output.
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
        fill(out).map_err(|fault| match fault {
            Failure::Failed(error) => error,
            other => {
                failure = Some(other);
                Error::from(io::Error::other("nothing was written"))
            }
        })
    });
    written.map_err(|error| failure.unwrap_or(Failure::Failed(error)))
}

/// Ctrl-C leaves no half a file behind. Commands with a way of their own to end have set theirs before.
fn remove_temp_files_on_signal() {
    const EXIT_SIGINT: i32 = 130;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ctrlc::set_handler(|| {
            atomic::remove_temp_files();
            process::exit(EXIT_SIGINT);
        })
        .ok();
    });
}

/// A folder, made if need be, and in it a place for each file: under its own name, with the extension that `extension`
/// gives it.
pub fn output_paths(
    folder: &Path,
    files: &[PathBuf],
    extension: impl Fn(&Path) -> &'static str,
) -> Result<Vec<PathBuf>, Failure> {
    let mut taken = HashSet::new();
    let path = |file: &PathBuf| {
        let name = file.file_name().filter(|_| !is_stdio(file));
        let name =
            name.ok_or_else(|| Failure::Usage(format!("{} has no name to keep", display_path(file).display())))?;
        let path = folder.join(with_extension(Path::new(name), extension(file)));
        if taken.insert(path.clone()) {
            Ok(path)
        } else {
            let place = path.display();
            Err(Failure::Usage(format!("{place} would be written twice: names in one folder must differ")))
        }
    };
    let places = files.iter().map(path).collect::<Result<_, _>>()?;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Usage(format!("--out-dir {} is not a folder", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Error::from(error).with_path(folder))?;
    Ok(places)
}

/// A name with another extension: in the place of the one it has, if that is one we know, or else behind it.
fn with_extension(name: &Path, extension: &str) -> PathBuf {
    let name = name.to_string_lossy();
    let known = FileFormat::ALL.into_iter().map(FileFormat::extension).chain(["journal"]);
    let stem_of = |known: &str| {
        let start = name.len().checked_sub(known.len()).filter(|start| name.is_char_boundary(*start))?;
        let (stem, end) = name.split_at(start);
        stem.strip_suffix('.').filter(|stem| !stem.is_empty() && end.eq_ignore_ascii_case(known))
    };
    let stem = known.filter_map(stem_of).min_by_key(|stem| stem.len()).unwrap_or(&name);
    format!("{stem}.{extension}").into()
}

/// The two sorts of files that hold a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NativeFormat {
    /// MRTK input animation
    Bin,
    /// Lossless JSON document
    Json,
}

impl NativeFormat {
    /// The sort that a name stands for.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "bin" => Some(Self::Bin),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The end of the names of such files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Json => "json",
        }
    }
}
