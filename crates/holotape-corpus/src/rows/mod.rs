//! The rows of one take in each table.

mod events;
mod frames;
mod keys;
mod recordings;

use std::panic;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use holotape::{Error, ErrorKind, Recording, Result};
use sha2::{Digest, Sha256};

pub(crate) use events::{EventBuilder, events};
pub(crate) use keys::{KeyFilter, KeyRows};
pub(crate) use recordings::{RecordingRow, batch_of};

use crate::{RecordingFile, Table};

/// How many rows a batch has at most.
pub(crate) const BATCH_ROWS: usize = 8192;

/// Longer than anybody wears a headset. A file of a kilobyte can claim to be as long as it likes.
const MAX_SECS: f64 = 24.0 * 3600.0;

/// As many frames as a take may have: a day at 115 a second.
const MAX_FRAMES: f64 = 1e7;

/// How rows are made of takes.
///
/// ```
/// use holotape_corpus::RowOptions;
///
/// assert_eq!(RowOptions::new().rate_hz(), 60.0);
/// assert!(RowOptions::new().with_rate_hz(0.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowOptions {
    rate_hz: f64,
}

impl Default for RowOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl RowOptions {
    /// 60 frames a second.
    #[must_use]
    pub const fn new() -> Self {
        Self { rate_hz: 60.0 }
    }

    /// How many frames a second the table of frames has.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if that is not a number above 0 and up to 1000.
    pub fn with_rate_hz(self, rate_hz: f64) -> Result<Self> {
        if rate_hz > 0.0 && rate_hz <= 1000.0 {
            return Ok(Self { rate_hz });
        }
        let message = format!("{rate_hz} frames a second is no rate; it has to be above 0 and at most 1000");
        Err(Error::new(ErrorKind::Invalid, message))
    }

    /// How many frames a second the table of frames has.
    #[must_use]
    pub const fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Refuses takes that claim to be longer than any is.
    pub(crate) fn check_length(&self, duration_secs: f64) -> Result<()> {
        let too_long = |message: String| Err(Error::new(ErrorKind::LimitExceeded, message));
        if duration_secs > MAX_SECS {
            return too_long(format!("{duration_secs} s are more than a day: nobody recorded that"));
        }
        if duration_secs * self.rate_hz > MAX_FRAMES {
            return too_long(format!("{duration_secs} s at {} frames a second are too many frames", self.rate_hz));
        }
        Ok(())
    }
}

/// The rows of one take in each table, with exactly the columns that [`schema`](crate::schema()) has.
///
/// A broken file has one row in [`Table::Recordings`], which says why, and none anywhere else.
///
/// ```
/// use holotape_corpus::{RowOptions, Rows, Table, RecordingFile};
///
/// let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// let take = RecordingFile::new("p01/reach.bin", "study/p01/reach.bin");
/// let rows = Rows::of(&take, &bytes, &RowOptions::new());
/// assert!(rows.error().is_none());
/// let frames: usize = rows.table(Table::Frames).map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!(frames, 61);
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct RecordingRows {
    take: RecordingFile,
    options: RowOptions,
    about: RecordingRow,
    recording: Option<Recording>,
}

impl RecordingRows {
    /// The rows of a take whose file has these bytes.
    #[must_use]
    pub fn of(take: &RecordingFile, bytes: &[u8], options: &RowOptions) -> Self {
        Self::from_hashed(take, bytes, sha256(bytes), options)
    }

    /// The same, if the hash is known already.
    pub(crate) fn from_hashed(take: &RecordingFile, bytes: &[u8], sha256: String, options: &RowOptions) -> Self {
        let (about, recording) = RecordingRow::of(take, bytes, options);
        let about = RecordingRow { sha256: Some(sha256), ..about };
        Self { take: take.clone(), options: *options, about, recording }
    }

    /// The row of a take whose file could not be read, with its size if that can be seen.
    #[must_use]
    pub fn unreadable(take: &RecordingFile, error: &Error) -> Self {
        let about = RecordingRow { error: Some(error.to_string()), ..RecordingRow::with_file_size(take) };
        Self { take: take.clone(), options: RowOptions::new(), about, recording: None }
    }

    /// The row of a take whose file could be read, but of which no rows could be made.
    pub(crate) fn failed(take: &RecordingFile, bytes: Option<u64>, sha256: Option<String>, error: &Error) -> Self {
        let about = RecordingRow { bytes, sha256, error: Some(error.to_string()), ..RecordingRow::new(take) };
        Self { take: take.clone(), options: RowOptions::new(), about, recording: None }
    }

    /// What is wrong with the take, if it has rows in no table but [`Table::Recordings`].
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.about.error.as_deref()
    }

    /// The SHA-256 of the file, in hexadecimal digits; nothing if it could not be read.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        self.about.sha256.as_deref()
    }

    /// Its rows in a table, some thousand at a time. They are made as they are asked for.
    #[must_use]
    pub fn table(&self, table: Table) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + '_> {
        match (table, &self.recording) {
            (Table::Recordings, _) => Box::new(std::iter::once_with(|| batch_of(std::slice::from_ref(&self.about)))),
            (_, None) => Box::new(std::iter::empty()),
            (Table::Frames, Some(recording)) => frames::frames(&self.take.take, recording, &self.options),
            (Table::Events, Some(recording)) => Box::new(std::iter::once_with(|| {
                let mut rows = EventBuilder::default();
                rows.push(&self.take.take, &events(recording)?);
                rows.finish()
            })),
            (Table::Keys, Some(recording)) => Box::new(KeyRows::new(&self.take.take, recording, KeyFilter::default())),
        }
    }
}

/// What breaks a reader breaks only its take: a panic becomes an error.
pub(crate) fn catch_panic<T>(make: impl FnOnce() -> T) -> Result<T> {
    panic::catch_unwind(panic::AssertUnwindSafe(make)).map_err(|_| {
        let message =
            "holotape failed at this file, which is a fault of its own: please report it, with the file if you may";
        Error::new(ErrorKind::Invalid, message)
    })
}

/// The SHA-256 of bytes in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Arrow's errors in our words.
pub(crate) fn arrow_error(error: ArrowError) -> Error {
    Error::new(ErrorKind::Invalid, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(catch_panic(|| 7).ok(), Some(7));
        let error = catch_panic(|| [0_u8; 0].iter().max().copied().unwrap()).unwrap_err();
        assert!(error.to_string().contains("a fault of its own"), "{error}");
    }
}
