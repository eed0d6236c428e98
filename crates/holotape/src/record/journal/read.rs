//! Reads journals: every complete record, and how much was not complete.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::header::{HEADER_BYTES, Header};
use super::{JOURNAL_MAGIC, ROTATED_SUFFIX, is_journal_file, with_suffix};
use crate::Recording;
use crate::error::{Error, ErrorKind, Result};
use crate::format::Channels;
use crate::paths;
use crate::record::build_recording;
use crate::record::decode::PackedRecord;
use crate::record::record_buffer::RecordBuffer;
use crate::record::record_header::{MAX_PAYLOAD_BYTES, RECORD_HEADER_BYTES, RecordHeader};

/// A take that was recorded but not saved.
///
/// After the process was killed it has all frames that [`push`](crate::record::Recorder::push) accepted, except perhaps
/// the last. An incomplete record at the end is dropped and counted.
///
/// ```
/// use holotape::Frame;
/// use holotape::record::{Journal, Recorder, RecorderOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("take.journal");
/// let mut recorder = Recorder::start(RecorderOptions::new().with_journal(&path))?;
/// recorder.push(&Frame { time: 0.5, ..Frame::default() })?;
/// drop(recorder); // Without having saved anything.
///
/// let journal = Journal::open(&path)?;
/// assert_eq!((journal.frame_count, journal.dropped_bytes), (1, 0));
/// assert!(journal.recording.save(path.with_extension("bin"))?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The recording that [`Recorder::stop`](crate::record::Recorder::stop) would have returned.
    pub recording: Recording,
    /// The number of frames.
    pub frame_count: u64,
    /// The number of bytes dropped because they are not a complete record. A killed process leaves less than one frame
    /// of them.
    pub dropped_bytes: u64,
}

impl Journal {
    /// Whether a journal exists at this path, or its older file if a process was killed before it created the newer
    /// one.
    ///
    /// ```
    /// assert!(!holotape::record::Journal::is_at("nowhere.journal"));
    /// ```
    #[must_use]
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        let is_missing_or_truncated = || fs::metadata(path).map_or(true, |file| file.len() < HEADER_BYTES as u64);
        is_journal_file(path) || is_missing_or_truncated() && is_journal_file(&with_suffix(path, ROTATED_SUFFIX))
    }

    /// Whether bytes start like a journal.
    ///
    /// ```
    /// assert!(!holotape::record::Journal::is_journal(b"GIF89a"));
    /// ```
    #[must_use]
    pub fn is_journal(bytes: &[u8]) -> bool {
        bytes.starts_with(&JOURNAL_MAGIC)
    }

    /// Reads the journal at this path, and its older file if it exists.
    ///
    /// # Errors
    /// If the file cannot be read or is not a journal.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let older = JournalFile::open(&with_suffix(path, ROTATED_SUFFIX)).ok();
        let parts = match (older, JournalFile::open(path)) {
            (Some(older), Ok(newer)) if older.is_of_same_take(&newer) => vec![older, newer],
            (_, Ok(newer)) => vec![newer],
            // The process ended right after rotating the files.
            (Some(older), Err(error)) if is_missing_or_truncated(&error) => vec![older],
            (_, Err(error)) => return Err(error),
        };
        Self::read(parts).map_err(|error| error.with_path(path))
    }

    /// Reads one file of a journal to its end.
    ///
    /// # Errors
    /// If reading fails or the bytes are not those of a journal.
    pub fn from_reader(reader: impl Read) -> Result<Self> {
        Self::read(vec![JournalFile::new(reader)?])
    }

    fn read(parts: Vec<JournalFile<impl Read>>) -> Result<Self> {
        let header = parts.iter().find_map(|part| part.header);
        // If the header is damaged, recover everything the records have.
        let (channels, keep_last_secs) = header.map_or((Channels::ALL, None), |it| (it.channels, it.keep_last_secs));
        let mut replay =
            Replay { buffer: RecordBuffer::new(keep_last_secs), last_secs: f64::NEG_INFINITY, dropped_bytes: 0 };
        for part in parts {
            replay.replay_file(part)?;
        }
        let (recording, frame_count) = build_recording::build_recording(replay.buffer, channels);
        Ok(Self { recording, frame_count, dropped_bytes: replay.dropped_bytes })
    }
}

fn is_missing_or_truncated(error: &Error) -> bool {
    let is_missing = || std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    error.kind() == ErrorKind::Truncated || is_missing().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A file of a journal after its header.
struct JournalFile<R> {
    header: Option<Header>,
    records: BufReader<R>,
}

impl JournalFile<File> {
    fn open(path: &Path) -> Result<Self> {
        let file = paths::open(path).map_err(Error::from);
        file.and_then(Self::new).map_err(|error| error.with_path(path))
    }
}

impl<R: Read> JournalFile<R> {
    fn new(reader: R) -> Result<Self> {
        let mut records = BufReader::new(reader);
        let mut start = Vec::new();
        records.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut start)?;
        Ok(Self { header: Header::parse(&start)?, records })
    }

    fn is_of_same_take(&self, other: &Self) -> bool {
        self.header.zip(other.header).is_none_or(|(a, b)| a.is_same_take(&b))
    }
}

/// Replays records as the recorder received them.
struct Replay {
    buffer: RecordBuffer,
    last_secs: f64,
    dropped_bytes: u64,
}

impl Replay {
    fn replay_file(&mut self, mut part: JournalFile<impl Read>) -> io::Result<()> {
        if part.header.is_none() {
            self.dropped_bytes += HEADER_BYTES as u64;
        }
        let mut record = Vec::new();
        loop {
            record.clear();
            let mut head = part.records.by_ref().take(RECORD_HEADER_BYTES as u64);
            head.read_to_end(&mut record)?;
            let Some(&head) = record.first_chunk() else { break };
            let head = RecordHeader::from_bytes(head);
            if head.payload_bytes as usize > MAX_PAYLOAD_BYTES {
                break; // Without a valid length the next record cannot be found.
            }
            part.records.by_ref().take(head.payload_bytes.into()).read_to_end(&mut record)?;
            if !head.matches(&record[RECORD_HEADER_BYTES..]) || !self.accept_record(&record) {
                self.dropped_bytes += record.len() as u64;
            }
        }
        self.dropped_bytes += record.len() as u64 + io::copy(&mut part.records, &mut io::sink())?;
        Ok(())
    }

    /// Accepts a record if it is valid.
    fn accept_record(&mut self, record: &[u8]) -> bool {
        let frame_secs = match PackedRecord::parse(&record[RECORD_HEADER_BYTES..]) {
            Some(PackedRecord::Frame(frame)) if frame.time_secs > self.last_secs => Some(frame.time_secs),
            Some(PackedRecord::Marker { .. }) => None,
            _ => return false,
        };
        self.last_secs = frame_secs.unwrap_or(self.last_secs);
        self.buffer.push(record, frame_secs);
        true
    }
}
