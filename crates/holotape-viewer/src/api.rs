//! JSON bodies of the HTTP API that the page uses.
//!
//! `web/src/generated/api.ts` is generated from these types and from the requests in [`crate::edit`]; see `typescript.rs`.

use std::sync::Arc;

use holotape::check::{Finding, Severity, Subject};
use holotape::format::Channels;
use serde::Serialize;

use crate::details::RecordingDetails;

/// Start and end, in seconds of the recording.
pub(crate) type Span = [f64; 2];

/// Response of `GET /api/state`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViewerState {
    /// Version of holotape.
    pub(crate) version: &'static str,
    /// Whether recordings may be edited and saved.
    pub(crate) can_edit: bool,
    /// Whether live takes can be recorded and watched.
    pub(crate) can_record: bool,
    /// Directory in which live takes are saved.
    pub(crate) record_dir: Option<String>,
    /// Maximum size of an uploaded file.
    pub(crate) upload_limit_bytes: u64,
    /// All open recordings.
    pub(crate) recordings: Vec<RecordingInfo>,
    /// Files that could not be opened.
    pub(crate) failures: Vec<FailureInfo>,
}

impl Default for ViewerState {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            can_edit: false,
            can_record: false,
            record_dir: None,
            upload_limit_bytes: 0,
            recordings: Vec::new(),
            failures: Vec::new(),
        }
    }
}

/// A file that could not be opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FailureInfo {
    /// File name without the directory.
    pub(crate) name: String,
    pub(crate) message: String,
}

/// An open recording.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RecordingInfo {
    pub(crate) id: u64,
    /// Increases with every change.
    pub(crate) revision: u64,
    /// Identifies the curves: stays the same if only markers change, and returns to its earlier value on undo.
    pub(crate) curves_revision: u64,
    /// File name without the directory.
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// ID of the recording that this preview would replace.
    pub(crate) preview_of: Option<u64>,
    /// Data of the imported file that a recording cannot represent.
    pub(crate) losses: Vec<String>,
    /// Whether there are unsaved changes.
    pub(crate) modified: bool,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    #[serde(flatten)]
    pub(crate) details: Arc<RecordingDetails>,
}

impl RecordingInfo {
    /// An unmodified recording.
    pub(crate) fn new(id: u64, name: &str, origin: Origin, details: Arc<RecordingDetails>) -> Self {
        Self {
            id,
            revision: 0,
            curves_revision: 0,
            name: name.to_owned(),
            origin,
            preview_of: None,
            losses: Vec::new(),
            modified: false,
            can_undo: false,
            can_redo: false,
            details,
        }
    }
}

/// Source of an open recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    File,
    Recorded,
    Upload,
    Preview,
    Demo,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MarkerInfo {
    pub(crate) time: f32,
    pub(crate) name: String,
}

/// Channels that a recording contains.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChannelFlags {
    camera: bool,
    hands: bool,
    gaze: bool,
}

impl From<Channels> for ChannelFlags {
    fn from(Channels { camera, hands, gaze }: Channels) -> Self {
        Self { camera, hands, gaze }
    }
}

/// Spans in which the flags of a hand are set, and figures about all of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HandInfo {
    /// Empty if there are too many to draw.
    pub(crate) tracked: Vec<Span>,
    /// Empty if there are too many to draw.
    pub(crate) pinching: Vec<Span>,
    pub(crate) tracked_secs: f64,
    /// How often tracking ended before the recording did.
    pub(crate) tracking_loss_count: usize,
    pub(crate) pinch_count: usize,
}

/// A problem that `holotape check` reports.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FindingInfo {
    code: &'static str,
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["error", "warning", "note"])))]
    severity: Severity,
    message: String,
    /// Curve, joint or channel that the finding is about: `left.IndexTip.rotation.w`, `left.IndexTip`, `camera`.
    subject: Option<String>,
    /// First and last time at which the problem occurs.
    span_secs: Option<Span>,
    /// What to do about it.
    advice: &'static str,
    repairable: bool,
}

impl From<&Finding> for FindingInfo {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.kind.code(),
            severity: finding.severity,
            message: finding.message.clone(),
            subject: curve_prefix(finding.subject),
            span_secs: finding.span_secs.filter(|span| span.iter().all(|secs| secs.is_finite())),
            advice: finding.advice(),
            repairable: finding.kind.is_repairable(),
        }
    }
}

/// The common prefix of the names of the curves that a finding is about.
fn curve_prefix(subject: Subject) -> Option<String> {
    match subject {
        Subject::Joints { hand, .. } | Subject::Flags(hand) => Some(hand.to_string()),
        Subject::Curve(_) | Subject::Pose(_) | Subject::Gaze => Some(subject.to_string()),
        _ => None,
    }
}

/// Response of `POST /api/recordings/ID/preview`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Preview {
    pub(crate) recording: RecordingInfo,
    /// What the operation changed, one message per line.
    pub(crate) report: Vec<String>,
}

/// Response of `POST /api/recordings/ID/save`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SaveResult {
    pub(crate) path: String,
    /// Data that the file format cannot represent.
    pub(crate) losses: Vec<String>,
}

/// Body of every error response.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ApiError {
    pub(crate) message: String,
}
