//! Journals read back: every whole record, and an account of what is not whole.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::header::{HEADER_BYTES, Header};
use super::{ROTATED_SUFFIX, is_journal, with_suffix};
use crate::Recording;
use crate::error::{Error, ErrorKind, Result};
use crate::format::Channels;
use crate::record::build_recording;
use crate::record::decode::PackedRecord;
use crate::record::record_buffer::RecordBuffer;
use crate::record::record_header::{MAX_PAYLOAD_BYTES, RECORD_HEADER_BYTES, RecordHeader};

/// What a recorder left behind that did not get to save its recording.
///
/// If the process was killed, every frame is there for which [`push`](crate::record::Recorder::push) had returned, but
/// perhaps the last. A record that was being written then is not whole; it is left out, and counted.
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
/// assert_eq!((journal.frames, journal.bytes_dropped), (1, 0));
/// assert!(journal.recording.save(path.with_extension("bin"))?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// What [`Recorder::stop`](crate::record::Recorder::stop) would have given.
    pub recording: Recording,
    /// How many frames it has.
    pub frames: u64,
    /// How many bytes were left out because they are no whole record. A process that is killed leaves less than one
    /// frame of them.
    pub bytes_dropped: u64,
}

impl Journal {
    /// Whether there is a journal at a path, or its older part where a process was killed before there was a newer one.
    ///
    /// ```
    /// assert!(!holotape::record::Journal::is_at("nowhere.journal"));
    /// ```
    #[must_use]
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        let is_missing_or_cut = || fs::metadata(path).map_or(true, |file| file.len() < HEADER_BYTES as u64);
        is_journal(path) || is_missing_or_cut() && is_journal(&with_suffix(path, ROTATED_SUFFIX))
    }

    /// Reads the journal at a path, and its older part if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or is not a journal.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let older = JournalFile::open(&with_suffix(path, ROTATED_SUFFIX)).ok();
        let parts = match (older, JournalFile::open(path)) {
            (Some(older), Ok(newer)) if older.is_of_same_take(&newer) => vec![older, newer],
            (_, Ok(newer)) => vec![newer],
            // The process ended just when the newer part had become the older.
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
        // Where the header is damaged: everything that the records have.
        let (channels, rolling_secs) = header.map_or((Channels::ALL, None), |it| (it.channels, it.rolling_secs));
        let mut replay =
            Replay { reel: RecordBuffer::new(rolling_secs), last_secs: f64::NEG_INFINITY, bytes_dropped: 0 };
        for part in parts {
            replay.replay_file(part)?;
        }
        let (recording, frames) = build_recording::build_recording(replay.reel, channels);
        Ok(Self { recording, frames, bytes_dropped: replay.bytes_dropped })
    }
}

fn is_missing_or_truncated(error: &Error) -> bool {
    let is_missing = || std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    error.kind() == ErrorKind::Truncated || is_missing().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A file of a journal, of which the header is read.
struct JournalFile<R> {
    header: Option<Header>,
    records: BufReader<R>,
}

impl JournalFile<File> {
    fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::from);
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

/// The records of a journal, taken as the recorder took them.
struct Replay {
    reel: RecordBuffer,
    last_secs: f64,
    bytes_dropped: u64,
}

impl Replay {
    fn replay_file(&mut self, mut part: JournalFile<impl Read>) -> io::Result<()> {
        if part.header.is_none() {
            self.bytes_dropped += HEADER_BYTES as u64;
        }
        let mut record = Vec::new();
        loop {
            record.clear();
            let mut head = part.records.by_ref().take(RECORD_HEADER_BYTES as u64);
            head.read_to_end(&mut record)?;
            let Some(&head) = record.first_chunk() else { break };
            let head = RecordHeader::from_bytes(head);
            if head.payload_bytes as usize > MAX_PAYLOAD_BYTES {
                break; // No length, so nobody knows where the next record is.
            }
            part.records.by_ref().take(head.payload_bytes.into()).read_to_end(&mut record)?;
            if !head.matches(&record[RECORD_HEADER_BYTES..]) || !self.accept_record(&record) {
                self.bytes_dropped += record.len() as u64;
            }
        }
        self.bytes_dropped += record.len() as u64 + io::copy(&mut part.records, &mut io::sink())?;
        Ok(())
    }

    /// Takes a record, unless it makes no sense.
    fn accept_record(&mut self, record: &[u8]) -> bool {
        let frame_secs = match PackedRecord::parse(&record[RECORD_HEADER_BYTES..]) {
            Some(PackedRecord::Frame(frame)) if frame.time_secs > self.last_secs => Some(frame.time_secs),
            Some(PackedRecord::Marker { .. }) => None,
            _ => return false,
        };
        self.last_secs = frame_secs.unwrap_or(self.last_secs);
        self.reel.push(record, frame_secs);
        true
    }
}
