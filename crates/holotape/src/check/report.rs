//! What a repair did, and what it could not save.

use std::fmt;

use super::tally::{Tally, Total};
use super::{Fault, Subject, words};

/// What was done to a recording, and what could not be saved. Reports of several steps can be
/// [merged](Self::merge).
///
/// ```
/// use holotape::check::{Fault, RepairOptions, repair};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// take.camera.as_mut().unwrap().rotation[3].keys.iter_mut().for_each(|(_, w)| *w *= 2.0);
/// let report = repair(&mut take, &RepairOptions::new());
/// assert_eq!(report.to_string(), "done: camera: brought 61 rotations to length 1 [non-unit-rotations]\n");
/// assert_eq!(report.done[0].fault, Fault::NonUnitRotations);
/// assert!(report.lost.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[must_use = "what could not be saved is gone"]
pub struct RepairReport {
    /// What was mended.
    pub done: Vec<Entry>,
    /// What could not be.
    pub lost: Vec<Entry>,
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
pub struct Entry {
    /// What was, or is, wrong.
    pub fault: Fault,
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
    pub(super) fn new(done: Tally, lost: Tally) -> Self {
        Self {
            done: done.totals().map(|total| Entry::of(&total, words::of_repair(&total))).collect(),
            lost: lost.totals().map(|total| Entry::of(&total, words::of_loss(&total))).collect(),
        }
    }

    /// Whether there was nothing to do and nothing is lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.done.is_empty() && self.lost.is_empty()
    }

    /// Adds what a later step did and lost. What is lost already is not lost again.
    pub fn merge(&mut self, later: Self) {
        self.done.extend(later.done);
        for entry in later.lost {
            let is_same = |other: &Entry| (other.fault, other.subject) == (entry.fault, entry.subject);
            if !self.lost.iter().any(is_same) {
                self.lost.push(entry);
            }
        }
    }
}

impl Entry {
    /// An entry at no time in particular.
    pub(crate) fn new(fault: Fault, subject: Subject, count: usize, message: impl Into<String>) -> Self {
        Self { fault, subject, count, span_secs: None, message: message.into() }
    }

    pub(super) fn of(total: &Total, message: String) -> Self {
        let Total { fault, subject, seen } = *total;
        Self { span_secs: seen.span_secs, ..Self::new(fault, subject, seen.count, message) }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.subject, self.message, self.fault)
    }
}

/// A line for each entry.
impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.done.iter().try_for_each(|entry| writeln!(f, "done: {entry}"))?;
        self.lost.iter().try_for_each(|entry| writeln!(f, "lost: {entry}"))
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = super::json::Object {
            code: self.fault.code(),
            severity: None,
            place: self.subject.name(),
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
