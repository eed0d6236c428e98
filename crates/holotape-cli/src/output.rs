//! Data to a file or standard output; everything else to stderr.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use holotape::atomic::{self, Existing};

use crate::failure::Failure;
use crate::input::is_dash;

/// Standard output, without colours where nobody could see them.
pub fn stdout() -> impl Write {
    BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// Standard output as it is, for data.
pub fn data_stdout() -> impl Write {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// One line on stderr: `error: …`.
pub fn report(label: &str, message: &dyn fmt::Display) {
    let message = message.to_string();
    if message.is_empty() {
        return;
    }
    let colour = if label == "error" { AnsiColor::Red } else { AnsiColor::Yellow };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    // A stderr that is closed leaves nobody to tell.
    writeln!(anstream::stderr(), "{style}{label}:{style:#} {message}").ok();
}

/// Writes to a path in one step, or to standard output. A file that is there is left alone unless `force`.
pub fn write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut dyn Write) -> holotape::Result<T>,
) -> Result<T, Failure> {
    if is_dash(path) {
        let mut out = data_stdout();
        let result = fill(&mut out)?;
        out.flush()?;
        return Ok(result);
    }
    let existing = if force { Existing::Replace } else { Existing::Refuse };
    atomic::write(path, existing, fill).map_err(|error| {
        if !force && path.is_file() {
            report("hint", &"--force replaces it");
        }
        error.into()
    })
}
