//! Statistics of features: by episode, and of all episodes together.
//!
//! `std` is that of the population. Quantiles are interpolated linearly between values, as NumPy does by default. They are
//! computed from every n-th frame if there are more than [`MAX_SAMPLED_FRAMES`].

/// Maximum number of frames from which quantiles are computed.
pub(super) const MAX_SAMPLED_FRAMES: u64 = 1 << 15;

/// The names of all statistics of a component, in order.
pub(super) const STAT_NAMES: [&str; 9] = ["min", "max", "mean", "std", "q01", "q10", "q50", "q90", "q99"];

/// The number of frames.
pub(super) const COUNT: &str = "count";

const QUANTILES: [f64; 5] = [0.01, 0.1, 0.5, 0.9, 0.99];

/// The statistics of one component, in the order of [`STAT_NAMES`].
pub(super) type ComponentStats = [f32; STAT_NAMES.len()];

/// Of how many frames one is used for quantiles.
pub(super) fn sample_stride(frame_count: u64) -> usize {
    usize::try_from(frame_count.div_ceil(MAX_SAMPLED_FRAMES)).unwrap_or(usize::MAX).max(1)
}

/// Minimum, maximum, mean and sum of squared deviations, which can be merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    count: f64,
    min: f32,
    max: f32,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(super) const EMPTY: Self =
        Self { count: 0.0, min: f32::INFINITY, max: f32::NEG_INFINITY, mean: 0.0, squares: 0.0 };

    /// Of some values, in two passes.
    pub(super) fn of(values: &[f32]) -> Self {
        if values.is_empty() {
            return Self::EMPTY;
        }
        let count = values.len() as f64;
        let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / count;
        let squares = values.iter().map(|value| (f64::from(*value) - mean).powi(2)).sum();
        let min = values.iter().copied().fold(f32::INFINITY, f32::min);
        let max = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Self { count, min, max, mean, squares }
    }

    /// Of values with these statistics.
    pub(super) fn from_stats(count: u64, [min, max, mean, std, ..]: ComponentStats) -> Self {
        let count = count as f64;
        Self { count, min, max, mean: mean.into(), squares: f64::from(std).powi(2) * count }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let count = self.count + other.count;
        if other.count == 0.0 {
            return;
        }
        let difference = other.mean - self.mean;
        self.mean += difference * other.count / count;
        self.squares += other.squares + difference * difference * self.count * other.count / count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count = count;
    }

    /// The statistics, with quantiles of these values, which are sorted.
    pub(super) fn into_stats(self, sample: &mut [f32]) -> ComponentStats {
        sample.sort_unstable_by(f32::total_cmp);
        let [q01, q10, q50, q90, q99] = QUANTILES.map(|fraction| quantile(sample, fraction));
        let variance = if self.count > 0.0 { self.squares / self.count } else { 0.0 };
        [self.min, self.max, self.mean as f32, variance.sqrt() as f32, q01, q10, q50, q90, q99]
    }
}

/// A quantile of sorted values; 0 without values.
fn quantile(sorted: &[f32], fraction: f64) -> f32 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let at = fraction * last as f64;
    let below = at.floor() as usize;
    let [low, high] = [below, (below + 1).min(last)].map(|index| f64::from(sorted[index]));
    (low + (high - low) * (at - at.floor())) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_match_numpy() {
        // np.std([1, 2, 4, 8]), np.quantile([1, 2, 4, 8], [0.01, 0.1, 0.5, 0.9, 0.99])
        let mut values = [8.0, 1.0, 4.0, 2.0];
        let stats = Moments::of(&values).into_stats(&mut values);
        let expected = [1.0, 8.0, 3.75, 2.680_951_3, 1.03, 1.3, 3.0, 6.8, 7.88];
        assert!(stats.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{stats:?}");
    }

    #[test]
    fn merged_moments_are_those_of_all_values() {
        let values: Vec<f32> = (0..100).map(|n| (n * n % 37) as f32 / 7.0).collect();
        let mut merged = Moments::EMPTY;
        for part in values.chunks(13) {
            let stats = Moments::of(part).into_stats(&mut part.to_vec());
            merged.merge(&Moments::from_stats(part.len() as u64, stats));
        }
        let (merged, whole) = (merged.into_stats(&mut []), Moments::of(&values).into_stats(&mut []));
        assert!(merged.iter().zip(whole).all(|(a, b)| (a - b).abs() < 1e-5), "{merged:?} {whole:?}");
    }

    #[test]
    fn sample_has_at_most_the_maximum() {
        for frames in [0, 1, MAX_SAMPLED_FRAMES, MAX_SAMPLED_FRAMES + 1, 10 * MAX_SAMPLED_FRAMES + 7] {
            assert!(frames.div_ceil(sample_stride(frames) as u64) <= MAX_SAMPLED_FRAMES);
        }
        assert_eq!(sample_stride(MAX_SAMPLED_FRAMES), 1);
    }
}
