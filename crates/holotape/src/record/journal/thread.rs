//! Writes the journal on a separate thread, so that frames do not wait for a slow disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use super::header::Header;
use super::write::{JournalFiles, JournalWriter};
use crate::error::{Error, Result};

/// A record for the journal, with the time if it is a frame.
type QueuedRecord = (Vec<u8>, Option<f64>);

/// Passes records to the writing thread, which receives one only after it has written the one before. Whenever the
/// process is killed, at most the last record is lost.
#[derive(Debug)]
pub(in crate::record) struct JournalThread {
    path: PathBuf,
    records: Option<SyncSender<QueuedRecord>>,
    failures: Receiver<Error>,
    /// The number of records sent to the thread, and the number written.
    sent: u64,
    written: Arc<AtomicU64>,
    thread: Option<JoinHandle<JournalWriter>>,
}

impl JournalThread {
    /// Creates a journal. Fails if one exists: that is an unsaved take.
    pub(in crate::record) fn create(path: &Path, header: Header) -> Result<Self> {
        let mut writer = JournalWriter::create(path, header)?;
        // No buffer: queued records would be lost if the process is killed.
        let (records, queued) = mpsc::sync_channel::<QueuedRecord>(0);
        let (report, failures) = mpsc::channel();
        let written = Arc::new(AtomicU64::new(0));
        let count = written.clone();
        let write = move || {
            for (record, frame_secs) in queued {
                match writer.append(&record, frame_secs) {
                    Ok(()) if writer.is_complete() => _ = count.fetch_add(1, Ordering::Release),
                    Ok(()) => {}
                    // The receiver may have been dropped.
                    Err(error) => _ = report.send(error),
                }
            }
            writer
        };
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok(Self { path: path.to_owned(), records: Some(records), failures, sent: 0, written, thread: Some(thread) })
    }

    /// Appends a record after the one before was written. If that failed, returns the error, once.
    pub(in crate::record) fn append(&mut self, record: &[u8], frame_secs: Option<f64>) -> Result<()> {
        self.sent += 1;
        if let Some(records) = &self.records {
            // The thread does not end before this.
            records.send((record.to_vec(), frame_secs)).ok();
        }
        self.failures.try_recv().map_or(Ok(()), Err)
    }

    /// The number of records sent but not yet written.
    pub(in crate::record) fn pending(&self) -> u64 {
        self.sent.saturating_sub(self.written.load(Ordering::Acquire))
    }

    /// Stops the thread and returns the files, and whether every record was written.
    pub(in crate::record) fn finish(mut self) -> (JournalFiles, bool) {
        let is_complete = self.end().is_some_and(|writer| writer.is_complete());
        (JournalFiles::at(&self.path), is_complete)
    }

    fn end(&mut self) -> Option<JournalWriter> {
        self.records = None;
        self.thread.take()?.join().ok()
    }
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        self.end();
    }
}
