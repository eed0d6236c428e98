//! Takes that are unlike the others, and in what.
//!
//! By the median and the median distance from it, which no outlier moves: a mean and a standard deviation would hide the very takes
//! that are looked for. Where takes lie further apart on one side, as tracked shares do below their median of 100 %, that side has a
//! distance of its own.

use super::robust_stats::RobustStats;
use super::table_rows::{Metric, ReportRow};

/// As far from the median as this, in units of what a standard deviation would be. A normal distribution has one in two thousand
/// there.
const OUTLIER_THRESHOLD: f64 = 3.5;

/// Of fewer takes nobody can say what is usual.
const MIN_SAMPLE_COUNT: usize = 8;

/// A take worth a look.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlier {
    pub(super) take: usize,
    /// How far it is from what is usual, in the number in which it is furthest.
    pub(super) distance: f64,
    /// In words, the furthest first.
    pub(super) reasons: Vec<String>,
}

/// The numbers that are looked at, what they are about, their unit, digits behind the point, and the least distance that counts as
/// one: where nearly all takes are the same, the rest is not strange for being a little different.
const OUTLIER_METRICS: [(Metric, &str, &str, usize, f64); 12] = [
    (Metric::Duration, "it is", " s long", 1, 0.5),
    (Metric::LeftTracked, "the left hand was tracked for", " % of the time", 0, 2.0),
    (Metric::RightTracked, "the right hand was tracked for", " % of the time", 0, 2.0),
    (Metric::LeftSpeed, "the left hand moved at", " m/s on average", 2, 0.02),
    (Metric::RightSpeed, "the right hand moved at", " m/s on average", 2, 0.02),
    (Metric::LeftPinches, "the left hand pinched", " times a minute", 1, 1.0),
    (Metric::RightPinches, "the right hand pinched", " times a minute", 1, 1.0),
    (Metric::LeftPinchSecs, "pinches of the left hand took", " s on average", 2, 0.1),
    (Metric::RightPinchSecs, "pinches of the right hand took", " s on average", 2, 0.1),
    (Metric::HeadSpeed, "the head moved at", " m/s on average", 2, 0.01),
    (Metric::Fixation, "the eyes rested for", " s on average", 2, 0.05),
    (Metric::Saccade, "the eyes jumped by", "° on average", 1, 1.0),
];

/// All takes that are far from what is usual in anything, the furthest first.
pub(super) fn outliers(takes: &[ReportRow]) -> Vec<Outlier> {
    let mut found: Vec<(usize, f64, String)> = Vec::new();
    for (number, about, unit, digits, least) in OUTLIER_METRICS {
        let values = takes.iter().filter_map(|take| take.number(number)).collect();
        let Some(spread) = RobustStats::of(values).filter(|spread| spread.count >= MIN_SAMPLE_COUNT) else { continue };
        let usual = format!("half of all takes are within {:.digits$} and {:.digits$}", spread.q1, spread.q3);
        for (index, take) in takes.iter().enumerate() {
            let Some(value) = take.number(number) else { continue };
            let distance = (value - spread.median).abs() / spread.deviation_towards(value).max(least);
            if distance > OUTLIER_THRESHOLD {
                found.push((index, distance, format!("{about} {value:.digits$}{unit}; {usual}")));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let by_take = found.chunk_by(|a, b| a.0 == b.0).map(|reasons| Outlier {
        take: reasons[0].0,
        distance: reasons[0].1,
        reasons: reasons.iter().map(|(.., message)| message.clone()).collect(),
    });
    let mut outliers: Vec<_> = by_take.collect();
    outliers.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    outliers
}
