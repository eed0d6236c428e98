//! The JSON form of findings and repair entries.

use serde::Serialize;

use super::{FindingKind, Severity, Subject};

/// A finding or repair entry in JSON. Optional fields are omitted if they are `None`.
#[derive(Debug, Serialize)]
pub(super) struct FindingJson<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) severity: Option<Severity>,
    subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_count: Option<usize>,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_secs: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_secs: Option<f64>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<&'static str>,
}

impl<'a> FindingJson<'a> {
    /// Without severity and advice, as repair entries have it.
    pub(super) fn new(
        kind: FindingKind,
        subject: Subject,
        count: usize,
        span_secs: Option<[f64; 2]>,
        message: &'a str,
    ) -> Self {
        Self {
            code: kind.code(),
            severity: None,
            subject: subject.name(),
            joint_count: subject.joint_count(),
            count,
            start_secs: span_secs.map(|[start, _]| start),
            end_secs: span_secs.map(|[_, end]| end),
            message,
            advice: None,
        }
    }
}
