//! A fault that was found, where and when.

use std::fmt;

use super::aggregate::AggregatedFinding;
use super::{FindingKind, Severity, Subject};
use crate::VectorId;

/// A fault that [`check`](super::check()) found in one part of a recording: all of its occurrences there in one.
///
/// Shown, it is a line for people; with the feature `json` it is an object for programs.
///
/// ```
/// use holotape::check::{CheckOptions, FindingKind, check};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// take.camera.as_mut().unwrap().rotation[3].keys.iter_mut().for_each(|(_, w)| *w *= 2.0);
/// let findings = check(&take, &CheckOptions::new());
/// assert_eq!(findings[0].fault, FindingKind::NonUnitRotations);
/// assert_eq!(findings[0].subject.to_string(), "camera");
/// assert_eq!(
///     findings[0].to_string(),
///     "warning: camera: 61 rotations are not of length 1; the worst is off by 0.99 (0.000 s to 1.000 s) \
///      [non-unit-rotations]"
/// );
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// How much it matters here.
    pub severity: Severity,
    /// What it is wrong with.
    pub subject: Subject,
    /// How often: keys, poses or spans, as the message says.
    pub count: usize,
    /// The first and the last time at which it was seen, in seconds; nothing if it is at no time.
    pub span_secs: Option<[f64; 2]>,
    /// The fault in words.
    pub message: String,
}

impl Finding {
    pub(super) fn new(total: &AggregatedFinding, message: String) -> Self {
        let AggregatedFinding { fault, subject, seen } = *total;
        let severity = if is_none_slot(subject) { Severity::Note } else { fault.severity() };
        Self { kind: fault, severity, subject, count: seen.count, span_secs: seen.span_secs, message }
    }

    /// What can be done about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        self.kind.advice()
    }
}

fn is_none_slot(subject: Subject) -> bool {
    match subject {
        Subject::Pose(id) => id.is_none_slot(),
        Subject::Curve(id) => VectorId::from_curve(id).is_some_and(VectorId::is_none_slot),
        _ => false,
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.severity, self.subject, self.message)?;
        match self.span_secs {
            Some([first, last]) if first == last => write!(f, " (at {first:.3} s)")?,
            Some([first, last]) => write!(f, " ({first:.3} s to {last:.3} s)")?,
            None => {}
        }
        write!(f, " [{}]", self.kind)
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = super::json::FindingJson {
            code: self.kind.code(),
            severity: Some(self.severity),
            subject: self.subject.name(),
            joints: self.subject.joint_count(),
            count: self.count,
            first_secs: self.span_secs.map(|[first, _]| first),
            last_secs: self.span_secs.map(|[_, last]| last),
            message: &self.message,
            advice: Some(self.advice()),
        };
        object.serialize(serializer)
    }
}
