//! Options of a scan.

use std::num::NonZeroUsize;
use std::ops::Bound;
use std::str::FromStr;
use std::thread;

use holotape::{Error, Hand, Result};

use crate::RowOptions;

/// What to do with an unreadable recording. The table of recordings always has a row with its error.
///
/// ```
/// use holotape_corpus::OnError;
///
/// assert_eq!("skip".parse::<OnError>()?, OnError::Skip);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// Skip it, and count it in [`ScanCounts::skipped`](super::ScanCounts).
    #[default]
    Skip,
    /// End the scan with its error.
    Raise,
}

impl FromStr for OnError {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "skip" => Ok(Self::Skip),
            "raise" => Ok(Self::Raise),
            _ => {
                let message = format!("invalid value for errors: {name:?}; use \"skip\" or \"raise\"");
                Err(Error::invalid_argument(message))
            }
        }
    }
}

/// A filter of events and keys by hand. Rows of head, gaze and markers have no hand.
///
/// ```
/// use holotape::Hand;
/// use holotape_corpus::HandFilter;
///
/// let right = HandFilter { left: false, none: false, ..HandFilter::ALL };
/// assert!(right.contains(Some(Hand::Right)) && !right.contains(None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandFilter {
    /// Rows of the left hand.
    pub left: bool,
    /// Rows of the right hand.
    pub right: bool,
    /// Rows without a hand.
    pub none: bool,
}

impl HandFilter {
    /// All rows.
    pub const ALL: Self = Self { left: true, right: true, none: true };

    /// Whether rows of this hand, or without a hand, are selected.
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

/// Columns, filters and threads of a scan.
///
/// ```
/// use holotape_corpus::ScanOptions;
///
/// let options = ScanOptions::new().with_columns(["recording", "right.Palm.position.y"]).with_times_secs(2.0..=5.0);
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
    /// All rows and columns at 60 frames per second, on all cores; unreadable recordings are skipped.
    #[must_use]
    pub fn new() -> Self {
        let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (rows, times, hands, on_error) = Default::default();
        Self { rows, columns: None, times, hands, jobs, on_error }
    }

    /// Sets how rows are made.
    #[must_use]
    pub fn with_rows(self, rows: RowOptions) -> Self {
        Self { rows, ..self }
    }

    /// Selects columns, in this order. Only the data that they need is read.
    #[must_use]
    pub fn with_columns<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Selects frames and keys at these times, and events that start then. The times of frames do not depend on the span.
    /// NaN is greater than any time, as in databases; rows without a time are omitted.
    #[must_use]
    pub fn with_times_secs(self, times: impl std::ops::RangeBounds<f64>) -> Self {
        Self { times: TimeFilter(times.start_bound().cloned(), times.end_bound().cloned()), ..self }
    }

    /// Selects events and keys by hand.
    #[must_use]
    pub fn with_hands(self, hands: HandFilter) -> Self {
        Self { hands, ..self }
    }

    /// Sets the number of worker threads; at least one.
    #[must_use]
    pub fn with_jobs(self, jobs: usize) -> Self {
        Self { jobs: jobs.max(1), ..self }
    }

    /// Sets what to do with unreadable recordings.
    #[must_use]
    pub fn with_on_error(self, on_error: OnError) -> Self {
        Self { on_error, ..self }
    }
}

/// A filter by time.
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
        let is_after_start = match self.0 {
            Bound::Included(from) => secs >= from || secs.is_nan(),
            Bound::Excluded(from) => secs > from || secs.is_nan() && !from.is_nan(),
            Bound::Unbounded => true,
        };
        let is_before_end = match self.1 {
            Bound::Included(to) => secs <= to || to.is_nan(),
            Bound::Excluded(to) => secs < to || to.is_nan() && !secs.is_nan(),
            Bound::Unbounded => true,
        };
        is_after_start && is_before_end
    }
}
