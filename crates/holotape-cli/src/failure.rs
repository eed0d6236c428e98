//! How a command ends.

use std::error::Error as _;
use std::fmt;
use std::io;

/// A command that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to add.
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
    /// Tried, and failed, and already said so.
    Said,
}

impl Failure {
    /// Whether the reader of our output has gone, which is its right: `holotape sample … | head`.
    pub fn is_broken_pipe(&self) -> bool {
        self.io_kind() == Some(io::ErrorKind::BrokenPipe)
    }

    /// What the user could do about it.
    pub fn hint(&self) -> Option<&'static str> {
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Failed(error) => error.fmt(f),
            Self::Said => Ok(()),
        }
    }
}
