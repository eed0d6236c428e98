//! Tables of many recordings, generated on demand.
//!
//! Worker threads, one per core, read recordings ahead and block while the consumer is slower: a few batches per thread are in
//! memory, whatever the size of the corpus. Batches are in the order of the recordings.

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

/// Recordings per work item: enough for full batches of short recordings, few enough for low latency.
const RECORDINGS_PER_ITEM: usize = 8;

/// Queue capacity of each work item, in batches.
const BATCHES_AHEAD: usize = 2;

/// Maximum number of worker threads.
const MAX_WORKERS: usize = 256;

/// Scans a table of recordings, in their order.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use holotape_corpus::{ScanOptions, Table, find_recordings, scan};
///
/// let files = find_recordings([folder.path()])?;
/// for batch in scan(files, Table::Frames, &ScanOptions::new().with_columns(["time", "camera.position.y"]))? {
///     assert_eq!(batch?.num_columns(), 2);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if a column does not exist. Errors of recordings are returned by the iterator.
pub fn scan(files: Vec<RecordingFile>, table: Table, options: &ScanOptions) -> Result<Scan> {
    let plan = ScanPlan::new(table, options)?;
    Ok(Scan {
        schema: Arc::clone(&plan.schema),
        jobs: options.jobs.min(files.len().div_ceil(RECORDINGS_PER_ITEM)).clamp(1, MAX_WORKERS),
        plan: Some(plan),
        files: files.into_iter(),
        counters: Arc::default(),
        index_cache: None,
        workers: None,
        pending: VecDeque::new(),
        is_finished: false,
    })
}

/// The batches of a [`scan`]. Dropping it stops the workers.
///
/// ```
/// use holotape_corpus::{ScanOptions, Table, scan};
///
/// let scan = scan(Vec::new(), Table::Events, &ScanOptions::new())?;
/// assert_eq!((scan.schema().field(0).name().as_str(), scan.count()), ("recording", 0));
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct Scan {
    schema: SchemaRef,
    jobs: usize,
    /// `None` once the workers have started.
    plan: Option<ScanPlan>,
    files: std::vec::IntoIter<RecordingFile>,
    counters: Arc<Counters>,
    index_cache: Option<Arc<FileIndexCache>>,
    workers: Option<WorkerPool>,
    /// The results of submitted work items, in order.
    pending: VecDeque<Receiver<WorkerMessage>>,
    is_finished: bool,
}

/// A result of a work item.
enum WorkerMessage {
    Batch(RecordBatch),
    Failed(Error),
    /// The item is complete. Missing if the worker panicked.
    End,
}

struct WorkItem {
    files: Vec<RecordingFile>,
    messages: SyncSender<WorkerMessage>,
}

impl Scan {
    /// Uses a cache of file indexes that several scans share. If it is kept on disk, the scan saves it at its end.
    #[must_use]
    pub fn with_index_cache(mut self, index_cache: &Arc<FileIndexCache>) -> Self {
        if let Some(plan) = &mut self.plan {
            plan.index_cache = Some(Arc::clone(index_cache));
            self.index_cache = Some(Arc::clone(index_cache));
        }
        self
    }

    /// Returns the columns of all batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Returns what has been read so far.
    #[must_use]
    pub fn counts(&self) -> ScanCounts {
        self.counters.snapshot()
    }

    /// Returns a function for the counts that outlives the scan.
    pub fn count_reader(&self) -> impl Fn() -> ScanCounts + Send + Sync + Clone + use<> {
        let counters = Arc::clone(&self.counters);
        move || counters.snapshot()
    }

    fn start_workers(&mut self) -> io::Result<()> {
        if let Some(plan) = self.plan.take() {
            self.workers = Some(WorkerPool::new(self.jobs, &Arc::new(plan), &self.counters)?);
        }
        Ok(())
    }

    /// Submits two work items per worker.
    fn dispatch(&mut self) {
        let Some(workers) = &self.workers else { return };
        while self.pending.len() < 2 * self.jobs {
            let files: Vec<_> = self.files.by_ref().take(RECORDINGS_PER_ITEM).collect();
            if files.is_empty() {
                break;
            }
            let (messages, receiver) = sync_channel(BATCHES_AHEAD);
            self.pending.push_back(receiver);
            workers.submit(WorkItem { files, messages });
        }
    }

    fn end(&mut self) {
        self.is_finished = true;
        self.pending.clear();
        self.workers = None;
        if let Some(index_cache) = self.index_cache.take() {
            index_cache.save();
        }
    }
}

impl Iterator for Scan {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_finished {
            return None;
        }
        if let Err(error) = self.start_workers() {
            self.end();
            return Some(Err(error.into()));
        }
        loop {
            self.dispatch();
            let Some(next) = self.pending.front() else {
                self.end();
                return None;
            };
            match next.recv() {
                Ok(WorkerMessage::Batch(batch)) => return Some(Ok(batch)),
                Ok(WorkerMessage::End) => drop(self.pending.pop_front()),
                Ok(WorkerMessage::Failed(error)) => {
                    self.end();
                    return Some(Err(error));
                }
                Err(_) => {
                    self.end();
                    let message = "scan failed: a worker thread panicked";
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

/// The worker threads.
struct WorkerPool {
    sender: Option<Sender<WorkItem>>,
    threads: Vec<JoinHandle<()>>,
}

impl WorkerPool {
    /// Starts up to `jobs` threads; an error if none can be started.
    fn new(jobs: usize, plan: &Arc<ScanPlan>, counters: &Arc<Counters>) -> io::Result<Self> {
        let (sender, items) = channel();
        let items = Arc::new(Mutex::new(items));
        let mut threads = Vec::with_capacity(jobs);
        for _ in 0..jobs {
            let (items, mut worker) = (Arc::clone(&items), Worker::new(Arc::clone(plan), Arc::clone(counters)));
            let read = move || {
                while let Some(item) = next_item(&items) {
                    run(&mut worker, &item)
                }
            };
            match thread::Builder::new().name("holotape-scan".to_owned()).spawn(read) {
                Ok(thread) => threads.push(thread),
                Err(error) if threads.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(Self { threads, sender: Some(sender) })
    }

    /// If all workers have panicked, the receiver of the item reports it.
    fn submit(&self, item: WorkItem) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(item);
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.sender = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn next_item(items: &Mutex<Receiver<WorkItem>>) -> Option<WorkItem> {
    items.lock().ok()?.recv().ok()
}

fn run(worker: &mut Worker, item: &WorkItem) {
    let end = match worker.run(&item.files, &mut |batch| item.messages.send(WorkerMessage::Batch(batch)).is_ok()) {
        Ok(()) => WorkerMessage::End,
        Err(ScanAbort::Failed(error)) => WorkerMessage::Failed(error),
        Err(ScanAbort::ReceiverDropped) => return,
    };
    let _ = item.messages.send(end);
}
