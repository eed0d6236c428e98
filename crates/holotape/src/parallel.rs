//! Work on several cores, with threads that end with it: a forked process can use them, unlike those of a pool.

use std::cell::Cell;
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

thread_local! {
    /// The limit of [`with_max_threads`].
    static LIMIT: Cell<usize> = const { Cell::new(MAX_THREADS) };
}

/// The number of threads for work that is worth them: the cores, up to eight, or fewer within [`with_max_threads`].
pub fn max_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(LIMIT.get())
}

/// Runs `work`, on this thread, with a lower limit on [`max_threads`]: for programs that work on several recordings at a time.
pub fn with_max_threads<R>(limit: usize, work: impl FnOnce() -> R) -> R {
    /// Restores the limit, also after a panic.
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let before = LIMIT.get();
    let _restore = Restore(before);
    LIMIT.set(limit.clamp(1, before));
    work()
}

/// Runs both functions, on two threads if [`max_threads`] allows it.
pub fn run_both(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    let works: Vec<Box<dyn FnOnce() + Send + '_>> = vec![Box::new(first), Box::new(second)];
    map(works, max_threads(), |work| work());
}

/// Runs `work` on all items with at most `threads` threads, one of which is this one; with fewer if the system refuses some. Items
/// are started in order; results are in the order of the items. A panic of `work` is passed on to the caller.
///
/// The threads share the limit of [`with_max_threads`]: what `work` itself runs in parallel uses a part of it.
pub fn map<T: Send, R: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len()).max(1);
    let waiting = Mutex::new(items.into_iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_some = || {
        let mut results = Vec::new();
        while let Some((index, item)) = next() {
            results.push((index, work(item)));
        }
        results
    };
    let limit = LIMIT.get() / threads;
    let work_on_thread = || with_max_threads(limit, work_on_some);
    let mut results = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work_on_thread).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut results = work_on_thread();
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
    fn limit_on_threads_ends_with_its_work() {
        let all = max_threads();
        assert_eq!(with_max_threads(1, max_threads), 1);
        assert_eq!(with_max_threads(0, max_threads), 1);
        assert_eq!(with_max_threads(1, || with_max_threads(usize::MAX, max_threads)), 1);
        // Also for threads that are started within.
        assert_eq!(with_max_threads(1, || map(vec![(); 9], 4, |()| max_threads())), [1; 9]);
        assert_eq!(with_max_threads(usize::MAX, max_threads), all);
        let panic = panic::catch_unwind(|| with_max_threads(1, || panic!("work")));
        assert!(panic.is_err() && max_threads() == all);
    }

    #[test]
    fn threads_share_the_limit() {
        let limits = |limit, threads| with_max_threads(limit, || map(vec![(); 9], threads, |()| LIMIT.get()));
        assert_eq!(limits(8, 4), [2; 9]);
        assert_eq!(limits(8, 1), [8; 9]);
        assert_eq!(limits(7, 20), [1; 9]);
        let mut both = [0; 2];
        let [first, second] = &mut both;
        with_max_threads(8, || run_both(|| *first = LIMIT.get(), || *second = LIMIT.get()));
        let started = max_threads().min(2);
        assert_eq!(both, [8 / started; 2]);
        assert_eq!(LIMIT.get(), MAX_THREADS);
    }

    #[test]
    fn both_functions_run() {
        for limit in [1, 8] {
            let (mut first, mut second) = (0, 0);
            with_max_threads(limit, || run_both(|| first = 1, || second = 2));
            assert_eq!((first, second), (1, 2));
        }
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
