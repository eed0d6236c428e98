//! Parallel work whose results are consumed in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Runs `work` on all items with `jobs` threads. `consume` gets a function that returns the results in the order of the items,
/// and `None` after the last one. To limit memory, at most `2 * jobs` items are ahead. When `consume` returns, no new work is
/// started.
pub(super) fn in_order<T: Send, R: Send, C>(
    items: Vec<T>,
    jobs: usize,
    work: impl Fn(T) -> R + Sync,
    consume: impl FnOnce(&mut dyn FnMut() -> Option<R>) -> C,
) -> C {
    let queue = Queue {
        state: Mutex::new(State {
            items: items.into_iter(),
            started: 0,
            consumed: 0,
            results: BTreeMap::new(),
            is_closed: false,
        }),
        changed: Condvar::new(),
        max_ahead: 2 * jobs,
    };
    thread::scope(|scope| {
        // Also if `consume` panics, because the threads are joined then, too.
        let _guard = CloseOnDrop(&queue);
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some((number, item)) = queue.start_next() {
                    let result = work(item);
                    queue.finish(number, result);
                }
            });
        }
        consume(&mut || queue.next_result())
    })
}

struct Queue<T, R> {
    state: Mutex<State<T, R>>,
    changed: Condvar,
    max_ahead: usize,
}

struct State<T, R> {
    items: std::vec::IntoIter<T>,
    started: usize,
    consumed: usize,
    results: BTreeMap<usize, R>,
    is_closed: bool,
}

impl<T, R> Queue<T, R> {
    fn lock(&self) -> MutexGuard<'_, State<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_next(&self) -> Option<(usize, T)> {
        let is_blocked = |state: &mut State<T, R>| !state.is_closed && state.started >= state.consumed + self.max_ahead;
        let mut state = self.changed.wait_while(self.lock(), is_blocked).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return None;
        }
        let item = state.items.next()?;
        state.started += 1;
        Some((state.started - 1, item))
    }

    fn finish(&self, number: usize, result: R) {
        self.lock().results.insert(number, result);
        self.changed.notify_all();
    }

    fn next_result(&self) -> Option<R> {
        let is_pending = |state: &mut State<T, R>| {
            let is_over = state.consumed == state.started && state.items.len() == 0;
            !is_over && !state.results.contains_key(&state.consumed)
        };
        let mut state = self.changed.wait_while(self.lock(), is_pending).unwrap_or_else(PoisonError::into_inner);
        let consumed = state.consumed;
        let result = state.results.remove(&consumed)?;
        state.consumed += 1;
        self.changed.notify_all();
        Some(result)
    }
}

struct CloseOnDrop<'a, T, R>(&'a Queue<T, R>);

impl<T, R> Drop for CloseOnDrop<'_, T, R> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order() {
        for jobs in [1, 3] {
            let work = |item: u64| {
                thread::yield_now();
                item * 2
            };
            let results = in_order((0..100).collect(), jobs, work, |next| std::iter::from_fn(next).collect::<Vec<_>>());
            assert_eq!(results, (0..200).step_by(2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn work_ends_when_the_consumer_ends() {
        let first = in_order((0..1_000_000).collect::<Vec<u64>>(), 2, |item| item, |next| next());
        assert_eq!(first, Some(0));
    }
}
