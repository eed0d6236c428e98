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
}

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid arguments.
    Usage(String),
    /// An operation failed.
    Failed(holotape::Error),
    /// Something would have been lost, and `--strict` forbids it.
    LossesForbidden(Losses),
    /// A failure in one of several files.
    InFile(PathBuf, Box<Failure>),
    /// A failure that has been reported on stderr.
    AlreadyReported,
}

impl Failure {
    /// Returns whether the reader of our output closed the pipe, as in `holotape sample … | head`.
    pub fn is_broken_pipe(&self) -> bool {
        self.io_kind() == Some(io::ErrorKind::BrokenPipe)
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
            Self::LossesForbidden(losses) => losses.iter().for_each(|loss| print_error(loss)),
            Self::InFile(..) => failure.report(),
            Self::AlreadyReported => {}
        }
        if let Some(hint) = failure.hint() {
            output::print_labelled("hint", &hint);
        }
    }

    /// Adds the path of the file, unless the error has one.
    pub fn with_path(self, path: &Path) -> Self {
        match self {
            Self::Failed(error) if error.path().is_none() => Self::Failed(error.with_path(path)),
            other => other,
        }
    }

    /// Names the option `--rate`, if it was given and a lower rate would help.
    pub fn with_rate(self, rate_hz: Option<f64>) -> Self {
        match (self, rate_hz) {
            (Self::Failed(error), Some(rate_hz)) if error.kind() == ErrorKind::LimitExceeded => {
                Self::Usage(format!("--rate {rate_hz}: {error}"))
            }
            (other, _) => other,
        }
    }

    /// Marks a failure as that of one of several files.
    pub fn with_input(self, path: &Path) -> Self {
        Self::InFile(path.to_owned(), Box::new(self.with_path(path)))
    }

    fn hint(&self) -> Option<&'static str> {
        (self.io_kind()? == io::ErrorKind::AlreadyExists).then_some("pass --force to overwrite it")
    }

    fn io_kind(&self) -> Option<io::ErrorKind> {
        let Self::Failed(error) = self else { return None };
        error.source()?.downcast_ref::<io::Error>().map(io::Error::kind)
    }
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
