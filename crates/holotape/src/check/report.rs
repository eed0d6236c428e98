//! [`RepairReport`]: what a repair fixed, and what is lost.

use std::fmt;

use super::aggregate::{AggregatedFinding, FindingAggregator};
use super::{FindingKind, Subject, messages};

/// What was repaired, and what is lost. Reports of several steps can be [merged](Self::merge).
///
/// ```
/// use holotape::check::{FindingKind, RepairOptions, repair};
///
/// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// recording.camera.as_mut().unwrap().rotation[3].keys.iter_mut().for_each(|(_, w)| *w *= 2.0);
/// let report = repair(&mut recording, &RepairOptions::new());
/// assert_eq!(report.to_string(), "repaired: camera: normalized 61 rotations [non-unit-rotations]\n");
/// assert_eq!(report.repaired[0].kind, FindingKind::NonUnitRotations);
/// assert!(report.lost.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[must_use = "the report lists what is lost"]
pub struct RepairReport {
    /// The problems that were fixed.
    pub repaired: Vec<RepairEntry>,
    /// The problems that could not be fixed.
    pub lost: Vec<RepairEntry>,
}

/// A problem in one body part that was fixed, or could not be.
///
/// ```
/// use holotape::check::{RepairOptions, repair};
/// use holotape::{Marker, Recording};
///
/// let mut recording = Recording::default();
/// recording.markers = [2.0, 1.0].map(|time| Marker { time, name: "m".to_owned() }).into_iter().collect();
/// let report = repair(&mut recording, &RepairOptions::new());
/// assert_eq!(report.repaired[0].to_string(), "markers: sorted; 1 marker out of order [unsorted-markers]");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairEntry {
    /// The kind of problem.
    pub kind: FindingKind,
    /// What the entry is about.
    pub subject: Subject,
    /// The number of keys, curves or markers, as the message says.
    pub count: usize,
    /// The first and the last time of an occurrence, in seconds; `None` if it has no time.
    pub span_secs: Option<[f64; 2]>,
    /// What was done, or what is lost.
    pub message: String,
}

impl RepairReport {
    pub(super) fn new(repaired: FindingAggregator, lost: FindingAggregator) -> Self {
        let entries = |findings: FindingAggregator, message: fn(&AggregatedFinding) -> String| {
            findings.finish().map(|aggregate| RepairEntry::from_aggregate(&aggregate, message(&aggregate))).collect()
        };
        Self { repaired: entries(repaired, messages::repair_message), lost: entries(lost, messages::loss_message) }
    }

    /// Whether there was nothing to repair and nothing is lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.repaired.is_empty() && self.lost.is_empty()
    }

    /// Adds the report of a later step, without losses that are already listed.
    pub fn merge(&mut self, later: Self) {
        self.repaired.extend(later.repaired);
        for entry in later.lost {
            let is_same = |other: &RepairEntry| (other.kind, other.subject) == (entry.kind, entry.subject);
            if !self.lost.iter().any(is_same) {
                self.lost.push(entry);
            }
        }
    }
}

impl RepairEntry {
    /// Creates an entry without a time. For readers of other formats.
    ///
    /// ```
    /// use holotape::check::{FindingKind, RepairEntry, Subject};
    ///
    /// let entry = RepairEntry::new(FindingKind::Truncated, Subject::File, 1, "dropped the last frame");
    /// assert_eq!(entry.to_string(), "file: dropped the last frame [truncated]");
    /// ```
    pub fn new(kind: FindingKind, subject: Subject, count: usize, message: impl Into<String>) -> Self {
        Self { kind, subject, count, span_secs: None, message: message.into() }
    }

    pub(super) fn from_aggregate(aggregate: &AggregatedFinding, message: String) -> Self {
        let AggregatedFinding { kind, subject, occurrences } = *aggregate;
        Self { span_secs: occurrences.span_secs, ..Self::new(kind, subject, occurrences.count, message) }
    }
}

impl fmt::Display for RepairEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.subject, self.message, self.kind)
    }
}

/// One line per entry.
impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.repaired.iter().try_for_each(|entry| writeln!(f, "repaired: {entry}"))?;
        self.lost.iter().try_for_each(|entry| writeln!(f, "lost: {entry}"))
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for RepairEntry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, subject, count, span_secs, message } = self;
        super::json::FindingJson::new(*kind, *subject, *count, *span_secs, message).serialize(serializer)
    }
}
