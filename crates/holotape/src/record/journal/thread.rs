//! A journal that is written by a thread of its own: frames do not wait for a disk that is busy.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use super::header::Header;
use super::write::{JournalFiles, JournalWriter};
use crate::error::{Error, Result};

/// A record on its way to the journal; that of a frame with its time.
type QueuedRecord = (Vec<u8>, Option<f64>);

/// Hands records to the thread that writes them, which takes one only when the one before is written. So whatever the
/// moment at which the process is killed, at most the last is lost.
#[derive(Debug)]
pub(in crate::record) struct JournalThread {
    path: PathBuf,
    records: Option<SyncSender<QueuedRecord>>,
    failures: Receiver<Error>,
    /// How many records were handed on, and how many of them are written.
    handed: u64,
    written: Arc<AtomicU64>,
    thread: Option<JoinHandle<JournalWriter>>,
}

impl JournalThread {
    /// Begins a journal, but not over another: that is a take which nobody has saved.
    pub(in crate::record) fn create(path: &Path, header: Header) -> Result<Self> {
        let mut writer = JournalWriter::create(path, header)?;
        // No room in between: what waits there would be lost.
        let (records, handed) = mpsc::sync_channel::<QueuedRecord>(0);
        let (report, failures) = mpsc::channel();
        let written = Arc::new(AtomicU64::new(0));
        let count = written.clone();
        let write = move || {
            for (record, frame_secs) in handed {
                match writer.append(&record, frame_secs) {
                    Ok(()) if writer.is_complete() => _ = count.fetch_add(1, Ordering::Release),
                    Ok(()) => {}
                    // Nobody may be there to hear of the last.
                    Err(error) => _ = report.send(error),
                }
            }
            writer
        };
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok(Self { path: path.to_owned(), records: Some(records), failures, handed: 0, written, thread: Some(thread) })
    }

    /// Adds a record when the one before is written. That one may have failed, which is told once.
    pub(in crate::record) fn append(&mut self, record: &[u8], frame_secs: Option<f64>) -> Result<()> {
        self.handed += 1;
        if let Some(records) = &self.records {
            // The thread ends no sooner than this.
            records.send((record.to_vec(), frame_secs)).ok();
        }
        self.failures.try_recv().map_or(Ok(()), Err)
    }

    /// How many of those that were handed on are not in the files, by now.
    pub(in crate::record) fn pending(&self) -> u64 {
        self.handed.saturating_sub(self.written.load(Ordering::Acquire))
    }

    /// Ends the writing. The files stay; says whether all that was handed on is in them.
    pub(in crate::record) fn finish(mut self) -> (JournalFiles, bool) {
        let is_whole = self.end().is_some_and(|writer| writer.is_complete());
        (JournalFiles::at(&self.path), is_whole)
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
