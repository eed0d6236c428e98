//! Numbers of many takes: what is usual, and how they are spread.

/// What is usual, by order and not by sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RobustStats {
    pub(super) count: usize,
    pub(super) min: f64,
    /// A quarter is below.
    pub(super) q1: f64,
    pub(super) median: f64,
    /// A quarter is above.
    pub(super) q3: f64,
    pub(super) max: f64,
    /// The median distance from the median, as large as the standard deviation would be if they were spread normally.
    pub(super) deviation: f64,
}

/// What the median distance has to be multiplied by for that.
const MAD_TO_STDDEV: f64 = 1.4826;

impl RobustStats {
    /// Nothing of no numbers.
    pub(super) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (least, most) = (*values.first()?, *values.last()?);
        let median = quantile(&values, 0.5);
        let mut distances: Vec<_> = values.iter().map(|value| (value - median).abs()).collect();
        distances.sort_by(f64::total_cmp);
        Some(Self {
            count: values.len(),
            min: least,
            q1: quantile(&values, 0.25),
            median,
            q3: quantile(&values, 0.75),
            max: most,
            deviation: MAD_TO_STDDEV * quantile(&distances, 0.5),
        })
    }

    /// The same on the side of a number, if numbers lie further apart there.
    pub(super) fn deviation_towards(&self, value: f64) -> f64 {
        let quarter = if value < self.median { self.median - self.q1 } else { self.q3 - self.median };
        self.deviation.max(MAD_TO_STDDEV * quarter)
    }
}

/// The number below which a share of them lies. They are in order, and there is one at least.
pub(super) fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction * sorted.len().saturating_sub(1) as f64;
    let at = |place: f64| sorted.get(place as usize).copied().unwrap_or(0.0);
    let (below, above) = (at(place.floor()), at(place.ceil()));
    below + (above - below) * place.fract()
}

/// Where to cut numbers into bins: at round numbers, some twenty of them. What lies beyond the last one, a few numbers far away, goes
/// into the last bin, which is then open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    pub(super) start: f64,
    pub(super) width: f64,
    pub(super) count: usize,
    pub(super) is_open: bool,
}

impl Bins {
    const MAX_BINS: f64 = 20.0;

    /// Bins for these numbers, of some unit that is never below 0, and never above `limit` if that is given.
    pub(super) fn of(values: &mut Vec<f64>, limit: Option<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (least, most) = (*values.first()?, *values.last()?);
        // One take of an hour among thousands of ten seconds must not press these into one bin.
        let far = quantile(values, 0.99) + 0.5 * (quantile(values, 0.99) - quantile(values, 0.01));
        let end = if most > far { far } else { most };
        let start = if least < 0.5 * end || limit.is_some() { 0.0 } else { least };
        let end = limit.unwrap_or(end);
        let width = round_step((end - start) / Self::MAX_BINS);
        let start = (start / width).floor() * width;
        // A number at the very end belongs into the bin before it.
        let count = (((end - start) / width).ceil() as usize).clamp(1, 2 * Self::MAX_BINS as usize);
        Some(Self { start, width, count, is_open: most > start + width * count as f64 * (1.0 + 1e-9) })
    }

    /// How many numbers each bin has.
    pub(super) fn counts(&self, values: impl Iterator<Item = f64>) -> Vec<usize> {
        let mut counts = vec![0; self.count];
        for value in values.filter(|value| value.is_finite()) {
            let bin = ((value - self.start) / self.width).max(0.0) as usize;
            counts[bin.min(self.count - 1)] += 1;
        }
        counts
    }
}

/// 1, 2 or 5 times a power of ten, and not less than a number.
pub(super) fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 1e-9) {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlier_moves_nothing() {
        let mut values: Vec<f64> = (0..101).map(f64::from).collect();
        let spread = RobustStats::of(values.clone()).expect("numbers");
        assert_eq!((spread.q1, spread.median, spread.q3, spread.deviation), (25.0, 50.0, 75.0, 25.0 * MAD_TO_STDDEV));
        values[100] = 1e12;
        let moved = RobustStats::of(values).expect("numbers");
        assert_eq!((moved.q1, moved.median, moved.q3, moved.deviation), (25.0, 50.0, 75.0, 25.0 * MAD_TO_STDDEV));
        assert_eq!(RobustStats::of(vec![f64::NAN]), None);
        let skewed = RobustStats::of((0..101).map(|n| f64::from(n.min(60))).collect()).expect("numbers");
        assert!(skewed.deviation_towards(0.0) > skewed.deviation_towards(100.0));
    }

    #[test]
    fn every_number_is_in_a_bin() {
        for values in [
            vec![0.0],
            vec![7.25; 9],
            vec![1.0, 2.0, 3.0],
            (0..1000).map(|n| f64::from(n) * 0.017).collect(),
            vec![1e-300, 1e300],
        ] {
            let bins = Bins::of(&mut values.clone(), None).expect("bins");
            assert!(bins.count <= 40 && bins.width > 0.0, "{bins:?}");
            assert_eq!(bins.counts(values.iter().copied()).iter().sum::<usize>(), values.len());
        }
        let mut values: Vec<f64> = (0..1000).map(|n| 10.0 + f64::from(n % 10) / 10.0).collect();
        values.push(3600.0);
        let bins = Bins::of(&mut values, None).expect("bins");
        assert!(bins.is_open && bins.start + bins.width * bins.count as f64 <= 13.0, "{bins:?}");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([0.9, 1.0, 1.1, 30.0, 0.07].map(round_step), [1.0, 1.0, 2.0, 50.0, 0.1]);
        assert_eq!([0.0, f64::NAN, f64::INFINITY].map(round_step), [1.0; 3]);
    }
}
