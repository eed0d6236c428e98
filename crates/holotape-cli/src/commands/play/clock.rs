//! The clock of playback, which tests replace.

use std::thread;
use std::time::{Duration, Instant};

/// A clock that starts at 0 s.
pub trait Clock {
    /// The time since the start.
    fn elapsed_secs(&self) -> f64;

    /// Waits until a time; returns at once if it has passed.
    fn sleep_until(&self, due_secs: f64);
}

/// The clock of the machine.
pub struct SystemClock(Instant);

impl SystemClock {
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn elapsed_secs(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn sleep_until(&self, due_secs: f64) {
        let due = Duration::try_from_secs_f64(due_secs).unwrap_or(Duration::MAX);
        thread::sleep(due.saturating_sub(self.0.elapsed()));
    }
}
