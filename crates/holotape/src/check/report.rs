//! What a repair did, and what it could not save.

use std::fmt;

use super::aggregate::{AggregatedFinding, FindingAggregator};
use super::{FindingKind, Subject, messages};

/// What was done to a recording, and what could not be saved. Reports of several steps can be
/// [merged](Self::merge).
///
/// ```
/// use holotape::check::{FindingKind, RepairOptions, repair};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// take.camera.as_mut().unwrap().rotation[3].keys.iter_mut().for_each(|(_, w)| *w *= 2.0);
/// let report = repair(&mut take, &RepairOptions::new());
/// assert_eq!(report.to_string(), "done: camera: brought 61 rotations to length 1 [non-unit-rotations]\n");
/// assert_eq!(report.done[0].fault, FindingKind::NonUnitRotations);
/// assert!(report.lost.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[must_use = "what could not be saved is gone"]
pub struct RepairReport {
    /// What was mended.
    pub repaired: Vec<RepairEntry>,
    /// What could not be.
    pub lost: Vec<RepairEntry>,
}

/// A fault in one part of a recording that was mended, or could not be.
///
/// ```
/// use holotape::check::{RepairOptions, repair};
/// use holotape::{Marker, Recording};
///
/// let mut take = Recording::default();
/// take.markers = [2.0, 1.0].map(|time| Marker { time, name: "m".to_owned() }).into_iter().collect();
/// let report = repair(&mut take, &RepairOptions::new());
/// assert_eq!(report.done[0].to_string(), "markers: sorted; 1 marker came too late [unsorted-markers]");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairEntry {
    /// What was, or is, wrong.
    pub kind: FindingKind,
    /// What it is about.
    pub subject: Subject,
    /// How often: keys, curves or whatever the message says.
    pub count: usize,
    /// The first and the last time of it, in seconds; nothing if it is at no time.
    pub span_secs: Option<[f64; 2]>,
    /// What was done, or what is lost, in words.
    pub message: String,
}

impl RepairReport {
    pub(super) fn new(done: FindingAggregator, lost: FindingAggregator) -> Self {
        Self {
            repaired: done
                .totals()
                .map(|total| RepairEntry::from_aggregate(&total, messages::repair_message(&total)))
                .collect(),
            lost: lost
                .totals()
                .map(|total| RepairEntry::from_aggregate(&total, messages::loss_message(&total)))
                .collect(),
        }
    }

    /// Whether there was nothing to do and nothing is lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.repaired.is_empty() && self.lost.is_empty()
    }

    /// Adds what a later step did and lost. What is lost already is not lost again.
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
    /// An entry at no time in particular.
    pub(crate) fn new(fault: FindingKind, subject: Subject, count: usize, message: impl Into<String>) -> Self {
        Self { kind: fault, subject, count, span_secs: None, message: message.into() }
    }

    pub(super) fn from_aggregate(total: &AggregatedFinding, message: String) -> Self {
        let AggregatedFinding { fault, subject, seen } = *total;
        Self { span_secs: seen.span_secs, ..Self::new(fault, subject, seen.count, message) }
    }
}

impl fmt::Display for RepairEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.subject, self.message, self.kind)
    }
}

/// A line for each entry.
impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.repaired.iter().try_for_each(|entry| writeln!(f, "done: {entry}"))?;
        self.lost.iter().try_for_each(|entry| writeln!(f, "lost: {entry}"))
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for RepairEntry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = super::json::FindingJson {
            code: self.kind.code(),
            severity: None,
            subject: self.subject.name(),
            joints: self.subject.joint_count(),
            count: self.count,
            first_secs: self.span_secs.map(|[first, _]| first),
            last_secs: self.span_secs.map(|[_, last]| last),
            message: &self.message,
            advice: None,
        };
        object.serialize(serializer)
    }
}
