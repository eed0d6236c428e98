//! Converts times of a recording to log times, which are unsigned nanoseconds.

pub(super) struct LogClock {
    pub(super) start_ns: u64,
}

impl LogClock {
    /// The log time; `None` before time 0 of the recording and if it exceeds 64 bits.
    pub(super) fn ns(&self, time_secs: f64) -> Option<u64> {
        let ns = (time_secs * 1e9).round();
        // `u64::MAX as f64` is 2^64: the largest float below it fits.
        let fits = time_secs >= 0.0 && ns < u64::MAX as f64;
        fits.then_some(ns as u64).and_then(|ns| self.start_ns.checked_add(ns))
    }
}
