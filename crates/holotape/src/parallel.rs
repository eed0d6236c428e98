//! Work on all cores, with threads that end with it: a forked process can use them, unlike those of a pool.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

use crate::Recording;

/// Recordings with fewer keys are processed faster than threads start.
const MIN_PARALLEL_KEYS: usize = 1 << 16;

/// More threads for one recording gain little, and programs work on several recordings at a time.
const MAX_THREADS: usize = 8;

/// The number of threads for work on all keys of a recording.
pub(crate) fn threads_for(recording: &Recording) -> usize {
    let key_count: usize = recording.curves().map(|(_, curve)| curve.key_count()).sum();
    if key_count < MIN_PARALLEL_KEYS { 1 } else { max_threads() }
}

/// The number of threads for work that is worth them.
pub fn max_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

/// Runs `work` on all items with at most `threads` threads, one of which is this one; with fewer if the system refuses some. Items
/// are started in order; results are in the order of the items. A panic of `work` is passed on to the caller.
pub fn map<T: Send, R: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    let waiting = Mutex::new(items.into_iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_some = || {
        let mut results = Vec::new();
        while let Some((index, item)) = next() {
            results.push((index, work(item)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work_on_some).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut results = work_on_some();
        for other in others {
            results.extend(other.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for threads in [0, 1, 2, 7, 1000] {
            let work = |item: u32| {
                // The first items take longest.
                (item..100).for_each(|_| thread::yield_now());
                2 * item
            };
            let doubled = map((0..100).collect(), threads, work);
            assert_eq!(doubled, (0..200).step_by(2).collect::<Vec<_>>(), "{threads} threads");
        }
        assert!(map(Vec::new(), 2, |item: u32| item).is_empty());
    }

    #[test]
    fn panic_of_a_thread_reaches_the_caller() {
        for threads in 1..4 {
            let work = |item: u32| assert!(item != 5, "item {item}");
            let panic = panic::catch_unwind(|| map((0..10).collect(), threads, work)).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("item 5"), "{threads} threads");
        }
    }
}
