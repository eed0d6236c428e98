//! Which parts are there already, and who makes the others.

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

/// The parts of a dataset in order: those that are there, and the takes of those that are not.
pub(super) struct BuildSchedule(Vec<PlannedPartition>);

enum PlannedPartition {
    Existing(Partition),
    ToBuild(Vec<SourceFile>),
}

impl BuildSchedule {
    pub(super) fn new(
        seen: Vec<SourceFile>,
        known: &[Partition],
        settings: &BuildSettings,
        place: &DatasetDir,
    ) -> Self {
        let known: HashMap<_, _> = known.iter().filter_map(|part| Some((part.id()?, part))).collect();
        let weights: Vec<_> =
            seen.iter().map(|take| PartitionInput::new(&take.file.take, take.bytes.unwrap_or(0))).collect();
        let mut seen = seen.into_iter();
        let planned = partitioning::partition_ranges(&weights).into_iter().map(|range| {
            let takes: Vec<_> = seen.by_ref().take(range.len()).collect();
            let id = id_of(&takes, settings);
            let there =
                id.and_then(|id| known.get(id.as_str()).copied()).filter(|part| place.contains(part, &settings.tables));
            match there {
                Some(part) => PlannedPartition::Existing(with_current_stats(part, &takes)),
                None => PlannedPartition::ToBuild(takes),
            }
        });
        Self(planned.collect())
    }

    /// Makes what is not there, several parts at once. Gives all parts in order, and whether they were made.
    pub(super) fn make(
        self,
        place: &DatasetDir,
        settings: &BuildSettings,
        pool: &ThreadPool,
        jobs: usize,
        progress: &(impl Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Vec<(Partition, bool)>> {
        let total = self.0.iter().map(PlannedPartition::pending_recordings).sum();
        let (done, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let go_on = || {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if progress(Progress { done, total }).is_break() || is_over.load(Ordering::Acquire) {
                return Err(io::Error::new(
                    io::ErrorKind::Interrupted,
                    "ended early; the next build goes on from here",
                )
                .into());
            }
            Ok(())
        };
        let to_make = self.0.iter().filter(|planned| planned.pending_recordings() > 0).count();
        let waiting = Mutex::new(self.0.into_iter().enumerate());
        let (parts, failure) = (Mutex::new(Vec::new()), Mutex::new(None));
        let work = || {
            // On its own: in the head of the loop, the lock would be held through all of its body.
            let next = || lock(&waiting).next();
            while let Some((number, planned)) = next() {
                let made = match planned {
                    PlannedPartition::Existing(part) => Ok((part, false)),
                    PlannedPartition::ToBuild(takes) => {
                        partition::build_partition(place, takes, settings, pool, go_on).map(|part| (part, true))
                    }
                };
                match made {
                    Ok(made) => lock(&parts).push((number, made)),
                    Err(error) => {
                        // The first in time: whoever fails ends the others at their next take, and that is no reason.
                        lock(&failure).get_or_insert(error);
                        is_over.store(true, Ordering::Release);
                    }
                }
                if is_over.load(Ordering::Acquire) {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            (0..jobs.min(to_make).max(1)).for_each(|_| drop(scope.spawn(work)));
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(number, _)| *number);
        Ok(parts.into_iter().map(|(_, part)| part).collect())
    }
}

impl PlannedPartition {
    fn pending_recordings(&self) -> usize {
        match self {
            Self::Existing(_) => 0,
            Self::ToBuild(takes) => takes.len(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a part of these takes is called, if all of their contents are known.
fn id_of(takes: &[SourceFile], settings: &BuildSettings) -> Option<String> {
    let entries: Option<Vec<_>> = takes.iter().map(|take| Some(take.entry(take.content.clone()?, None))).collect();
    Some(partition_hash(&settings.to_string(), &entries?))
}

/// A part that is there, with the sizes and times that its files have now.
fn with_current_stats(part: &Partition, takes: &[SourceFile]) -> Partition {
    let entry = |(entry, seen): (&ManifestEntry, &SourceFile)| ManifestEntry {
        bytes: seen.bytes,
        modified_ns: seen.modified_ns,
        ..entry.clone()
    };
    Partition { takes: part.takes.iter().zip(takes).map(entry).collect(), ..part.clone() }
}
