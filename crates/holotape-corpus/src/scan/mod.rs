//! A table of many takes, made as it is asked for.
//!
//! Threads read takes ahead, as many as there are cores, and wait when nobody takes what they have: however large the corpus
//! is, no more is in memory than some batches for each thread. Batches come in the order of the takes.

mod choice;
mod counts;
mod curve_set;
mod file;
mod frames;
mod options;
mod outline;
mod recordings;
mod work;

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use holotape::{Error, ErrorKind, Result};

pub use counts::ScanCounts;
pub use options::{Hands, OnError, ScanOptions};
pub use outline::Outlines;

use self::choice::Choice;
use self::counts::Counters;
use self::work::{Stop, Worker};
use crate::{Table, TakeFile};

pub(crate) use options::Times;

/// Takes that are read one after the other: batches of some thousand rows for short takes, and little to wait for.
const TAKES_AT_ONCE: usize = 8;

/// Batches that may wait of each piece of work.
const BATCHES_AHEAD: usize = 2;

/// More threads than this help nobody, whoever asks for them.
const MOST_JOBS: usize = 256;

/// The rows of a table, of takes in their order.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?.save(folder.path().join("a.bin"))?;
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
pub fn scan(takes: Vec<TakeFile>, table: Table, options: &ScanOptions) -> Result<Scan> {
    let choice = Choice::new(table, options)?;
    Ok(Scan {
        schema: Arc::clone(&choice.schema),
        jobs: options.jobs.min(takes.len().div_ceil(TAKES_AT_ONCE)).clamp(1, MOST_JOBS),
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
    choice: Option<Choice>,
    takes: std::vec::IntoIter<TakeFile>,
    counters: Arc<Counters>,
    crew: Option<Crew>,
    /// What comes of the pieces of work that were given out, in order.
    waiting: VecDeque<Receiver<Message>>,
    is_over: bool,
}

/// What a thread tells of a piece of work.
enum Message {
    Batch(RecordBatch),
    Failed(Error),
    /// That is all: if a thread breaks down, it never says so.
    End,
}

struct Piece {
    takes: Vec<TakeFile>,
    messages: SyncSender<Message>,
}

impl Scan {
    /// The same with what other scans have learnt about the files.
    #[must_use]
    pub fn with_outlines(mut self, outlines: &Arc<Outlines>) -> Self {
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
        self.counters.now()
    }

    /// The same, to be asked for when the scan has gone elsewhere.
    pub fn counter(&self) -> impl Fn() -> ScanCounts + Send + Sync + Clone + use<> {
        let counters = Arc::clone(&self.counters);
        move || counters.now()
    }

    fn begin(&mut self) -> io::Result<()> {
        if let Some(choice) = self.choice.take() {
            self.crew = Some(Crew::new(self.jobs, &Arc::new(choice), &self.counters)?);
        }
        Ok(())
    }

    /// Gives out as much work as keeps everybody busy.
    fn give_out(&mut self) {
        let Some(crew) = &self.crew else { return };
        while self.waiting.len() < 2 * self.jobs {
            let takes: Vec<_> = self.takes.by_ref().take(TAKES_AT_ONCE).collect();
            if takes.is_empty() {
                break;
            }
            let (messages, receiver) = sync_channel(BATCHES_AHEAD);
            self.waiting.push_back(receiver);
            crew.give(Piece { takes, messages });
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
            self.give_out();
            let Some(next) = self.waiting.front() else {
                self.end();
                return None;
            };
            match next.recv() {
                Ok(Message::Batch(batch)) => return Some(Ok(batch)),
                Ok(Message::End) => drop(self.waiting.pop_front()),
                Ok(Message::Failed(error)) => {
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
struct Crew {
    work: Option<Sender<Piece>>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// As many threads as the system lets us have; an error if that is none.
    fn new(jobs: usize, choice: &Arc<Choice>, counters: &Arc<Counters>) -> io::Result<Self> {
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
    fn give(&self, piece: Piece) {
        if let Some(work) = &self.work {
            let _ = work.send(piece);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn next_of(pieces: &Mutex<Receiver<Piece>>) -> Option<Piece> {
    pieces.lock().ok()?.recv().ok()
}

fn run(worker: &mut Worker, piece: &Piece) {
    let end = match worker.run(&piece.takes, &mut |batch| piece.messages.send(Message::Batch(batch)).is_ok()) {
        Ok(()) => Message::End,
        Err(Stop::Failed(error)) => Message::Failed(error),
        Err(Stop::NobodyListens) => return,
    };
    let _ = piece.messages.send(end);
}
