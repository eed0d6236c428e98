//! Outcomes and failures of commands.

use std::error::Error as _;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use holotape::ErrorKind;
use holotape_convert::Losses;

use crate::output;

/// The result of a command that succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing was lost.
    #[default]
    Done,
    /// Something was lost, and has been reported on stderr.
    Lossy,
    /// Another program was run; this is its exit code.
    Exit(u8),
}

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid arguments.
    Usage(String),
    /// An operation failed.
    Failed(holotape::Error),
    /// The output file exists, and `--force` would overwrite it.
    Exists(holotape::Error),
    /// Something would have been lost, and `--strict` forbids it.
    LossesForbidden(Losses),
    /// A failure in one of several files.
    InFile(PathBuf, Box<Failure>),
    /// A failure that has been reported on stderr.
    AlreadyReported,
}

impl Failure {
    /// Returns the exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(error) if error.kind() == ErrorKind::InvalidArgument => 2,
            Self::InFile(_, failure) => failure.exit_code(),
            Self::Failed(_) | Self::Exists(_) | Self::LossesForbidden(_) | Self::AlreadyReported => 1,
        }
    }

    /// Returns whether the reader of our output closed the pipe, as in `holotape sample … | head`.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Failed(error) if io_kind(error) == Some(io::ErrorKind::BrokenPipe))
    }

    /// Prints the failure to stderr.
    pub fn report(&self) {
        let (path, failure) = match self {
            Self::InFile(path, failure) => (format!("{}: ", path.display()), &**failure),
            other => (String::new(), other),
        };
        let print_error = |message: &dyn Display| output::print_labelled("error", &format_args!("{path}{message}"));
        match failure {
            Self::Usage(message) => print_error(message),
            // The error has the path.
            Self::Failed(error) => output::print_labelled("error", error),
            Self::Exists(error) => {
                output::print_labelled("error", error);
                output::print_labelled("hint", &"pass --force to overwrite it");
            }
            Self::LossesForbidden(losses) => losses.iter().for_each(|loss| print_error(loss)),
            Self::InFile(..) => failure.report(),
            Self::AlreadyReported => {}
        }
    }

    /// Adds the path of the file, unless the error has one.
    pub fn with_path(self, path: &Path) -> Self {
        match self {
            Self::Failed(error) if error.path().is_none() => Self::Failed(error.with_path(path)),
            other => other,
        }
    }

    /// Names the option that sets a rate, if it was given and a lower rate would help.
    pub fn with_rate(self, option: &str, rate_hz: Option<f64>) -> Self {
        match (self, rate_hz) {
            (Self::Failed(error), Some(rate_hz)) if error.kind() == ErrorKind::LimitExceeded => {
                Self::Usage(format!("{option} {rate_hz}: {error}"))
            }
            (other, _) => other,
        }
    }

    /// Marks a failure as that of one of several files.
    pub fn with_input(self, path: &Path) -> Self {
        Self::InFile(path.to_owned(), Box::new(self.with_path(path)))
    }

    /// The failure of an operation whose limits only options can exceed.
    pub fn from_options(error: holotape::Error) -> Self {
        match error.kind() {
            ErrorKind::LimitExceeded => Self::Usage(error.to_string()),
            _ => Self::Failed(error),
        }
    }

    /// The failure of writing an output file, for commands with `--force`.
    pub fn from_write(error: holotape::Error) -> Self {
        if io_kind(&error) == Some(io::ErrorKind::AlreadyExists) { Self::Exists(error) } else { Self::Failed(error) }
    }
}

fn io_kind(error: &holotape::Error) -> Option<io::ErrorKind> {
    error.source()?.downcast_ref::<io::Error>().map(io::Error::kind)
}

impl From<holotape::Error> for Failure {
    fn from(error: holotape::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Failure {
    /// Errors of files come from the library and name the file, so the remaining ones are about our own output.
    fn from(error: io::Error) -> Self {
        Self::Failed(holotape::Error::from(error).with_path("standard output"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
