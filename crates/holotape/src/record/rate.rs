//! Limits the rate of frames.

/// How early a frame may arrive, and how late without shifting the frames after it, in periods.
const TOLERANCE: f64 = 0.5;

/// Frames are due one period apart. Times are counted in periods from the first frame, not from the one before, so
/// that errors do not add up.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateLimiter {
    rate_hz: Option<f64>,
    first_secs: Option<f64>,
    due: f64,
}

impl RateLimiter {
    pub(super) fn new(rate_hz: Option<f64>) -> Self {
        Self { rate_hz, first_secs: None, due: 0.0 }
    }

    /// Whether to accept a frame at this time. Times must increase.
    pub(super) fn accepts(&mut self, time_secs: f64) -> bool {
        let Some(rate_hz) = self.rate_hz else { return true };
        let now = (time_secs - *self.first_secs.get_or_insert(time_secs)) * rate_hz;
        if now < self.due - TOLERANCE {
            return false;
        }
        self.due = 1.0 + if now > self.due + TOLERANCE { now } else { self.due };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rate_hz: f64, times: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut cap = RateLimiter::new(Some(rate_hz));
        times.into_iter().filter(|&time| cap.accepts(time)).collect()
    }

    /// A value from -0.5 to 0.5.
    fn jitter(n: u32) -> f64 {
        f64::from(n.wrapping_mul(2_654_435_761) >> 16) / 65536.0 - 0.5
    }

    #[test]
    fn faster_frames_are_thinned_to_the_rate_without_drift() {
        let times = taken(60.0, (0..90 * 3600).map(|n| 1e6 + f64::from(n) / 90.0));
        assert_eq!(times.len(), 60 * 3600);
        for (n, time) in times.iter().enumerate() {
            let due = 1e6 + n as f64 / 60.0;
            assert!((time - due).abs() <= 0.5 / 60.0, "frame {n} is at {time}, not near {due}");
        }
    }

    #[test]
    fn a_device_of_just_the_rate_loses_nothing_to_jitter() {
        let times = (0..6000).map(|n| (f64::from(n) + 0.5 * jitter(n)) / 60.0);
        assert_eq!(taken(60.0, times).len(), 6000);
    }

    #[test]
    fn a_first_frame_at_an_odd_time_does_not_matter_for_long() {
        for late in [-0.6, -0.5, -0.4, 0.4, 0.5, 0.6] {
            let regular = (1..6000).map(|n| (f64::from(n) + 0.1 * jitter(n)) / 60.0);
            let count = taken(60.0, [late / 60.0].into_iter().chain(regular)).len();
            assert!(count > 5990, "{count} frames if the first is {late} periods late");
        }
    }

    #[test]
    fn however_frames_come_there_are_not_more_than_the_rate_allows() {
        let mut time = 0.0;
        let times = (0..10_000).map(|n| {
            time += 0.01 * (jitter(n) + 0.5).powi(4);
            time
        });
        let times = taken(100.0, times);
        let most = 1.5 + 100.0 * times[times.len() - 1];
        assert!(times.len() as f64 <= most && times.len() as f64 > 0.8 * most, "{} of {most}", times.len());
    }

    #[test]
    fn after_a_gap_there_is_no_hurry_to_catch_up() {
        assert_eq!(taken(10.0, [0.0, 10.0, 10.001, 10.002, 10.1]), [0.0, 10.0, 10.1]);
    }
}
