//! Edits, previews and saves of open recordings.

mod markers;
mod preview;
mod save;
mod span;

use std::sync::{Arc, MutexGuard};

use axum::http::StatusCode;
use holotape::edit::trim;
use serde::Deserialize;

pub(crate) use preview::PreviewRequest;
pub(crate) use save::{SaveRequest, is_invisible_char};
pub(crate) use span::SpanSecs;

use crate::http_error::HttpError;
use crate::library::{Document, Library, OpenRecording};

/// Body of `POST /api/recordings/ID/edit`.
#[derive(Debug, Deserialize)]
pub(crate) struct EditRequest {
    /// Fails if the recording has another revision.
    revision: Option<u64>,
    #[serde(flatten)]
    edit: Edit,
}

/// One edit of a recording.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Edit {
    Trim { from: f64, to: f64 },
    AddMarker { time: f64, name: String },
    MoveMarker { index: usize, time: f64 },
    RenameMarker { index: usize, name: String },
    RemoveMarker { index: usize },
    Accept { preview: u64 },
    Undo {},
    Redo {},
}

impl EditRequest {
    /// Leaves the recording unchanged on failure.
    pub(crate) fn apply(self, library: &Library, recording: &OpenRecording) -> Result<(), HttpError> {
        let lock = || lock_at_revision(recording, self.revision);
        match self.edit {
            Edit::Trim { from, to } => trim_to(&mut *lock()?, SpanSecs { from: Some(from), to: Some(to) }),
            Edit::AddMarker { time, name } => lock()?.change_markers(|recording| markers::add(recording, time, name)),
            Edit::MoveMarker { index, time } => {
                lock()?.change_markers(|recording| markers::move_to(recording, index, time))
            }
            Edit::RenameMarker { index, name } => {
                lock()?.change_markers(|recording| markers::rename(recording, index, name))
            }
            Edit::RemoveMarker { index } => lock()?.change_markers(|recording| markers::remove(recording, index)),
            Edit::Accept { preview } => accept_preview(library, recording, self.revision, preview),
            Edit::Undo {} => lock()?.undo(),
            Edit::Redo {} => lock()?.redo(),
        }
    }
}

/// Locks a recording if it still has the revision that the client has seen: marker indices depend on it.
fn lock_at_revision(recording: &OpenRecording, revision: Option<u64>) -> Result<MutexGuard<'_, Document>, HttpError> {
    let document = recording.lock();
    if revision.is_none_or(|revision| revision == document.revision()) {
        return Ok(document);
    }
    let message = "the recording was changed in another window: reload the page";
    Err(HttpError::new(StatusCode::PRECONDITION_FAILED, message))
}

fn trim_to(document: &mut Document, span: SpanSecs) -> Result<(), HttpError> {
    let recording = document.recording();
    let trimmed = trim(&recording, span.bounds(&recording))?;
    document.replace(Arc::new(trimmed))
}

/// Replaces a recording by its preview, and closes the preview.
fn accept_preview(
    library: &Library,
    recording: &OpenRecording,
    revision: Option<u64>,
    preview_id: u64,
) -> Result<(), HttpError> {
    let preview = library.find(preview_id)?;
    // Only one recording may be locked at a time.
    let (base, changed) = {
        let document = preview.lock();
        (document.base(), document.recording())
    };
    let mut document = lock_at_revision(recording, revision)?;
    let base = base.filter(|base| base.recording_id == recording.id);
    let base =
        base.ok_or_else(|| HttpError::unprocessable(format!("{preview_id} is not a preview of this recording")))?;
    if base.version != document.version() {
        let message = "the recording has changed since the preview was made: make another preview";
        return Err(HttpError::new(StatusCode::PRECONDITION_FAILED, message));
    }
    document.replace(changed)?;
    drop(document);
    // Another request may have closed it already.
    library.close(preview_id).ok();
    Ok(())
}
