//! The time limits on writing to a client.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::time::{Sleep, sleep};

use super::super::limits::MIN_BYTES_PER_SEC;

/// Expires if the client does not read within the timeout, or reads more slowly than the minimum speed on average: otherwise,
/// one that reads a little before each timeout would hold a download for hours.
///
/// Waiting for the client uses up a budget of time, which starts at the timeout and never exceeds it. All bytes that are written
/// restore it, also without a wait: the system reports room in its buffer only once much of it is free. Time in which the server
/// has nothing to send does not count.
pub(super) struct WriteLimit {
    timeout: Duration,
    budget: Duration,
    /// `None` unless the server waits for the client.
    wait: Option<Wait>,
}

struct Wait {
    since: Instant,
    deadline: Pin<Box<Sleep>>,
}

impl WriteLimit {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, budget: timeout, wait: None }
    }

    /// Counts the result of a write. Returns whether the time has expired.
    pub(super) fn is_exceeded(
        &mut self,
        context: &mut Context<'_>,
        now: Instant,
        written: &Poll<io::Result<usize>>,
    ) -> bool {
        let Poll::Ready(written) = written else {
            let budget = self.budget;
            let wait = self.wait.get_or_insert_with(|| Wait { since: now, deadline: Box::pin(sleep(budget)) });
            return now.saturating_duration_since(wait.since) >= budget
                || wait.deadline.as_mut().poll(context).is_ready();
        };
        let used = self.wait.take().map_or(Duration::ZERO, |wait| now.saturating_duration_since(wait.since));
        let bytes = written.as_ref().map_or(0, |bytes| *bytes as u64);
        let earned = Duration::from_micros(bytes.saturating_mul(1_000_000) / MIN_BYTES_PER_SEC);
        self.budget = self.budget.saturating_sub(used).saturating_add(earned).min(self.timeout);
        false
    }

    /// Removes the minimum speed until the next wait.
    pub(super) fn restore_budget(&mut self) {
        self.budget = self.timeout;
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    /// Simulates a client that reads `bytes` after each `period`. Returns the reads before the limit is exceeded, at most `max`.
    fn reads_before_limit(limit: &mut WriteLimit, period: Duration, bytes: usize, max: usize) -> usize {
        let mut context = Context::from_waker(Waker::noop());
        let mut now = Instant::now();
        (0..max)
            .take_while(|_| {
                let is_late = limit.is_exceeded(&mut context, now, &Poll::Pending);
                now += period;
                let is_late = is_late || limit.is_exceeded(&mut context, now, &Poll::Pending);
                !is_late && !limit.is_exceeded(&mut context, now, &Poll::Ready(Ok(bytes)))
            })
            .count()
    }

    #[tokio::test]
    async fn client_below_the_minimum_speed_runs_out_of_time() {
        let count =
            |secs, bytes| reads_before_limit(&mut WriteLimit::new(TIMEOUT), Duration::from_secs(secs), bytes, 1000);
        assert_eq!(count(20, 1 << 30), 0, "a client that does not read");
        // 64 KiB earn 2 s.
        assert_eq!(count(19, 64 << 10), 1);
        assert_eq!(count(3, 64 << 10), 17);
        assert_eq!(count(2, 64 << 10), 1000);
        assert_eq!(count(19, 1 << 20), 1000);
    }

    #[tokio::test]
    async fn writes_without_a_wait_count_as_read() {
        let mut limit = WriteLimit::new(TIMEOUT);
        // A wait ends with the rest of a TLS record; the next records fit into the buffer.
        for _ in 0..1000 {
            assert_eq!(reads_before_limit(&mut limit, Duration::from_secs(1), 4 << 10, 1), 1);
            let mut context = Context::from_waker(Waker::noop());
            for _ in 0..4 {
                assert!(!limit.is_exceeded(&mut context, Instant::now(), &Poll::Ready(Ok(16 << 10))));
            }
        }
    }

    #[tokio::test]
    async fn fast_reads_earn_no_more_time_than_the_timeout() {
        let mut limit = WriteLimit::new(TIMEOUT);
        assert_eq!(reads_before_limit(&mut limit, Duration::from_millis(1), 1 << 20, 1000), 1000);
        assert_eq!(reads_before_limit(&mut limit, Duration::from_secs(19), 1000, 1000), 1);
    }

    #[tokio::test]
    async fn restored_budget_has_no_minimum_speed() {
        let mut limit = WriteLimit::new(TIMEOUT);
        for _ in 0..1000 {
            assert_eq!(reads_before_limit(&mut limit, Duration::from_secs(19), 1, 1), 1);
            limit.restore_budget();
        }
    }
}
