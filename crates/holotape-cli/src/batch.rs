//! Many files at once, on all cores, told of in the order in which they were given.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::mpsc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::{Failure, Outcome};

#[derive(Debug, Args)]
pub struct JobsArgs {
    /// How many files to work on at once; as many as there are cores unless given
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// What to look at.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Recordings; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// One JSON object a file and line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

impl InputArgs {
    /// Looks at all files at once and shows each as soon as those before it have been.
    pub fn each_file<R: Send>(
        &self,
        look: impl Fn(&PathBuf) -> Result<R, Failure> + Sync,
        show: impl FnMut(&PathBuf, R) -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        self.jobs.for_each_file(&self.files, look, show)
    }
}

impl JobsArgs {
    /// How many files to work on at once, if that was said.
    pub fn count(&self) -> Option<NonZeroUsize> {
        self.jobs
    }

    /// As many threads as there are to be.
    pub fn pool(&self) -> Result<ThreadPool, Failure> {
        let threads = self.jobs.map_or(0, NonZeroUsize::get);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::Failed(std::io::Error::other(error).into()))
    }

    /// Works on items at once and hands each result on as soon as those before it have been, with a progress bar where
    /// somebody can see it. Never runs far ahead of `done`: what waits takes memory. When `done` fails, nothing new is begun.
    fn map_in_order<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        mut done: impl FnMut(&T, R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let [only] = items {
            return done(only, work(only));
        }
        let pool = self.pool()?;
        let ahead = pool.current_num_threads() + 1;
        let (sender, receiver) = mpsc::channel();
        let progress = progress_bar(items.len());
        let result = pool.in_place_scope_fifo(|scope| {
            let mut waiting = items.iter().enumerate();
            let mut begin_next = || {
                let Some((index, item)) = waiting.next() else { return };
                let (sender, work) = (sender.clone(), &work);
                scope.spawn_fifo(move |_| {
                    let result = catch_unwind(AssertUnwindSafe(|| work(item)));
                    // Nobody listens any more once `done` has failed.
                    sender.send((index, result)).ok();
                });
            };
            (0..ahead).for_each(|_| begin_next());
            let mut early = BTreeMap::new();
            for (index, item) in items.iter().enumerate() {
                let result = loop {
                    if let Some(result) = early.remove(&index) {
                        break result;
                    }
                    // What is awaited has been begun, and comes.
                    let Ok((index, result)) = receiver.recv() else { return Ok(()) };
                    early.insert(index, result.unwrap_or_else(|panic| resume_unwind(panic)));
                    progress.inc(1);
                };
                progress.suspend(|| done(item, result))?;
                begin_next();
            }
            Ok(())
        });
        progress.finish_and_clear();
        result
    }

    /// The same where the work itself can fail. Of many files, one that fails is told of and does not stop the others.
    pub fn for_each_file<T: Sync, R: Send>(
        &self,
        files: &[T],
        work: impl Fn(&T) -> Result<R, Failure> + Sync,
        mut done: impl FnMut(&T, R) -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        let mut outcome = Ok(Outcome::Done);
        self.map_in_order(files, work, |file, result| match result {
            Ok(result) => done(file, result),
            Err(failure) if files.len() == 1 || failure.is_broken_pipe() => Err(failure),
            Err(failure) => {
                failure.report();
                outcome = Err(Failure::AlreadyReported);
                Ok(())
            }
        })?;
        outcome
    }
}

/// On stderr, and hidden where that is no terminal.
fn progress_bar(length: usize) -> ProgressBar {
    let progress = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} files, {eta} left") {
        progress.set_style(style);
    }
    progress
}
