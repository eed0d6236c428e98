//! What can be done to takes that may be changed.

mod markers;
mod preview;
mod save;
mod span;

use std::sync::Arc;

use axum::http::StatusCode;
use holotape::edit::trim;
use serde::Deserialize;

pub(crate) use preview::PreviewRequest;
pub(crate) use save::SaveRequest;
pub(crate) use span::SpanSecs;

use crate::library::{Document, Library, Take};
use crate::refusal::Refusal;

/// One change.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub(crate) enum Edit {
    Trim(SpanSecs),
    AddMarker { time: f64, name: String },
    MoveMarker { index: usize, time: f64 },
    RenameMarker { index: usize, name: String },
    RemoveMarker { index: usize },
    Accept { preview: u64 },
    Undo,
    Redo,
}

impl Edit {
    /// Changes a take, or fails and changes nothing.
    pub(crate) fn apply(self, library: &Library, take: &Take) -> Result<(), Refusal> {
        match self {
            Self::Trim(span) => trim_to(&mut take.lock(), span),
            Self::AddMarker { time, name } => take.lock().change_markers(|take| markers::add(take, time, name)),
            Self::MoveMarker { index, time } => take.lock().change_markers(|take| markers::move_to(take, index, time)),
            Self::RenameMarker { index, name } => take.lock().change_markers(|take| markers::rename(take, index, name)),
            Self::RemoveMarker { index } => take.lock().change_markers(|take| markers::remove(take, index)),
            Self::Accept { preview } => accept(library, take, preview),
            Self::Undo => take.lock().undo(),
            Self::Redo => take.lock().redo(),
        }
    }
}

fn trim_to(document: &mut Document, span: SpanSecs) -> Result<(), Refusal> {
    let recording = document.recording();
    let part = trim(&recording, span.bounds(&recording))?;
    document.replace(Arc::new(part))
}

/// Puts a preview in the place of the take that it was made of.
fn accept(library: &Library, take: &Take, preview: u64) -> Result<(), Refusal> {
    let guest = library.find(preview)?;
    // Both at once are never needed.
    let (base, recording) = {
        let document = guest.lock();
        (document.base(), document.recording())
    };
    let mut document = take.lock();
    let base = base.filter(|base| base.take == take.id);
    let base = base.ok_or_else(|| Refusal::impossible("that is no preview of this recording"))?;
    if base.version != document.version() {
        let words = "the recording has changed since the preview was made, which would undo that: make another";
        return Err(Refusal::new(StatusCode::PRECONDITION_FAILED, words));
    }
    document.replace(recording)?;
    drop(document);
    library.close(preview)
}
