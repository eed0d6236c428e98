//! Real time.

use std::thread;
use std::time::{Duration, Instant};

/// So late that it is better to leave frames out than to lag behind for good.
const MAX_LAG_SECS: f64 = 1.0;

/// A tick so close before the end is the end, since times of keys are rounded: that share of a step, and no longer than
/// this.
const END_FRACTION: f64 = 0.01;
const END_SECS: f64 = 0.001;

/// So many ticks a second from now on. Each is due at a time of its own, not so long after the one before, so that they
/// do not drift.
pub struct Ticker {
    begun: Instant,
    rate_hz: f64,
    end_secs: f64,
    tick: u64,
    skipped: u64,
}

impl Ticker {
    /// `end_secs` is when to come to the end, tick or not.
    pub fn new(rate_hz: f64, end_secs: f64) -> Self {
        Self { begun: Instant::now(), rate_hz, end_secs, tick: 0, skipped: 0 }
    }

    /// Waits for the next tick, and says when it was due: the same times in every run, whatever the machine does
    /// meanwhile, as long as it is not very late. At the end that is a time after it.
    pub fn wait(&mut self) -> f64 {
        self.skip_if_too_late();
        let due = self.tick as f64 / self.rate_hz;
        self.tick += 1;
        sleep_until(self.begun, due.min(self.end_secs));
        let is_end = self.end_secs - due < (END_FRACTION / self.rate_hz).min(END_SECS);
        if is_end { f64::INFINITY } else { due }
    }

    /// How many ticks were left out.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    fn skip_if_too_late(&mut self) {
        let now = self.begun.elapsed().as_secs_f64().min(self.end_secs);
        if now - self.tick as f64 / self.rate_hz > MAX_LAG_SECS {
            let current = (now * self.rate_hz) as u64;
            self.skipped += current.saturating_sub(self.tick);
            self.tick = self.tick.max(current);
        }
    }
}

fn sleep_until(begun: Instant, due_secs: f64) {
    let due = Duration::try_from_secs_f64(due_secs).unwrap_or(Duration::MAX);
    thread::sleep(due.saturating_sub(begun.elapsed()));
}
