//! One take: a recording, what became of it, and the way back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::StatusCode;
use holotape::Recording;
use holotape_convert::{ImportedRecording, Losses};

use super::history::{DocumentState, History, MarkerState, UndoChange, UndoStep};
use super::snapshot::Snapshot;
use crate::api::{Origin, RecordingDetails, without_curves};
use crate::curve_pack;
use crate::http_error::HttpError;

/// Where a take came from.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Where it is saved.
    pub(crate) folder: PathBuf,
}

/// What a preview was made of: a take, and the version that it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PreviewBase {
    pub(crate) take: u64,
    pub(crate) version: u64,
}

pub(crate) struct Document {
    source: Arc<Source>,
    losses: Vec<String>,
    base: Option<PreviewBase>,
    now: DocumentState,
    history: History,
    /// How many versions there were.
    versions: u64,
    /// How many changes there were, there and back.
    revision: u64,
    saved_version: u64,
    zipped: Option<GzippedCurves>,
}

struct GzippedCurves {
    tape: u64,
    bytes: Bytes,
}

impl Document {
    /// What was read from a file.
    pub(crate) fn opened(source: Source, opened: ImportedRecording) -> holotape::Result<Self> {
        Ok(Self { losses: loss_messages(&opened.losses), ..Self::new(source, opened.recording)? })
    }

    pub(crate) fn new(source: Source, recording: Recording) -> holotape::Result<Self> {
        let contents = Arc::new(RecordingDetails::of(&recording)?);
        Ok(Self {
            source: Arc::new(source),
            losses: Vec::new(),
            base: None,
            now: DocumentState { recording: Arc::new(recording), contents, number: 0, tape: 0 },
            history: History::default(),
            versions: 1,
            revision: 0,
            saved_version: 0,
            zipped: None,
        })
    }

    /// The same as what another take would become.
    pub(crate) fn with_base(self, base: PreviewBase) -> Self {
        Self { base: Some(base), ..self }
    }

    pub(crate) fn snapshot(&self, id: u64) -> Snapshot {
        Snapshot {
            id,
            source: self.source.clone(),
            contents: self.now.contents.clone(),
            losses: self.losses.clone(),
            preview_of: self.base.map(|base| base.take),
            revision: self.revision,
            tape: self.now.tape,
            modified: self.is_modified(),
            can_undo: self.history.can_undo(),
            can_redo: self.history.can_redo(),
        }
    }

    fn is_modified(&self) -> bool {
        self.now.number != self.saved_version
    }

    /// What it is called, if it has changes that are not saved.
    pub(crate) fn unsaved_name(&self) -> Option<String> {
        self.is_modified().then(|| self.source.name.clone())
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether this is the file that the take was read from.
    pub(crate) fn is_from_file(&self, name: &str) -> bool {
        matches!(self.source.origin, Origin::File | Origin::Recorded) && self.source.name == name
    }

    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.source.folder
    }

    /// What a preview was made of; nothing for all others.
    pub(crate) fn base(&self) -> Option<PreviewBase> {
        self.base
    }

    pub(crate) fn version(&self) -> u64 {
        self.now.number
    }

    pub(crate) fn recording(&self) -> Arc<Recording> {
        self.now.recording.clone()
    }

    /// How large the recording is.
    pub(crate) fn bytes(&self) -> u64 {
        self.now.contents.bytes
    }

    /// The tape, zipped: of these curves, if somebody has certain ones in mind.
    pub(crate) fn curve_pack(&mut self, wanted: Option<u64>) -> Result<Bytes, HttpError> {
        let DocumentState { recording, tape, .. } = &self.now;
        if wanted.is_some_and(|wanted| wanted != *tape) {
            return Err(HttpError::new(StatusCode::GONE, "the recording has changed since: load the page again"));
        }
        match &self.zipped {
            Some(zipped) if zipped.tape == *tape => Ok(zipped.bytes.clone()),
            _ => {
                let bytes = Bytes::from(curve_pack::gzipped(recording)?);
                self.zipped = Some(GzippedCurves { tape: *tape, bytes: bytes.clone() });
                Ok(bytes)
            }
        }
    }

    /// Changes markers, and the format where that takes another, in a recording that has nothing else. If that fails, nothing
    /// has changed.
    pub(crate) fn change_markers(
        &mut self,
        change: impl FnOnce(&mut Recording) -> Result<(), HttpError>,
    ) -> Result<(), HttpError> {
        let mut marked = without_curves(&self.now.recording);
        change(&mut marked)?;
        let contents = self.now.contents.with_markers_of(&marked)?;
        let before = MarkerState::of(marked).swap_into(Arc::make_mut(&mut self.now.recording));
        self.advance(UndoChange::Markers(before), contents, self.now.tape);
        Ok(())
    }

    /// Puts another recording in the place of this one.
    pub(crate) fn replace(&mut self, recording: Arc<Recording>) -> Result<(), HttpError> {
        let contents = RecordingDetails::of(&recording)?;
        let before = std::mem::replace(&mut self.now.recording, recording);
        self.advance(UndoChange::All(before), contents, self.versions);
        Ok(())
    }

    /// The recording is another already: notes what it is now, and how to go back.
    fn advance(&mut self, change: UndoChange, contents: RecordingDetails, tape: u64) {
        let now = &mut self.now;
        let contents = std::mem::replace(&mut now.contents, Arc::new(contents));
        self.history.push(UndoStep { change, contents, number: now.number, tape: now.tape });
        (now.number, now.tape) = (self.versions, tape);
        self.versions += 1;
        self.revision += 1;
    }

    pub(crate) fn undo(&mut self) -> Result<(), HttpError> {
        if !self.history.undo(&mut self.now) {
            return Err(HttpError::unprocessable("there is nothing to undo"));
        }
        self.revision += 1;
        Ok(())
    }

    pub(crate) fn redo(&mut self) -> Result<(), HttpError> {
        if !self.history.redo(&mut self.now) {
            return Err(HttpError::unprocessable("there is nothing to redo"));
        }
        self.revision += 1;
        Ok(())
    }

    /// Notes that a version has been saved.
    pub(crate) fn mark_saved(&mut self, version: u64) {
        self.saved_version = version;
    }
}

/// Losses as the page is told of them.
pub(crate) fn loss_messages(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn document() -> Document {
        let source = Source { name: "take.bin".to_owned(), origin: Origin::File, folder: PathBuf::new() };
        Document::new(source, Recording::default()).expect("a document")
    }

    #[test]
    fn a_change_that_fails_leaves_nothing_behind() {
        let mut document = document();
        let refusal = document.change_markers(|recording| {
            recording.markers.add(1.0, "half done");
            recording.format.marker_list = false;
            Err(HttpError::unprocessable("no"))
        });
        assert_eq!(refusal, Err(HttpError::unprocessable("no")));
        assert_eq!(*document.recording(), Recording::default());
        assert_eq!((document.version(), document.snapshot(1).can_undo), (0, false));
    }

    #[test]
    fn a_change_that_panics_leaves_nothing_behind() {
        let mut document = document();
        let change = |recording: &mut Recording| {
            recording.markers.add(1.0, "half done");
            panic!("a change that nobody tested");
        };
        let caught = catch_unwind(AssertUnwindSafe(|| document.change_markers(change)));
        assert!(caught.is_err());
        assert_eq!(*document.recording(), Recording::default());
    }

    #[test]
    fn whoever_reads_keeps_what_they_read() {
        let mut document = document();
        let read = document.recording();
        let add = |recording: &mut Recording| {
            recording.markers.add(1.0, "new");
            Ok(())
        };
        assert_eq!(document.change_markers(add), Ok(()));
        assert_eq!((read.markers.len(), document.recording().markers.len()), (0, 1));
    }
}
