//! The journal as a recorder sees it: written on a separate thread, or directly.

use std::path::Path;

use super::header::Header;
use super::thread::JournalThread;
use super::write::{JournalFiles, JournalWriter};
use crate::error::Result;

/// Takes the records of a recorder.
#[derive(Debug)]
pub(in crate::record) enum JournalSink {
    /// A record is written while the caller continues.
    Thread(JournalThread),
    /// A record is written when [`append`](Self::append) returns.
    Direct(DirectJournal),
}

/// A journal that the thread of the recorder writes.
#[derive(Debug)]
pub(in crate::record) struct DirectJournal {
    writer: JournalWriter,
    /// The number of records after writing failed.
    unwritten: u64,
}

impl JournalSink {
    /// Creates a journal. Fails if one exists: that is an unsaved take.
    pub(in crate::record) fn create(path: &Path, header: Header, is_direct: bool) -> Result<Self> {
        if is_direct {
            let writer = JournalWriter::create(path, header)?;
            return Ok(Self::Direct(DirectJournal { writer, unwritten: 0 }));
        }
        Ok(Self::Thread(JournalThread::create(path, header)?))
    }

    /// Appends a record, with the time if it is a frame. Returns an error once, if writing failed.
    pub(in crate::record) fn append(&mut self, record: &[u8], frame_secs: Option<f64>) -> Result<()> {
        match self {
            Self::Thread(thread) => thread.append(record, frame_secs),
            Self::Direct(DirectJournal { writer, unwritten }) => {
                let written = writer.append(record, frame_secs);
                *unwritten += u64::from(!writer.is_complete());
                written
            }
        }
    }

    /// The number of records that are not written.
    pub(in crate::record) fn pending(&self) -> u64 {
        match self {
            Self::Thread(thread) => thread.pending(),
            Self::Direct(direct) => direct.unwritten,
        }
    }

    /// Closes the journal and returns the files, and whether every record was written.
    pub(in crate::record) fn finish(self) -> (JournalFiles, bool) {
        match self {
            Self::Thread(thread) => thread.finish(),
            Self::Direct(DirectJournal { writer, .. }) => writer.finish(),
        }
    }
}
