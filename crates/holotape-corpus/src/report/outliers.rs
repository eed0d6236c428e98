//! Outliers: recordings that differ from the others in a metric.
//!
//! Distances are measured by the median and the median distance from it, which outliers do not affect, unlike mean and
//! standard deviation. If values are more spread on one side of the median, as tracked fractions are below 100 %, that side
//! has its own deviation.

use super::robust_stats::RobustStats;
use super::table_rows::{Metric, ReportRow};

/// Minimum distance of an outlier from the median, in deviations. In a normal distribution, one in two thousand is farther.
const OUTLIER_THRESHOLD: f64 = 3.5;

/// With fewer recordings there are no outliers.
const MIN_SAMPLE_COUNT: usize = 8;

/// A recording that differs from the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlier {
    pub(super) row: usize,
    /// The largest distance from the median, in deviations.
    pub(super) distance: f64,
    /// One per metric, the largest distance first.
    pub(super) reasons: Vec<String>,
}

/// The compared metrics: title, unit, decimals, and the minimum deviation, so that small differences are no outliers where
/// nearly all recordings are equal.
const OUTLIER_METRICS: [(Metric, &str, &str, usize, f64); 12] = [
    (Metric::Duration, "Duration", " s", 1, 0.5),
    (Metric::LeftTracked, "Left hand tracked", " %", 0, 2.0),
    (Metric::RightTracked, "Right hand tracked", " %", 0, 2.0),
    (Metric::LeftSpeed, "Mean speed of the left hand", " m/s", 2, 0.02),
    (Metric::RightSpeed, "Mean speed of the right hand", " m/s", 2, 0.02),
    (Metric::LeftPinches, "Pinches of the left hand", " per minute", 1, 1.0),
    (Metric::RightPinches, "Pinches of the right hand", " per minute", 1, 1.0),
    (Metric::LeftPinchSecs, "Mean pinch of the left hand", " s", 2, 0.1),
    (Metric::RightPinchSecs, "Mean pinch of the right hand", " s", 2, 0.1),
    (Metric::HeadSpeed, "Mean speed of the head", " m/s", 2, 0.01),
    (Metric::Fixation, "Mean fixation", " s", 2, 0.05),
    (Metric::Saccade, "Mean saccade", "°", 1, 1.0),
];

/// All outliers, the farthest first.
pub(super) fn outliers(rows: &[ReportRow]) -> Vec<Outlier> {
    let mut found: Vec<(usize, f64, String)> = Vec::new();
    for (metric, title, unit, digits, min_deviation) in OUTLIER_METRICS {
        let values = rows.iter().filter_map(|row| row.metric(metric)).collect();
        let Some(stats) = RobustStats::new(values).filter(|stats| stats.count >= MIN_SAMPLE_COUNT) else { continue };
        let middle = format!("the middle 50 % are {:.digits$} to {:.digits$}{unit}", stats.q1, stats.q3);
        for (index, row) in rows.iter().enumerate() {
            let Some(value) = row.metric(metric) else { continue };
            let distance = (value - stats.median).abs() / stats.deviation_towards(value).max(min_deviation);
            if distance > OUTLIER_THRESHOLD {
                found.push((index, distance, format!("{title}: {value:.digits$}{unit}; {middle}")));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let by_row = found.chunk_by(|a, b| a.0 == b.0).map(|reasons| Outlier {
        row: reasons[0].0,
        distance: reasons[0].1,
        reasons: reasons.iter().map(|(.., message)| message.clone()).collect(),
    });
    let mut outliers: Vec<_> = by_row.collect();
    outliers.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    outliers
}
