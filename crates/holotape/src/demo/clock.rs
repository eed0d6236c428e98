//! Frame times: a constant rate with jitter.

use super::noise::SplitMix64;

/// The maximum jitter of a frame, in seconds.
const JITTER_SECS: f64 = 0.000_4;

/// The times of all frames: the first at 0, the last at `seconds`, all different.
pub(super) fn frame_times(seed: u64, seconds: f64, rate_hz: f64) -> impl Iterator<Item = f32> {
    // The last step is 0.5 to 1.5 times as long as the others.
    let steps = if seconds as f32 == 0.0 { 0 } else { ((seconds * rate_hz).round() as u64).max(1) };
    // At most a tenth of a step, so that the order is kept at any rate.
    let jitter = JITTER_SECS.min(0.1 / rate_hz);
    (0..=steps).map(move |frame| match frame {
        0 => 0.0,
        last if last == steps => seconds as f32,
        // One random stream per frame: its time does not depend on the number of frames.
        _ => (frame as f64 / rate_hz + SplitMix64::new(seed ^ 0xc10c, frame).uniform(-jitter, jitter)) as f32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_in_order_at_any_rate_and_length() {
        for rate in [1.0, 59.94, 1000.0] {
            for seconds in [1e-30, 0.0004, 0.01, 0.49, 0.5, 1.0, 1.499, 7.3, 1370.0] {
                let times: Vec<_> = frame_times(1, seconds, rate).collect();
                assert_eq!((times[0], times[times.len() - 1]), (0.0, seconds as f32), "{seconds} s at {rate}");
                assert!(times.is_sorted_by(|a, b| a < b), "{seconds} s at {rate}");
                assert!((times.len() as f64 - seconds * rate - 1.0).abs() <= 1.0, "{seconds} s at {rate}");
            }
        }
    }

    #[test]
    fn the_clock_is_neither_exact_nor_wild() {
        let times: Vec<_> = frame_times(1, 10.0, 60.0).map(f64::from).collect();
        let late = times.iter().zip(0..).map(|(time, n)| (time - f64::from(n) / 60.0).abs()).fold(0.0, f64::max);
        assert!(late > 0.0003 && late < 0.0005, "{late}");
    }

    #[test]
    fn no_time_is_one_frame() {
        for seconds in [0.0, -0.0, 1e-60] {
            assert_eq!(frame_times(1, seconds, 60.0).collect::<Vec<_>>(), [0.0]);
        }
    }
}
