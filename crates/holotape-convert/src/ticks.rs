//! Timestamps of Windows and .NET, in ticks of 100 ns.

/// The length of a tick.
const SECS_PER_TICK: f64 = 1e-7;

/// The seconds between two timestamps. Subtracts integers: timestamps since 1601 exceed the precision of floats.
pub(crate) fn secs_between(start: impl Into<i128>, end: impl Into<i128>) -> f64 {
    (end.into() - start.into()) as f64 * SECS_PER_TICK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secs_between_is_exact_for_large_timestamps() {
        assert_eq!(secs_between(637_835_897_125_443_909_i64, 637_835_897_125_443_910_i64), 1e-7);
        assert_eq!(secs_between(u64::MAX, u64::MAX - 10_000_000), -1.0);
        assert_eq!(secs_between(i64::MIN, i64::MAX), 2_f64.powi(64) * 1e-7);
    }
}
