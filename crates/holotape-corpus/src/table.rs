//! The four tables.

use std::fmt;
use std::str::FromStr;

use holotape::Error;

/// A table of a corpus.
///
/// ```
/// use holotape_corpus::Table;
///
/// assert_eq!("events".parse::<Table>()?, Table::Events);
/// assert!("files".parse::<Table>().is_err());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// One row per recording: format, findings and motion statistics.
    Recordings,
    /// One row per frame.
    Frames,
    /// One row per pinch, tracked span, untracked span, marker and fixation.
    Events,
    /// One row per key: the complete data of the file.
    Keys,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 4] = [Self::Recordings, Self::Frames, Self::Events, Self::Keys];

    /// Returns the name: `recordings`, `frames`, `events` or `keys`.
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
        let unknown =
            || Error::invalid_argument(format!("unknown table {name:?}; use recordings, frames, events or keys"));
        Self::ALL.into_iter().find(|table| table.name() == name).ok_or_else(unknown)
    }
}
