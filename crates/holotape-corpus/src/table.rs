//! The four tables.

use std::fmt;
use std::str::FromStr;

use holotape::{Error, ErrorKind};

/// A table of a corpus.
///
/// ```
/// use holotape_corpus::Table;
///
/// assert_eq!("events".parse::<Table>()?, Table::Events);
/// assert!("takes".parse::<Table>().is_err());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// A row for each take: what it is, what is wrong with it, and what somebody did in it, in numbers.
    Recordings,
    /// A row for each frame.
    Frames,
    /// A row for each pinch, each time that a hand was tracked or was not, each marker and each fixation.
    Events,
    /// A row for each key: all that is in the file.
    Keys,
}

impl Table {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Recordings, Self::Frames, Self::Events, Self::Keys];

    /// Its name: `recordings`, `frames`, `events` or `keys`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recordings => "recordings",
            Self::Frames => "frames",
            Self::Events => "events",
            Self::Keys => "keys",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Table {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || {
            let message = format!("there is no table {name:?}: there are recordings, frames, events and keys");
            Error::new(ErrorKind::Invalid, message)
        };
        Self::ALL.into_iter().find(|table| table.name() == name).ok_or_else(unknown)
    }
}
