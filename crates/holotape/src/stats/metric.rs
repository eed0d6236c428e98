//! The list of all statistics by name: columns in SQL, keys in JSON and in Python.

use super::{GazeStats, HandStats, MovementStats, Stats};

/// A statistic of a body part, under the name that it has in SQL, JSON and Python.
///
/// ```
/// use holotape::stats::{Metric, MetricValue, Stats, StatsOptions};
///
/// let recording = holotape::demo::DemoOptions::new().generate()?;
/// let stats = Stats::from_recording(&recording, &StatsOptions::new())?;
/// let metrics = Metric::all(Some(&stats));
/// let pinches = metrics.iter().find(|metric| metric.name() == "right_pinch_count").unwrap();
/// assert_eq!(pinches.value, MetricValue::Count(stats.right.map(|hand| hand.pinches.count as u64)));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Metric {
    part: &'static str,
    quantity: &'static str,
    /// The unit: `m`, `m/s`; `1` for a fraction, `None` for flags and counts.
    pub unit: Option<&'static str>,
    /// The value; `None` inside if it is missing.
    pub value: MetricValue,
}

/// The value of a [`Metric`]; `None` if the body part was not recorded, or for a mean of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(untagged))]
pub enum MetricValue {
    /// True or false.
    Flag(Option<bool>),
    /// A count.
    Count(Option<u64>),
    /// A number with a unit.
    Number(Option<f64>),
}

impl Metric {
    /// Returns all metrics, in the order of the columns of a table. Without statistics all values are missing, but names,
    /// types and units are the same.
    #[must_use]
    pub fn all(stats: Option<&Stats>) -> Vec<Self> {
        let mut metrics = Vec::with_capacity(40);
        movement(&mut metrics, "head", stats.and_then(|stats| stats.head.as_ref()));
        hand(&mut metrics, "left", stats.and_then(|stats| stats.left.as_ref()));
        hand(&mut metrics, "right", stats.and_then(|stats| stats.right.as_ref()));
        gaze(&mut metrics, stats.and_then(|stats| stats.gaze.as_ref()));
        metrics
    }

    /// Returns the name, with the unit as a suffix: `head_path_m`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}_{}", self.part, self.quantity)
    }

    fn flag(part: &'static str, quantity: &'static str, value: Option<bool>) -> Self {
        Self { part, quantity, unit: None, value: MetricValue::Flag(value) }
    }

    fn count(part: &'static str, quantity: &'static str, value: Option<usize>) -> Self {
        Self { part, quantity, unit: None, value: MetricValue::Count(value.map(|count| count as u64)) }
    }

    fn number(part: &'static str, quantity: &'static str, unit: &'static str, value: Option<f64>) -> Self {
        Self { part, quantity, unit: Some(unit), value: MetricValue::Number(value) }
    }
}

fn movement(metrics: &mut Vec<Metric>, part: &'static str, stats: Option<&MovementStats>) {
    metrics.extend([
        Metric::number(part, "path_m", "m", stats.map(|stats| stats.path_m)),
        Metric::number(part, "rotation_deg", "deg", stats.map(|stats| stats.rotation_deg)),
        Metric::number(part, "mean_speed_m_per_sec", "m/s", stats.map(|stats| stats.mean_speed_m_per_sec)),
        Metric::number(part, "max_speed_m_per_sec", "m/s", stats.map(|stats| stats.max_speed_m_per_sec)),
    ]);
}

fn hand(metrics: &mut Vec<Metric>, part: &'static str, stats: Option<&HandStats>) {
    metrics.extend([
        Metric::number(part, "tracked_fraction", "1", stats.map(|stats| stats.tracked_fraction)),
        Metric::number(part, "tracked_secs", "s", stats.map(|stats| stats.tracked_secs)),
        Metric::count(part, "tracked_span_count", stats.map(|stats| stats.tracked_span_count)),
    ]);
    movement(metrics, part, stats.map(|stats| &stats.movement));
    let pinches = stats.map(|stats| &stats.pinches);
    let durations = pinches.filter(|pinches| pinches.count > 0);
    metrics.extend([
        Metric::count(part, "pinch_count", pinches.map(|pinches| pinches.count)),
        Metric::number(part, "pinch_secs", "s", pinches.map(|pinches| pinches.total_secs)),
        Metric::number(part, "pinch_mean_secs", "s", durations.map(|pinches| pinches.mean_secs)),
        Metric::number(part, "pinch_min_secs", "s", durations.map(|pinches| pinches.min_secs)),
        Metric::number(part, "pinch_max_secs", "s", durations.map(|pinches| pinches.max_secs)),
    ]);
}

fn gaze(metrics: &mut Vec<Metric>, stats: Option<&GazeStats>) {
    let fixations = stats.filter(|stats| stats.fixation_count > 0);
    let saccades = stats.filter(|stats| stats.saccade_count > 0);
    metrics.extend([
        Metric::flag("gaze", "follows_head", stats.map(|stats| stats.follows_head)),
        Metric::count("gaze", "fixation_count", stats.map(|stats| stats.fixation_count)),
        Metric::number("gaze", "fixation_secs", "s", stats.map(|stats| stats.fixation_secs)),
        Metric::number("gaze", "fixation_mean_secs", "s", fixations.map(|stats| stats.mean_fixation_secs)),
        Metric::count("gaze", "saccade_count", stats.map(|stats| stats.saccade_count)),
        Metric::number("gaze", "saccade_mean_deg", "deg", saccades.map(|stats| stats.mean_saccade_deg)),
        Metric::number("gaze", "max_speed_deg_per_sec", "deg/s", stats.map(|stats| stats.max_speed_deg_per_sec)),
    ]);
}

/// One flat object: duration, number of markers, and all metrics by name.
#[cfg(feature = "json")]
impl serde::Serialize for Stats {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let recording = [
            ("duration_secs".to_owned(), MetricValue::Number(Some(self.duration_secs))),
            ("marker_count".to_owned(), MetricValue::Count(Some(self.marker_count as u64))),
        ];
        let metrics = Metric::all(Some(self)).into_iter().map(|metric| (metric.name(), metric.value));
        serializer.collect_map(recording.into_iter().chain(metrics))
    }
}
