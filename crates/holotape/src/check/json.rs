//! Findings and entries as JSON.

use serde::Serialize;

use super::Severity;

/// What a finding or an entry of a report is for programs. Absent is what there is none of.
#[derive(Debug, Serialize)]
pub(super) struct FindingJson<'a> {
    pub(super) code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) severity: Option<Severity>,
    pub(super) subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) joints: Option<usize>,
    pub(super) count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_secs: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_secs: Option<f64>,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<&'static str>,
}
