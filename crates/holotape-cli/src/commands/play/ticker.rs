//! The times of frames during playback.

use super::clock::Clock;

/// Ticks that are later than this are skipped.
const MAX_LAG_SECS: f64 = 1.0;

/// A tick this close to the end counts as the end, because key times are rounded: a fraction of a step, and at most
/// [`END_SECS`].
const END_FRACTION: f64 = 0.01;
const END_SECS: f64 = 0.001;

/// Ticks at a fixed rate. Due times are multiples of the period since the start, so that they do not drift.
pub struct Ticker<C> {
    clock: C,
    rate_hz: f64,
    end_secs: f64,
    tick: u64,
    skipped: u64,
}

impl<C: Clock> Ticker<C> {
    /// `end_secs` is the time of the end, which need not be a multiple of the period.
    pub fn new(clock: C, rate_hz: f64, end_secs: f64) -> Self {
        Self { clock, rate_hz, end_secs, tick: 0, skipped: 0 }
    }

    /// Waits for the next tick and returns its due time, which does not depend on the load of the machine unless ticks are
    /// skipped. Returns infinity at the end.
    pub fn wait(&mut self) -> f64 {
        self.skip_if_too_late();
        let due = self.tick as f64 / self.rate_hz;
        self.tick += 1;
        self.clock.sleep_until(due.min(self.end_secs));
        let is_end = self.end_secs - due < (END_FRACTION / self.rate_hz).min(END_SECS);
        if is_end { f64::INFINITY } else { due }
    }

    /// The number of skipped ticks.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    fn skip_if_too_late(&mut self) {
        let now = self.clock.elapsed_secs().min(self.end_secs);
        if now - self.tick as f64 / self.rate_hz > MAX_LAG_SECS {
            let current = (now * self.rate_hz) as u64;
            self.skipped += current.saturating_sub(self.tick);
            self.tick = self.tick.max(current);
        }
    }
}
