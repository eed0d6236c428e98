//! The rows of one recording in each table.

mod events;
mod keys;
mod recordings;

use std::io::{self, Read};
use std::path::Path;
use std::{iter, panic};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use holotape::{Error, ErrorKind, FrameLimit, Result};
use holotape_convert::table::{self, TableOptions};
use holotape_convert::{Timing, other_files};
use sha2::{Digest, Sha256};

pub(crate) use events::{EventBuilder, EventRow, events};
pub(crate) use keys::{KeyFilter, key_rows};
pub(crate) use recordings::{RecordingRow, recording_batch};

use self::recordings::ReadRecording;
use crate::{RecordingFile, Table, file, schema};

/// Maximum number of rows of a batch.
pub(crate) const BATCH_ROWS: usize = 8192;

/// Maximum duration of a recording. A file of a kilobyte can claim any duration.
const MAX_SECS: f64 = 24.0 * 3600.0;

/// The highest rate at which the statistics of the table of recordings are sampled.
const STATS_RATE_HZ: f64 = 60.0;

/// How rows are made from recordings.
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
    /// 60 frames per second.
    #[must_use]
    pub const fn new() -> Self {
        Self { rate_hz: 60.0 }
    }

    /// Sets the rate of the table of frames.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the rate is not greater than 0 and at most 1000 Hz.
    pub fn with_rate_hz(self, rate_hz: f64) -> Result<Self> {
        if rate_hz > 0.0 && rate_hz <= 1000.0 {
            return Ok(Self { rate_hz });
        }
        let message = format!("invalid rate: {rate_hz} Hz; must be greater than 0 and at most 1000");
        Err(Error::invalid_argument(message))
    }

    /// Returns the rate of the table of frames.
    #[must_use]
    pub const fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Rejects recordings that are too long, at this rate or for their statistics, so that all tables have the same
    /// recordings.
    pub(crate) fn check_length(&self, duration_secs: f64, limit: FrameLimit) -> Result<()> {
        if duration_secs > MAX_SECS {
            let message = format!("duration of {duration_secs} s exceeds the limit of 24 h");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        limit.check(duration_secs, self.rate_hz.max(STATS_RATE_HZ))
    }
}

/// The rows of one recording in each table, with the columns of [`schema`](crate::schema()).
///
/// A broken file has one row in [`Table::Recordings`], with the error, and no other rows.
///
/// ```
/// use holotape_corpus::{RecordingFile, RecordingRows, RowOptions, Table};
///
/// let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// let file = RecordingFile::new("p01/reach.bin", "study/p01/reach.bin");
/// let rows = RecordingRows::from_bytes(&file, &bytes, &RowOptions::new());
/// assert!(rows.error().is_none());
/// let frames: usize = rows.table(Table::Frames).map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!(frames, 61);
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct RecordingRows {
    name: String,
    options: RowOptions,
    row: RecordingRow,
    recording: Option<ReadRecording>,
}

impl RecordingRows {
    /// Reads the rows of a file with these bytes.
    #[must_use]
    pub fn from_bytes(file: &RecordingFile, bytes: &[u8], options: &RowOptions) -> Self {
        Self::from_hashed(file, bytes, content_hash(&file.path, bytes), options)
    }

    /// The same with a known hash.
    pub(crate) fn from_hashed(file: &RecordingFile, bytes: &[u8], sha256: String, options: &RowOptions) -> Self {
        let (row, recording) = RecordingRow::from_bytes(file, bytes, options);
        let row = RecordingRow { sha256: Some(sha256), ..row };
        Self { name: file.name.clone(), options: *options, row, recording }
    }

    /// The row of a file that could not be read, with the file size if it is known.
    #[must_use]
    pub fn unreadable(file: &RecordingFile, error: &Error) -> Self {
        Self::from_row(file, RecordingRow::unreadable(file, error))
    }

    /// The row of a file that was read, but whose rows could not be made.
    pub(crate) fn failed(file: &RecordingFile, file_bytes: Option<u64>, sha256: Option<String>, error: &Error) -> Self {
        let row = RecordingRow { file_bytes, sha256, error: Some(error.to_string()), ..RecordingRow::new(file) };
        Self::from_row(file, row)
    }

    fn from_row(file: &RecordingFile, row: RecordingRow) -> Self {
        Self { name: file.name.clone(), options: RowOptions::new(), row, recording: None }
    }

    /// Returns the error, if the recording has rows only in [`Table::Recordings`].
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.row.error.as_deref()
    }

    /// Returns the hexadecimal SHA-256 of the file; `None` if it could not be read.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        self.row.sha256.as_deref()
    }

    /// Returns the rows of a table, in batches that are made on demand.
    #[must_use]
    pub fn table(&self, table: Table) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + '_> {
        match (table, &self.recording) {
            (Table::Recordings, _) => Box::new(iter::once_with(|| recording_batch(std::slice::from_ref(&self.row)))),
            (_, None) => Box::new(iter::empty()),
            (Table::Frames, Some(read)) => self.frames(read),
            (Table::Events, Some(ReadRecording { recording, fixations })) => Box::new(iter::once_with(|| {
                let mut rows = EventBuilder::default();
                rows.push(&self.name, &events(recording, fixations));
                rows.finish()
            })),
            (Table::Keys, Some(read)) => Box::new(key_rows(&self.name, &read.recording, KeyFilter::default())),
        }
    }

    /// All columns of the table of frames. The faster way of [`scan`](crate::scan()) is tested against this.
    fn frames(&self, read: &ReadRecording) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + '_> {
        let schema = schema(Table::Frames);
        let options = TableOptions::new().with_timing(Timing::Rate(self.options.rate_hz));
        match table::batches(&read.recording, &options) {
            Ok(batches) => Box::new(batches.map(move |batch| table::combined_batch(&self.name, &batch?, &schema))),
            Err(error) => Box::new(iter::once(Err(error))),
        }
    }
}

/// Turns a panic into an error, so that one file cannot stop the work on others.
pub(crate) fn catch_panic<T>(make: impl FnOnce() -> T) -> Result<T> {
    panic::catch_unwind(panic::AssertUnwindSafe(make)).map_err(|_| {
        Error::new(ErrorKind::Invalid, "internal error in holotape; please report it, if possible with the file")
    })
}

/// The hash of a recording: of the bytes of its file, and of the other files that it consists of.
pub(crate) fn content_hash(path: &Path, bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hash_other_files(path, &mut hash);
    hex(&hash.finalize())
}

/// Adds the other files of a recording. A file that cannot be read is left out: reading the recording reports it.
pub(crate) fn hash_other_files(path: &Path, hash: &mut Sha256) {
    for other in other_files(path) {
        hash.update(other.file_name().unwrap_or_default().as_encoded_bytes());
        if let Ok((file, _)) = file::open(&other) {
            let _ = io::copy(&mut file.take(file::MAX_BYTES), &mut HashWriter(hash));
        }
    }
}

/// Hashes what is written.
struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Converts an error of Arrow.
pub(crate) fn arrow_error(error: ArrowError) -> Error {
    Error::new(ErrorKind::Invalid, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn panic_becomes_an_error() {
        assert_eq!(catch_panic(|| 7).ok(), Some(7));
        let error = catch_panic(|| [0_u8; 0].iter().max().copied().unwrap()).unwrap_err();
        assert!(error.to_string().contains("internal error"), "{error}");
    }
}
