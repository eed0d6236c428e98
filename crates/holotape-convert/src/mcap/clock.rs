//! Times of a recording as times of a log, which are whole nanoseconds from 0 on.

pub(super) struct LogClock {
    pub(super) start_ns: u64,
}

impl LogClock {
    /// The time in the log, if it has one: nothing before time 0 of the recording, nothing that 64 bits cannot count.
    pub(super) fn ns(&self, time_secs: f64) -> Option<u64> {
        let ns = (time_secs * 1e9).round();
        // The largest float below 2^64 is one that fits.
        let fits = time_secs >= 0.0 && ns < u64::MAX as f64;
        fits.then_some(ns as u64).and_then(|ns| self.start_ns.checked_add(ns))
    }
}
