//! Messages of the layers on stderr.

use std::fmt::Display;

/// Prints a message to stderr. Stdout belongs to the application.
pub(crate) fn warn(message: impl Display) {
    // Not `eprintln!`, which panics if stderr is closed.
    let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("holotape-openxr: {message}\n"));
}
