//! Data to a file or standard output; everything else to stderr.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use holotape::Error;
use holotape::atomic::{self, Existing};

use crate::failure::Failure;
use crate::input::{is_dash, shown};
use crate::table::printable;

/// Standard output, without colours where nobody could see them.
pub fn stdout() -> impl Write {
    BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// Standard output as it is, for data.
pub fn data_stdout() -> impl Write + Send {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// One line on stderr: `error: …`.
pub fn report(label: &str, message: &dyn fmt::Display) {
    let message = printable(&message.to_string(), usize::MAX);
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
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Failure> {
    if is_dash(path) {
        return Ok(());
    }
    Ok(atomic::check(path, existing(force))?)
}

fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Refuse }
}

/// Writes to a path in one step, or to standard output. A file that is there is left alone unless `force`.
pub fn write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> holotape::Result<T>,
) -> Result<T, Failure> {
    if !is_dash(path) {
        return Ok(atomic::write(path, existing(force), fill)?);
    }
    let mut out = data_stdout();
    let result = fill(&mut out).map_err(|error| error.with_path("standard output"))?;
    out.flush()?;
    Ok(result)
}

/// A folder, made if need be, and in it a place for each file: under its own name, with the extension that `extension`
/// gives it.
pub fn places_in(
    folder: &Path,
    files: &[PathBuf],
    extension: impl Fn(&Path) -> &'static str,
) -> Result<Vec<PathBuf>, Failure> {
    let mut taken = HashSet::new();
    let place = |file: &PathBuf| {
        let name = file.file_name().filter(|_| !is_dash(file));
        let name = name.ok_or_else(|| Failure::Usage(format!("{} has no name to keep", shown(file).display())))?;
        let place = folder.join(with_extension(Path::new(name), extension(file)));
        if taken.insert(place.clone()) {
            Ok(place)
        } else {
            let place = place.display();
            Err(Failure::Usage(format!("{place} would be written twice: names in one folder must differ")))
        }
    };
    let places = files.iter().map(place).collect::<Result<_, _>>()?;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Usage(format!("--out-dir {} is not a folder", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| Error::from(error).with_path(folder))?;
    Ok(places)
}

/// A name with another extension: in the place of the one it has, if that is one of ours, or else behind it.
fn with_extension(name: &Path, extension: &str) -> PathBuf {
    const OURS: [&str; 3] = ["bin", "json", "journal"];
    if name.extension().is_some_and(|found| OURS.iter().any(|ours| found.eq_ignore_ascii_case(ours))) {
        return name.with_extension(extension);
    }
    let mut whole = name.as_os_str().to_owned();
    whole.push(".");
    whole.push(extension);
    whole.into()
}

/// The two sorts of files that hold a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// MRTK input animation
    Bin,
    /// Lossless JSON document
    Json,
}

impl FileKind {
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
