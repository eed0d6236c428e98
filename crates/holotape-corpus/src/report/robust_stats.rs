//! Robust statistics and histogram bins.

/// Quantiles and deviation of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RobustStats {
    pub(super) count: usize,
    pub(super) min: f64,
    /// First quartile.
    pub(super) q1: f64,
    pub(super) median: f64,
    /// Third quartile.
    pub(super) q3: f64,
    pub(super) max: f64,
    /// Median distance from the median, scaled to equal the standard deviation of a normal distribution.
    pub(super) deviation: f64,
}

/// The factor of that scaling.
const MAD_TO_STDDEV: f64 = 1.4826;

impl RobustStats {
    /// `None` without finite values.
    pub(super) fn new(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let median = quantile(&values, 0.5);
        let mut distances: Vec<_> = values.iter().map(|value| (value - median).abs()).collect();
        distances.sort_by(f64::total_cmp);
        Some(Self {
            count: values.len(),
            min,
            q1: quantile(&values, 0.25),
            median,
            q3: quantile(&values, 0.75),
            max,
            deviation: MAD_TO_STDDEV * quantile(&distances, 0.5),
        })
    }

    /// The deviation on the side of a value, if it is larger there.
    pub(super) fn deviation_towards(&self, value: f64) -> f64 {
        let quarter = if value < self.median { self.median - self.q1 } else { self.q3 - self.median };
        self.deviation.max(MAD_TO_STDDEV * quarter)
    }
}

/// A quantile of sorted values, interpolated linearly.
pub(super) fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let index = fraction * sorted.len().saturating_sub(1) as f64;
    let at = |index: f64| sorted.get(index as usize).copied().unwrap_or(0.0);
    let (below, above) = (at(index.floor()), at(index.ceil()));
    below + (above - below) * index.fract()
}

/// The bins of a histogram: about 20, at round numbers. A few far values beyond the last bin are counted in it; it is then
/// open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    pub(super) start: f64,
    pub(super) width: f64,
    pub(super) count: usize,
    pub(super) is_open: bool,
}

impl Bins {
    const MAX_BINS: f64 = 20.0;

    /// Bins for values from 0, and up to `limit` if it is given; `None` without finite values.
    pub(super) fn new(values: &mut Vec<f64>, limit: Option<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        // One recording of an hour must not compress thousands of ten seconds into one bin.
        let far = quantile(values, 0.99) + 0.5 * (quantile(values, 0.99) - quantile(values, 0.01));
        let end = max.min(far);
        let start = if min < 0.5 * end || limit.is_some() { 0.0 } else { min };
        let end = limit.unwrap_or(end);
        let width = round_step((end - start) / Self::MAX_BINS);
        let start = (start / width).floor() * width;
        let count = (((end - start) / width).ceil() as usize).clamp(1, 2 * Self::MAX_BINS as usize);
        Some(Self { start, width, count, is_open: max > start + width * count as f64 * (1.0 + 1e-9) })
    }

    /// Number of values per bin.
    pub(super) fn counts(&self, values: impl Iterator<Item = f64>) -> Vec<usize> {
        let mut counts = vec![0; self.count];
        for value in values.filter(|value| value.is_finite()) {
            let bin = ((value - self.start) / self.width).max(0.0) as usize;
            counts[bin.min(self.count - 1)] += 1;
        }
        counts
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten. The step of an empty or infinite range is 1.
pub(super) fn round_step(min: f64) -> f64 {
    if min.is_finite() && min > 1e-9 { holotape_convert::plot::round_step(min) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_affect_robust_stats() {
        let mut values: Vec<f64> = (0..101).map(f64::from).collect();
        let stats = RobustStats::new(values.clone()).expect("values");
        assert_eq!((stats.q1, stats.median, stats.q3, stats.deviation), (25.0, 50.0, 75.0, 25.0 * MAD_TO_STDDEV));
        values[100] = 1e12;
        let moved = RobustStats::new(values).expect("values");
        assert_eq!((moved.q1, moved.median, moved.q3, moved.deviation), (25.0, 50.0, 75.0, 25.0 * MAD_TO_STDDEV));
        assert_eq!(RobustStats::new(vec![f64::NAN]), None);
        let skewed = RobustStats::new((0..101).map(|n| f64::from(n.min(60))).collect()).expect("values");
        assert!(skewed.deviation_towards(0.0) > skewed.deviation_towards(100.0));
    }

    #[test]
    fn every_value_is_in_a_bin() {
        for values in [
            vec![0.0],
            vec![7.25; 9],
            vec![1.0, 2.0, 3.0],
            (0..1000).map(|n| f64::from(n) * 0.017).collect(),
            vec![1e-300, 1e300],
        ] {
            let bins = Bins::new(&mut values.clone(), None).expect("bins");
            assert!(bins.count <= 40 && bins.width > 0.0, "{bins:?}");
            assert_eq!(bins.counts(values.iter().copied()).iter().sum::<usize>(), values.len());
        }
        let mut values: Vec<f64> = (0..1000).map(|n| 10.0 + f64::from(n % 10) / 10.0).collect();
        values.push(3600.0);
        let bins = Bins::new(&mut values, None).expect("bins");
        assert!(bins.is_open && bins.start + bins.width * bins.count as f64 <= 13.0, "{bins:?}");
    }

    #[test]
    fn steps_are_round_numbers() {
        assert_eq!([0.9, 1.0, 1.1, 30.0, 0.07].map(round_step), [1.0, 1.0, 2.0, 50.0, 0.1]);
        assert_eq!([0.0, f64::NAN, f64::INFINITY].map(round_step), [1.0; 3]);
    }
}
