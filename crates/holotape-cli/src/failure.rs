//! How a command ends.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

use holotape_convert::Losses;

use crate::output;

/// A command that came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to add.
    #[default]
    Done,
    /// Done, but something was lost on the way, and has been told on stderr.
    Lossy,
}

/// A command that did not.
#[derive(Debug)]
pub enum Failure {
    /// Asked for in a way that cannot be meant.
    Usage(String),
    /// Tried, and failed.
    Failed(holotape::Error),
    /// Not done, because something would have been lost.
    LossesForbidden(Losses),
    /// One of these, about one of many files.
    InFile(PathBuf, Box<Failure>),
    /// Tried, and failed, and already said so.
    AlreadyReported,
}

impl Failure {
    /// Whether the reader of our output has gone, which is its right: `holotape sample … | head`.
    pub fn is_broken_pipe(&self) -> bool {
        self.io_kind() == Some(io::ErrorKind::BrokenPipe)
    }

    /// Tells the user, on stderr.
    pub fn report(&self) {
        match self {
            Self::Usage(message) => output::print_labelled("error", message),
            Self::Failed(error) => output::print_labelled("error", error),
            Self::LossesForbidden(losses) => losses.iter().for_each(|loss| output::print_labelled("error", loss)),
            Self::InFile(path, failure) => {
                let path = path.display();
                match &**failure {
                    Self::Usage(message) => output::print_labelled("error", &format_args!("{path}: {message}")),
                    Self::LossesForbidden(losses) => {
                        losses.iter().for_each(|loss| output::print_labelled("error", &format_args!("{path}: {loss}")));
                    }
                    other => other.report(),
                }
            }
            Self::AlreadyReported => {}
        }
        if let Some(hint) = self.hint() {
            output::print_labelled("hint", &hint);
        }
    }

    /// The same failure, about a file, where it does not say so already.
    pub fn with_path(self, path: &Path) -> Self {
        match self {
            Self::Failed(error) if error.path().is_none() => Self::Failed(error.with_path(path)),
            other => other,
        }
    }

    /// The same failure, which is about one of many files.
    pub fn with_input(self, path: &Path) -> Self {
        Self::InFile(path.to_owned(), Box::new(self.with_path(path)))
    }

    /// What the user could do about it.
    fn hint(&self) -> Option<&'static str> {
        (self.io_kind()? == io::ErrorKind::AlreadyExists).then_some("--force replaces it")
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
    /// Files are read and written through the library, whose errors name them: what is left is our own output.
    fn from(error: io::Error) -> Self {
        Self::Failed(holotape::Error::from(error).with_path("standard output"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
