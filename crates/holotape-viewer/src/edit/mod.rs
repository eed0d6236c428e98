//! What can be done to takes that may be changed.

mod markers;
mod preview;
mod save;
mod span;

use std::sync::{Arc, MutexGuard};

use axum::http::StatusCode;
use holotape::edit::trim;
use serde::Deserialize;

pub(crate) use preview::PreviewRequest;
pub(crate) use save::{SaveRequest, is_invisible_char, is_reserved_name};
pub(crate) use span::SpanSecs;

use crate::http_error::HttpError;
use crate::library::{Document, Library, OpenRecording};

/// One change, and the revision of the take that whoever asks for it has seen.
#[derive(Debug, Deserialize)]
pub(crate) struct EditRequest {
    /// Changes any revision, if it is not given.
    revision: Option<u64>,
    #[serde(flatten)]
    edit: Edit,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", deny_unknown_fields)]
enum Edit {
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
    /// Changes a take, or fails and changes nothing.
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

/// The take for oneself, if it is still what whoever asks has seen: a marker is named by its place among the others.
fn lock_at_revision(recording: &OpenRecording, revision: Option<u64>) -> Result<MutexGuard<'_, Document>, HttpError> {
    let document = recording.lock();
    if revision.is_none_or(|revision| revision == document.revision()) {
        return Ok(document);
    }
    let message = "this take was changed in another window: reload";
    Err(HttpError::new(StatusCode::PRECONDITION_FAILED, message))
}

fn trim_to(document: &mut Document, span: SpanSecs) -> Result<(), HttpError> {
    let recording = document.recording();
    let part = trim(&recording, span.bounds(&recording))?;
    document.replace(Arc::new(part))
}

/// Puts a preview in the place of the take that it was made of.
fn accept_preview(
    library: &Library,
    take: &OpenRecording,
    revision: Option<u64>,
    preview: u64,
) -> Result<(), HttpError> {
    let guest = library.find(preview)?;
    // Both at once are never needed.
    let (base, recording) = {
        let document = guest.lock();
        (document.base(), document.recording())
    };
    let mut document = lock_at_revision(take, revision)?;
    let base = base.filter(|base| base.take == take.id);
    let base = base.ok_or_else(|| HttpError::unprocessable("that is no preview of this recording"))?;
    if base.version != document.version() {
        let message = "the recording has changed since the preview was made, which would undo that: make another";
        return Err(HttpError::new(StatusCode::PRECONDITION_FAILED, message));
    }
    document.replace(recording)?;
    drop(document);
    // Somebody may have closed it meanwhile, which changes nothing: the take has it already.
    library.close(preview).ok();
    Ok(())
}
