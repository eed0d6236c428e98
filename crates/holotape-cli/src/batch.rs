//! Parallel processing of many files. Results are reported in the order of the files.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use clap::Args;
use holotape::parallel;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::{Failure, Outcome};
use crate::input::display_path;
use crate::output;

#[derive(Debug, Args)]
pub struct JobsArgs {
    /// Number of files to process in parallel, and of threads (default: number of cores)
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Arguments of commands that read recordings and print something about them.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Recordings to read; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print one JSON object per file and line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

impl InputArgs {
    /// Reads all files in parallel, and prints the results in order with `show`, which gets the name of the file.
    pub fn each_file<R: Send>(
        &self,
        read: impl Fn(&PathBuf) -> Result<R, Failure> + Sync,
        mut show: impl FnMut(&mut dyn Write, &str, R) -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        self.jobs.for_each_file(&self.files, read, |path, result| {
            let mut out = output::stdout();
            show(&mut out, &display_path(path).display().to_string(), result)?;
            Ok(out.flush()?)
        })
    }
}

impl JobsArgs {
    /// Returns the value of `--jobs`.
    #[cfg(feature = "dataset")]
    pub fn count(&self) -> Option<NonZeroUsize> {
        self.jobs
    }

    /// Runs work that may start threads of its own, within `--jobs`.
    pub fn limit_threads<R>(&self, work: impl FnOnce() -> R) -> R {
        match self.jobs {
            Some(jobs) => parallel::with_max_threads(jobs.get(), work),
            None => work(),
        }
    }

    /// Starts a pool with this many threads.
    fn pool(threads: usize) -> Result<ThreadPool, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::Failed(std::io::Error::other(error).into()))
    }

    /// Runs `work` on items in parallel, and `on_result` on the results in order, with a progress bar. To limit memory,
    /// at most one item more than there are threads is ahead of `on_result`. If `on_result` fails, no new work is
    /// started.
    fn map_in_order<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        mut on_result: impl FnMut(&T, R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let threads = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let progress = progress_bar(items.len());
        if threads == 1 || items.len() == 1 {
            // On this thread, which also runs `on_result`.
            let outcome = items.iter().try_for_each(|item| {
                let result = self.limit_threads(|| work(item));
                progress.inc(1);
                progress.suspend(|| on_result(item, result))
            });
            progress.finish_and_clear();
            return outcome;
        }
        let pool = Self::pool(threads)?;
        let max_started = threads + 1;
        let threads_per_item = threads / threads.min(items.len());
        let (sender, receiver) = mpsc::channel();
        let result = pool.in_place_scope_fifo(|scope| {
            let mut waiting = items.iter().enumerate();
            let mut begin_next = || {
                let Some((index, item)) = waiting.next() else { return };
                let (sender, work) = (sender.clone(), &work);
                scope.spawn_fifo(move |_| {
                    let work = || parallel::with_max_threads(threads_per_item, || work(item));
                    let result = catch_unwind(AssertUnwindSafe(work));
                    // The receiver is closed once `on_result` has failed.
                    sender.send((index, result)).ok();
                });
            };
            (0..max_started).for_each(|_| begin_next());
            let mut finished_early = BTreeMap::new();
            for (index, item) in items.iter().enumerate() {
                let result = loop {
                    if let Some(result) = finished_early.remove(&index) {
                        break result;
                    }
                    // Item `index` has been started, so its result arrives.
                    let Ok((index, result)) = receiver.recv() else { return Ok(()) };
                    finished_early.insert(index, result.unwrap_or_else(|panic| resume_unwind(panic)));
                    progress.inc(1);
                };
                progress.suspend(|| on_result(item, result))?;
                begin_next();
            }
            Ok(())
        });
        progress.finish_and_clear();
        result
    }

    /// As [`Self::map_in_order`], for work that can fail. If there are several files, an error in one is reported, and the
    /// others are still processed.
    pub fn for_each_file<T: Sync, R: Send>(
        &self,
        files: &[T],
        work: impl Fn(&T) -> Result<R, Failure> + Sync,
        mut on_result: impl FnMut(&T, R) -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        let mut outcome = Ok(Outcome::Done);
        self.map_in_order(files, work, |file, result| match result {
            Ok(result) => on_result(file, result),
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

/// Draws on stderr, unless there is only one file, or stderr is not a terminal.
fn progress_bar(length: usize) -> ProgressBar {
    if length == 1 {
        return ProgressBar::hidden();
    }
    let progress = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} files, {eta} left") {
        progress.set_style(style);
    }
    progress
}
