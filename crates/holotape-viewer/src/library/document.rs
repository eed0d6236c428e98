//! One open recording with its undo history.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::StatusCode;
use holotape::Recording;
use holotape_convert::{ImportedRecording, Losses};

use super::history::{DocumentState, History, MarkerState, UndoChange, UndoStep, Version};
use crate::api::{Origin, RecordingInfo};
use crate::curve_pack::{self, KeySelection};
use crate::details::{RecordingDetails, without_curves};
use crate::http_error::HttpError;

pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Directory in which the recording is saved.
    pub(crate) folder: PathBuf,
}

/// The recording and version that a preview was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PreviewBase {
    pub(crate) recording_id: u64,
    pub(crate) version: u64,
}

pub(crate) struct Document {
    source: Source,
    losses: Vec<String>,
    base: Option<PreviewBase>,
    state: DocumentState,
    history: History,
    version_count: u64,
    /// Number of changes, including undo and redo.
    revision: u64,
    saved_version: u64,
    packs: CurvePacks,
}

/// The gzipped curve packs of one version of the curves, which are made on demand.
#[derive(Clone, Default)]
struct CurvePacks {
    curves_revision: u64,
    all_keys: CachedPack,
    overview: CachedPack,
}

/// Locked while the pack is made, so that concurrent requests do not make it twice.
type CachedPack = Arc<Mutex<Option<Bytes>>>;

/// The curves of a document at one time. Work on them does not lock the document.
pub(crate) struct CurvesSnapshot {
    recording: Arc<Recording>,
    packs: CurvePacks,
}

impl CurvesSnapshot {
    pub(crate) fn pack(&self, keys: KeySelection) -> Result<Bytes, HttpError> {
        let pack = match keys {
            KeySelection::All => &self.packs.all_keys,
            KeySelection::Overview => &self.packs.overview,
        };
        let mut pack = pack.lock().unwrap_or_else(PoisonError::into_inner);
        match &*pack {
            Some(bytes) => Ok(bytes.clone()),
            None => Ok(pack.insert(Bytes::from(curve_pack::gzipped_keys(&self.recording, keys)?)).clone()),
        }
    }
}

impl Document {
    pub(crate) fn from_import(source: Source, imported: ImportedRecording) -> holotape::Result<Self> {
        Ok(Self { losses: loss_messages(&imported.losses), ..Self::new(source, imported.recording)? })
    }

    pub(crate) fn new(source: Source, recording: Recording) -> holotape::Result<Self> {
        let details = Arc::new(RecordingDetails::new(&recording)?);
        let version = Version { number: 0, curves_revision: 0, details };
        Ok(Self {
            source,
            losses: Vec::new(),
            base: None,
            state: DocumentState { recording: Arc::new(recording), version },
            history: History::default(),
            version_count: 1,
            revision: 0,
            saved_version: 0,
            packs: CurvePacks::default(),
        })
    }

    /// Marks the document as a preview.
    pub(crate) fn with_base(self, base: PreviewBase) -> Self {
        Self { base: Some(base), ..self }
    }

    pub(crate) fn info(&self, id: u64) -> RecordingInfo {
        let Version { curves_revision, details, .. } = &self.state.version;
        RecordingInfo {
            revision: self.revision,
            curves_revision: *curves_revision,
            preview_of: self.base.map(|base| base.recording_id),
            losses: self.losses.clone(),
            modified: self.is_modified(),
            can_undo: self.history.can_undo(),
            can_redo: self.history.can_redo(),
            ..RecordingInfo::new(id, &self.source.name, self.source.origin, details.clone())
        }
    }

    pub(crate) fn is_modified(&self) -> bool {
        self.version() != self.saved_version
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether the recording was read from the file of this name.
    pub(crate) fn is_from_file(&self, name: &str) -> bool {
        matches!(self.source.origin, Origin::File | Origin::Recorded) && self.source.name == name
    }

    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.source.folder
    }

    /// `None` unless this is a preview.
    pub(crate) fn base(&self) -> Option<PreviewBase> {
        self.base
    }

    pub(crate) fn version(&self) -> u64 {
        self.state.version.number
    }

    pub(crate) fn recording(&self) -> Arc<Recording> {
        self.state.recording.clone()
    }

    pub(crate) fn file_bytes(&self) -> u64 {
        self.state.version.details.file_bytes
    }

    /// Fails if the curves are not of `revision`.
    pub(crate) fn curves(&mut self, revision: Option<u64>) -> Result<CurvesSnapshot, HttpError> {
        let current = self.state.version.curves_revision;
        if revision.is_some_and(|revision| revision != current) {
            return Err(HttpError::new(StatusCode::GONE, "the recording has changed: reload the page"));
        }
        if self.packs.curves_revision != current {
            self.packs = CurvePacks { curves_revision: current, ..CurvePacks::default() };
        }
        Ok(CurvesSnapshot { recording: self.recording(), packs: self.packs.clone() })
    }

    /// Changes markers, and the format if necessary. `change` gets a recording without curves. If it fails, the document
    /// stays unchanged.
    pub(crate) fn change_markers(
        &mut self,
        change: impl FnOnce(&mut Recording) -> Result<(), HttpError>,
    ) -> Result<(), HttpError> {
        let mut marked = without_curves(&self.state.recording);
        change(&mut marked)?;
        let details = self.state.version.details.with_markers_of(&marked)?;
        let before = MarkerState::from(marked).swap_into(Arc::make_mut(&mut self.state.recording));
        self.advance(UndoChange::Markers(before), details, self.state.version.curves_revision);
        Ok(())
    }

    pub(crate) fn replace(&mut self, recording: Arc<Recording>) -> Result<(), HttpError> {
        let details = RecordingDetails::new(&recording)?;
        let before = mem::replace(&mut self.state.recording, recording);
        self.advance(UndoChange::All(before), details, self.version_count);
        Ok(())
    }

    /// Registers a change that has been applied to the recording.
    fn advance(&mut self, change: UndoChange, details: RecordingDetails, curves_revision: u64) {
        let version = Version { number: self.version_count, curves_revision, details: Arc::new(details) };
        let version = mem::replace(&mut self.state.version, version);
        self.history.push(UndoStep { change, version });
        self.version_count += 1;
        self.revision += 1;
    }

    pub(crate) fn undo(&mut self) -> Result<(), HttpError> {
        if !self.history.undo(&mut self.state) {
            return Err(HttpError::unprocessable("nothing to undo"));
        }
        self.revision += 1;
        Ok(())
    }

    pub(crate) fn redo(&mut self) -> Result<(), HttpError> {
        if !self.history.redo(&mut self.state) {
            return Err(HttpError::unprocessable("nothing to redo"));
        }
        self.revision += 1;
        Ok(())
    }

    pub(crate) fn mark_saved(&mut self, version: u64) {
        self.saved_version = version;
    }
}

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
    fn failed_change_leaves_the_document_unchanged() {
        let mut document = document();
        let error = document.change_markers(|recording| {
            recording.markers.add(1.0, "half done");
            recording.format.marker_list = false;
            Err(HttpError::unprocessable("no"))
        });
        assert_eq!(error, Err(HttpError::unprocessable("no")));
        assert_eq!(*document.recording(), Recording::default());
        assert_eq!((document.version(), document.info(1).can_undo), (0, false));
    }

    #[test]
    fn panicking_change_leaves_the_document_unchanged() {
        let mut document = document();
        let change = |recording: &mut Recording| {
            recording.markers.add(1.0, "half done");
            panic!("a bug in a change");
        };
        let caught = catch_unwind(AssertUnwindSafe(|| document.change_markers(change)));
        assert!(caught.is_err());
        assert_eq!(*document.recording(), Recording::default());
    }

    #[test]
    fn readers_keep_the_recording_that_they_read() {
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
