//! Which parts are there already, and who makes the others.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::Result;
use rayon::ThreadPool;

use super::place::Place;
use super::plan::{self, Weight};
use super::survey::{Seen, part_id};
use super::{Progress, Settings, part};
use crate::dataset::{Part, TakeEntry};

/// The parts of a dataset in order: those that are there, and the takes of those that are not.
pub(super) struct Schedule(Vec<Planned>);

enum Planned {
    There(Part),
    ToMake(Vec<Seen>),
}

impl Schedule {
    pub(super) fn new(seen: Vec<Seen>, known: &[Part], settings: &Settings, place: &Place) -> Self {
        let known: HashMap<_, _> = known.iter().filter_map(|part| Some((part.id()?, part))).collect();
        let weights: Vec<_> = seen.iter().map(|take| Weight::new(&take.file.take, take.bytes.unwrap_or(0))).collect();
        let mut seen = seen.into_iter();
        let planned = plan::parts(&weights).into_iter().map(|range| {
            let takes: Vec<_> = seen.by_ref().take(range.len()).collect();
            let id = id_of(&takes, settings);
            let there =
                id.and_then(|id| known.get(id.as_str()).copied()).filter(|part| place.has(part, &settings.tables));
            match there {
                Some(part) => Planned::There(with_times(part, &takes)),
                None => Planned::ToMake(takes),
            }
        });
        Self(planned.collect())
    }

    /// Makes what is not there, several parts at once. Gives all parts in order, and whether they were made.
    pub(super) fn make(
        self,
        place: &Place,
        settings: &Settings,
        pool: &ThreadPool,
        jobs: usize,
        progress: &(impl Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Vec<(Part, bool)>> {
        let total = self.0.iter().map(Planned::takes_to_make).sum();
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
        let to_make = self.0.iter().filter(|planned| planned.takes_to_make() > 0).count();
        let waiting = Mutex::new(self.0.into_iter().enumerate());
        let (parts, failure) = (Mutex::new(Vec::new()), Mutex::new(None));
        let work = || {
            // On its own: in the head of the loop, the lock would be held through all of its body.
            let next = || lock(&waiting).next();
            while let Some((number, planned)) = next() {
                let made = match planned {
                    Planned::There(part) => Ok((part, false)),
                    Planned::ToMake(takes) => part::make(place, takes, settings, pool, go_on).map(|part| (part, true)),
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

impl Planned {
    fn takes_to_make(&self) -> usize {
        match self {
            Self::There(_) => 0,
            Self::ToMake(takes) => takes.len(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a part of these takes is called, if all of their contents are known.
fn id_of(takes: &[Seen], settings: &Settings) -> Option<String> {
    let entries: Option<Vec<_>> = takes.iter().map(|take| Some(take.entry(take.content.clone()?, None))).collect();
    Some(part_id(&settings.to_string(), &entries?))
}

/// A part that is there, with the sizes and times that its files have now.
fn with_times(part: &Part, takes: &[Seen]) -> Part {
    let entry = |(entry, seen): (&TakeEntry, &Seen)| TakeEntry {
        bytes: seen.bytes,
        modified_ns: seen.modified_ns,
        ..entry.clone()
    };
    Part { takes: part.takes.iter().zip(takes).map(entry).collect(), ..part.clone() }
}
