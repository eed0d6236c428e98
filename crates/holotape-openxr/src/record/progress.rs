//! How far the writer is: the application goes at most one frame ahead of the journal.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Counts frames that were handed to the writer, and those that it has written.
#[derive(Debug)]
pub(super) struct Progress {
    max_wait: Duration,
    counts: Mutex<Counts>,
    has_changed: Condvar,
}

#[derive(Debug, Default)]
struct Counts {
    sent: u64,
    written: u64,
    /// The writer has ended, or was too slow once.
    is_given_up: bool,
    was_too_slow: bool,
}

impl Progress {
    /// Waits at most this long for a disk that does not answer, and does not wait again after that.
    pub(super) fn new(max_wait: Duration) -> Self {
        Self { max_wait, counts: Mutex::default(), has_changed: Condvar::new() }
    }

    /// Waits until all frames are written that were sent before, then sends one. So a killed application loses at most
    /// the last frame.
    ///
    /// A frame takes microseconds to write, and there are milliseconds between two frames, so this mostly does not wait.
    pub(super) fn send(&self, send: impl FnOnce() -> bool) {
        let mut counts = self.lock();
        let start = Instant::now();
        while counts.written < counts.sent && !counts.is_given_up {
            let left = self.max_wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                (counts.is_given_up, counts.was_too_slow) = (true, true);
                break;
            }
            counts = self.has_changed.wait_timeout(counts, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        counts.sent += u64::from(send());
    }

    /// A frame is in the journal, or cannot be written.
    pub(super) fn frame_written(&self) {
        self.lock().written += 1;
        self.has_changed.notify_all();
    }

    /// Nothing is written from now on.
    pub(super) fn writer_ended(&self) {
        self.lock().is_given_up = true;
        self.has_changed.notify_all();
    }

    /// Whether the disk was so slow that more than one frame was not in the journal.
    pub(super) fn was_too_slow(&self) -> bool {
        self.lock().was_too_slow
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn frame_is_sent_after_the_one_before_was_written() {
        let (progress, written) = (Progress::new(Duration::MAX), AtomicU64::new(0));
        std::thread::scope(|scope| {
            let (to_writer, frames) = std::sync::mpsc::channel::<()>();
            scope.spawn(|| {
                for () in frames {
                    written.fetch_add(1, Ordering::SeqCst);
                    progress.frame_written();
                }
            });
            for sent in 0..1000 {
                progress.send(|| {
                    assert_eq!(written.load(Ordering::SeqCst), sent, "frames written");
                    to_writer.send(()).is_ok()
                });
            }
            drop(to_writer);
        });
        assert!(!progress.was_too_slow());
    }

    #[test]
    fn ended_writer_is_not_waited_for() {
        let progress = Progress::new(Duration::MAX);
        progress.send(|| true);
        progress.writer_ended();
        progress.send(|| true);
        assert!(!progress.was_too_slow());
    }

    #[test]
    fn slow_writer_is_given_up() {
        let progress = Progress::new(Duration::ZERO);
        let sent = Cell::new(0);
        let send = || {
            progress.send(|| {
                sent.set(sent.get() + 1);
                true
            })
        };
        send();
        assert!(!progress.was_too_slow());
        (0..3).for_each(|_| send());
        assert!(progress.was_too_slow());
        assert_eq!(sent.get(), 4, "frames are sent without waiting");
    }
}
