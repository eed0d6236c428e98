//! [`Finding`]: one problem of a recording.

use std::fmt;

use super::aggregate::AggregatedFinding;
use super::{FindingKind, Severity, Subject};
use crate::VectorId;

/// A problem that [`check`](super::check()) found in one body part, with all of its occurrences there.
///
/// It displays as one line of text. With the feature `json` it serializes as an object.
///
/// ```
/// use holotape::check::{CheckOptions, FindingKind, check};
///
/// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// recording.camera.as_mut().unwrap().rotation[3].keys.iter_mut().for_each(|(_, w)| *w *= 2.0);
/// let findings = check(&recording, &CheckOptions::new());
/// assert_eq!(findings[0].kind, FindingKind::NonUnitRotations);
/// assert_eq!(findings[0].subject.to_string(), "camera");
/// assert_eq!(
///     findings[0].to_string(),
///     "warning: camera: 61 rotations do not have length 1; max. deviation 0.99 (0.000 s to 1.000 s) \
///      [non-unit-rotations]"
/// );
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of problem.
    pub kind: FindingKind,
    /// The severity for this subject.
    pub severity: Severity,
    /// What the finding is about.
    pub subject: Subject,
    /// The number of keys, poses or spans, as the message says.
    pub count: usize,
    /// The first and the last time of an occurrence, in seconds; `None` if it has no time.
    pub span_secs: Option<[f64; 2]>,
    /// A description.
    pub message: String,
}

impl Finding {
    pub(super) fn new(aggregate: &AggregatedFinding, message: String) -> Self {
        let AggregatedFinding { kind, subject, occurrences } = *aggregate;
        let severity = if is_none_slot(subject) { Severity::Note } else { kind.severity() };
        Self { kind, severity, subject, count: occurrences.count, span_secs: occurrences.span_secs, message }
    }

    /// What the user can do about it.
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
            Some([start, end]) if start == end => write!(f, " (at {start:.3} s)")?,
            Some([start, end]) => write!(f, " ({start:.3} s to {end:.3} s)")?,
            None => {}
        }
        write!(f, " [{}]", self.kind)
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, severity, subject, count, span_secs, message } = self;
        let mut object = super::json::FindingJson::new(*kind, *subject, *count, *span_secs, message);
        (object.severity, object.advice) = (Some(*severity), Some(self.advice()));
        object.serialize(serializer)
    }
}
