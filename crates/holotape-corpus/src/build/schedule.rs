//! Which partitions exist already, and building the others in parallel.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::Result;
use rayon::ThreadPool;

use super::changes::{SourceFile, partition_hash};
use super::dataset_dir::DatasetDir;
use super::partitioning::{self, PartitionInput};
use super::{BuildSettings, Progress, partition};
use crate::dataset::{ManifestEntry, Partition};

/// The partitions of a dataset in order: existing ones, and the recordings of those to build.
pub(super) struct BuildSchedule(Vec<PlannedPartition>);

enum PlannedPartition {
    Existing(Partition),
    ToBuild(Vec<SourceFile>),
}

impl BuildSchedule {
    pub(super) fn new(
        sources: Vec<SourceFile>,
        known: &[Partition],
        settings: &BuildSettings,
        dir: &DatasetDir,
    ) -> Self {
        let known: HashMap<_, _> = known.iter().filter_map(|partition| Some((partition.id()?, partition))).collect();
        let inputs: Vec<_> = sources
            .iter()
            .map(|source| PartitionInput::new(&source.file.name, source.file_bytes.unwrap_or(0)))
            .collect();
        let mut sources = sources.into_iter();
        let planned = partitioning::partition_ranges(&inputs).into_iter().map(|range| {
            let sources: Vec<_> = sources.by_ref().take(range.len()).collect();
            let id = id_of(&sources, settings);
            let existing = id
                .and_then(|id| known.get(id.as_str()).copied())
                .filter(|partition| dir.contains(partition, &settings.tables));
            match existing {
                Some(partition) => PlannedPartition::Existing(with_current_stats(partition, &sources)),
                None => PlannedPartition::ToBuild(sources),
            }
        });
        Self(planned.collect())
    }

    /// Builds the missing partitions, `jobs` at a time. Returns all partitions in order, and whether each was built.
    pub(super) fn run(
        self,
        dir: &DatasetDir,
        settings: &BuildSettings,
        pool: &ThreadPool,
        jobs: usize,
        progress: &(impl Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Vec<(Partition, bool)>> {
        let total = self.0.iter().map(PlannedPartition::pending_recordings).sum();
        let (done, is_cancelled) = (AtomicUsize::new(0), AtomicBool::new(false));
        let check_cancelled = || {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if progress(Progress { done, total }).is_break() || is_cancelled.load(Ordering::Acquire) {
                return Err(io::Error::new(
                    io::ErrorKind::Interrupted,
                    "the build was cancelled; the next one resumes",
                )
                .into());
            }
            Ok(())
        };
        let to_build = self.0.iter().filter(|planned| planned.pending_recordings() > 0).count();
        let pending = Mutex::new(self.0.into_iter().enumerate());
        let (partitions, failure) = (Mutex::new(Vec::new()), Mutex::new(None));
        let work = || {
            // A closure, because a lock in the condition would be held during the loop body.
            let next = || lock(&pending).next();
            while let Some((number, planned)) = next() {
                let built = match planned {
                    PlannedPartition::Existing(partition) => Ok((partition, false)),
                    PlannedPartition::ToBuild(sources) => {
                        partition::build_partition(dir, sources, settings, pool, check_cancelled)
                            .map(|partition| (partition, true))
                    }
                };
                match built {
                    Ok(built) => lock(&partitions).push((number, built)),
                    Err(error) => {
                        // Keep the first error: it cancels the other threads, whose errors are consequences.
                        lock(&failure).get_or_insert(error);
                        is_cancelled.store(true, Ordering::Release);
                    }
                }
                if is_cancelled.load(Ordering::Acquire) {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            (0..jobs.min(to_build).max(1)).for_each(|_| drop(scope.spawn(work)));
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut partitions = partitions.into_inner().unwrap_or_else(PoisonError::into_inner);
        partitions.sort_by_key(|(number, _)| *number);
        Ok(partitions.into_iter().map(|(_, partition)| partition).collect())
    }
}

impl PlannedPartition {
    fn pending_recordings(&self) -> usize {
        match self {
            Self::Existing(_) => 0,
            Self::ToBuild(sources) => sources.len(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a partition of these files; `None` unless all of their contents are known.
fn id_of(sources: &[SourceFile], settings: &BuildSettings) -> Option<String> {
    let entries: Option<Vec<_>> =
        sources.iter().map(|source| Some(source.entry(source.content.clone()?, None))).collect();
    Some(partition_hash(&settings.to_string(), &entries?))
}

/// An existing partition, with the current sizes and times of its files.
fn with_current_stats(partition: &Partition, sources: &[SourceFile]) -> Partition {
    let entry = |(entry, source): (&ManifestEntry, &SourceFile)| ManifestEntry {
        file_bytes: source.file_bytes,
        modified_ns: source.modified_ns,
        ..entry.clone()
    };
    Partition { recordings: partition.recordings.iter().zip(sources).map(entry).collect(), ..partition.clone() }
}
