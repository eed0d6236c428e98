//! A table of many takes, made as it is asked for.
//!
//! Threads read takes ahead, as many as there are cores, and wait when nobody takes what they have: however large the corpus
//! is, no more is in memory than some batches for each thread. Batches come in the order of the takes.

mod counts;
mod curve_set;
mod frames;
mod index_cache;
mod options;
mod plan;
mod read;
mod recordings;
mod worker;

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use holotape::{Error, ErrorKind, Result};

pub use counts::ScanCounts;
pub use index_cache::FileIndexCache;
pub use options::{HandFilter, OnError, ScanOptions};

use self::counts::Counters;
use self::plan::ScanPlan;
use self::worker::{ScanAbort, Worker};
use crate::{RecordingFile, Table};

pub(crate) use options::TimeFilter;

/// Takes that are read one after the other: batches of some thousand rows for short takes, and little to wait for.
const RECORDINGS_PER_ITEM: usize = 8;

/// Batches that may wait of each piece of work.
const BATCHES_AHEAD: usize = 2;

/// More threads than this help nobody, whoever asks for them.
const MAX_WORKERS: usize = 256;

/// The rows of a table, of takes in their order.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use holotape_corpus::{ScanOptions, Table, find, scan};
///
/// let takes = find([folder.path()])?;
/// for batch in scan(takes, Table::Frames, &ScanOptions::new().with_columns(["time", "camera.position.y"]))? {
///     assert_eq!(batch?.num_columns(), 2);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if there is no column of such a name. What is wrong with takes comes while they are read.
pub fn scan(takes: Vec<RecordingFile>, table: Table, options: &ScanOptions) -> Result<Scan> {
    let choice = ScanPlan::new(table, options)?;
    Ok(Scan {
        schema: Arc::clone(&choice.schema),
        jobs: options.jobs.min(takes.len().div_ceil(RECORDINGS_PER_ITEM)).clamp(1, MAX_WORKERS),
        choice: Some(choice),
        takes: takes.into_iter(),
        counters: Arc::default(),
        crew: None,
        waiting: VecDeque::new(),
        is_over: false,
    })
}

/// The batches that [`scan`] gives. Dropping it ends the work.
pub struct Scan {
    schema: SchemaRef,
    jobs: usize,
    /// Until the work begins.
    choice: Option<ScanPlan>,
    takes: std::vec::IntoIter<RecordingFile>,
    counters: Arc<Counters>,
    crew: Option<WorkerPool>,
    /// What comes of the pieces of work that were given out, in order.
    waiting: VecDeque<Receiver<WorkerMessage>>,
    is_over: bool,
}

/// What a thread tells of a piece of work.
enum WorkerMessage {
    Batch(RecordBatch),
    Failed(Error),
    /// That is all: if a thread breaks down, it never says so.
    End,
}

struct WorkItem {
    takes: Vec<RecordingFile>,
    messages: SyncSender<WorkerMessage>,
}

impl Scan {
    /// The same with what other scans have learnt about the files.
    #[must_use]
    pub fn with_index_cache(mut self, outlines: &Arc<FileIndexCache>) -> Self {
        if let Some(choice) = &mut self.choice {
            choice.outlines = Some(Arc::clone(outlines));
        }
        self
    }

    /// The columns of all batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// What was done so far.
    #[must_use]
    pub fn counts(&self) -> ScanCounts {
        self.counters.snapshot()
    }

    /// The same, to be asked for when the scan has gone elsewhere.
    pub fn count_reader(&self) -> impl Fn() -> ScanCounts + Send + Sync + Clone + use<> {
        let counters = Arc::clone(&self.counters);
        move || counters.snapshot()
    }

    fn begin(&mut self) -> io::Result<()> {
        if let Some(choice) = self.choice.take() {
            self.crew = Some(WorkerPool::new(self.jobs, &Arc::new(choice), &self.counters)?);
        }
        Ok(())
    }

    /// Gives out as much work as keeps everybody busy.
    fn dispatch(&mut self) {
        let Some(crew) = &self.crew else { return };
        while self.waiting.len() < 2 * self.jobs {
            let takes: Vec<_> = self.takes.by_ref().take(RECORDINGS_PER_ITEM).collect();
            if takes.is_empty() {
                break;
            }
            let (messages, receiver) = sync_channel(BATCHES_AHEAD);
            self.waiting.push_back(receiver);
            crew.submit(WorkItem { takes, messages });
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        self.waiting.clear();
        self.crew = None;
    }
}

impl Iterator for Scan {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        if let Err(error) = self.begin() {
            self.end();
            return Some(Err(error.into()));
        }
        loop {
            self.dispatch();
            let Some(next) = self.waiting.front() else {
                self.end();
                return None;
            };
            match next.recv() {
                Ok(WorkerMessage::Batch(batch)) => return Some(Ok(batch)),
                Ok(WorkerMessage::End) => drop(self.waiting.pop_front()),
                Ok(WorkerMessage::Failed(error)) => {
                    self.end();
                    return Some(Err(error));
                }
                Err(_) => {
                    self.end();
                    let message = "a thread that read recordings broke down; what it had read is lost";
                    return Some(Err(Error::new(ErrorKind::Invalid, message)));
                }
            }
        }
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        self.end();
    }
}

/// The threads that do the work.
struct WorkerPool {
    work: Option<Sender<WorkItem>>,
    threads: Vec<JoinHandle<()>>,
}

impl WorkerPool {
    /// As many threads as the system lets us have; an error if that is none.
    fn new(jobs: usize, choice: &Arc<ScanPlan>, counters: &Arc<Counters>) -> io::Result<Self> {
        let (work, pieces) = channel();
        let pieces = Arc::new(Mutex::new(pieces));
        let mut threads = Vec::with_capacity(jobs);
        for _ in 0..jobs {
            let (pieces, mut worker) = (Arc::clone(&pieces), Worker::new(Arc::clone(choice), Arc::clone(counters)));
            let read = move || {
                while let Some(piece) = next_of(&pieces) {
                    run(&mut worker, &piece)
                }
            };
            match thread::Builder::new().name("holotape-scan".to_owned()).spawn(read) {
                Ok(thread) => threads.push(thread),
                Err(error) if threads.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(Self { threads, work: Some(work) })
    }

    /// If all threads broke down, nobody answers, and that is noticed.
    fn submit(&self, piece: WorkItem) {
        if let Some(work) = &self.work {
            let _ = work.send(piece);
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn next_of(pieces: &Mutex<Receiver<WorkItem>>) -> Option<WorkItem> {
    pieces.lock().ok()?.recv().ok()
}

fn run(worker: &mut Worker, piece: &WorkItem) {
    let end = match worker.run(&piece.takes, &mut |batch| piece.messages.send(WorkerMessage::Batch(batch)).is_ok()) {
        Ok(()) => WorkerMessage::End,
        Err(ScanAbort::Failed(error)) => WorkerMessage::Failed(error),
        Err(ScanAbort::ReceiverDropped) => return,
    };
    let _ = piece.messages.send(end);
}
