//! What of a table is asked for.

use std::num::NonZeroUsize;
use std::ops::Bound;
use std::str::FromStr;
use std::thread;

use holotape::{Error, ErrorKind, Hand, Result};

use crate::RowOptions;

/// What to do about a take that cannot be read, where its row in the table of recordings cannot say it.
///
/// ```
/// use holotape_corpus::OnError;
///
/// assert_eq!("skip".parse::<OnError>()?, OnError::Skip);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// It has no rows, and is counted: [`ScanCounts::skipped`](super::ScanCounts).
    #[default]
    Skip,
    /// The scan ends with its error.
    Fail,
}

impl FromStr for OnError {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "skip" => Ok(Self::Skip),
            "fail" => Ok(Self::Fail),
            _ => Err(Error::new(ErrorKind::Invalid, format!("errors can be \"skip\" or \"fail\", not {word:?}"))),
        }
    }
}

/// Which hands the rows of events and keys are about. Heads, eyes and markers are of none.
///
/// ```
/// use holotape::Hand;
/// use holotape_corpus::Hands;
///
/// let right = Hands { left: false, none: false, ..Hands::ALL };
/// assert!(right.contains(Some(Hand::Right)) && !right.contains(None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandFilter {
    /// Those of the left hand.
    pub left: bool,
    /// Those of the right hand.
    pub right: bool,
    /// Those of no hand.
    pub none: bool,
}

impl HandFilter {
    /// All rows.
    pub const ALL: Self = Self { left: true, right: true, none: true };

    /// Whether rows of a hand, or of none, are among them.
    #[must_use]
    pub const fn contains(self, hand: Option<Hand>) -> bool {
        match hand {
            Some(Hand::Left) => self.left,
            Some(Hand::Right) => self.right,
            None => self.none,
        }
    }
}

impl Default for HandFilter {
    fn default() -> Self {
        Self::ALL
    }
}

/// What of a table is asked for, and how hard to work for it.
///
/// ```
/// use holotape_corpus::ScanOptions;
///
/// let options = ScanOptions::new().with_columns(["take", "right.Palm.position.y"]).with_times_secs(2.0..=5.0);
/// assert_ne!(options, ScanOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScanOptions {
    pub(super) rows: RowOptions,
    pub(super) columns: Option<Vec<String>>,
    pub(super) times: TimeFilter,
    pub(super) hands: HandFilter,
    pub(super) jobs: usize,
    pub(super) on_error: OnError,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ScanOptions {
    /// All of a table at 60 frames a second, on all cores; takes that cannot be read are skipped.
    #[must_use]
    pub fn new() -> Self {
        let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (rows, times, hands, on_error) = Default::default();
        Self { rows, columns: None, times, hands, jobs, on_error }
    }

    /// How rows are made: at which rate there are frames.
    #[must_use]
    pub fn with_rows(self, rows: RowOptions) -> Self {
        Self { rows, ..self }
    }

    /// Only these columns, in this order. Only what they need is read.
    #[must_use]
    pub fn with_columns<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Only frames and keys at these times, and events that began then. Frames are those of the whole take, wherever the
    /// span begins. NaN is later than any time, as databases have it; rows without a time are left out.
    #[must_use]
    pub fn with_times_secs(self, times: impl std::ops::RangeBounds<f64>) -> Self {
        Self { times: TimeFilter(times.start_bound().cloned(), times.end_bound().cloned()), ..self }
    }

    /// Only events and keys of these hands.
    #[must_use]
    pub fn with_hands(self, hands: HandFilter) -> Self {
        Self { hands, ..self }
    }

    /// How many takes to read at once; at least one.
    #[must_use]
    pub fn with_jobs(self, jobs: usize) -> Self {
        Self { jobs: jobs.max(1), ..self }
    }

    /// What to do about takes that cannot be read.
    #[must_use]
    pub fn with_on_error(self, on_error: OnError) -> Self {
        Self { on_error, ..self }
    }
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeFilter(Bound<f64>, Bound<f64>);

impl Default for TimeFilter {
    fn default() -> Self {
        Self(Bound::Unbounded, Bound::Unbounded)
    }
}

impl TimeFilter {
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn contains(&self, secs: f64) -> bool {
        let is_from = match self.0 {
            Bound::Included(from) => secs >= from || secs.is_nan(),
            Bound::Excluded(from) => secs > from || secs.is_nan() && !from.is_nan(),
            Bound::Unbounded => true,
        };
        let is_to = match self.1 {
            Bound::Included(to) => secs <= to || to.is_nan(),
            Bound::Excluded(to) => secs < to || to.is_nan() && !secs.is_nan(),
            Bound::Unbounded => true,
        };
        is_from && is_to
    }
}
