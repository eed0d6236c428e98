//! The open recordings, by id.

mod dataset;
mod document;
mod history;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::http::StatusCode;

use self::dataset::DatasetCatalog;
pub use dataset::ServedDataset;
pub(crate) use document::{Document, PreviewBase, Source, loss_messages};

use crate::api::{FailureInfo, RecordingInfo};
use crate::http_error::HttpError;

/// Maximum number of uploads, previews, saved takes and dataset recordings that are open at once.
const MAX_CLOSABLE: usize = 16;

/// All open recordings. Each has its own lock, so that work on one does not block the others.
pub(crate) struct Library {
    state: Mutex<LibraryState>,
    max_closable_bytes: u64,
    catalog: OnceLock<DatasetCatalog>,
}

#[derive(Default)]
struct LibraryState {
    entries: BTreeMap<u64, LibraryEntry>,
    last_id: u64,
    failures: Vec<FailureInfo>,
}

struct LibraryEntry {
    document: Arc<Mutex<Document>>,
    /// Size when it was added; `None` for recordings from the command line, which cannot be closed.
    closable_bytes: Option<u64>,
}

#[derive(Clone)]
pub(crate) struct OpenRecording {
    pub(crate) id: u64,
    document: Arc<Mutex<Document>>,
}

impl OpenRecording {
    /// Lock at most one recording at a time.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Document> {
        lock(&self.document)
    }

    pub(crate) fn info(&self) -> RecordingInfo {
        self.lock().info(self.id)
    }
}

impl Library {
    pub(crate) fn new(max_closable_bytes: u64) -> Self {
        Self { state: Mutex::default(), max_closable_bytes, catalog: OnceLock::new() }
    }

    /// Adds a recording that cannot be closed.
    pub(crate) fn add(&self, document: Document) -> OpenRecording {
        lock(&self.state).add(document, None)
    }

    pub(crate) fn add_failure(&self, failure: FailureInfo) {
        lock(&self.state).failures.push(failure);
    }

    pub(crate) fn add_closable(&self, document: Document) -> Result<OpenRecording, HttpError> {
        let bytes = document.file_bytes();
        let mut state = lock(&self.state);
        self.check_room(&state, bytes)?;
        Ok(state.add(document, Some(bytes)))
    }

    /// Fails if no further recording can be opened, so that callers need not read one in vain.
    pub(crate) fn check_capacity(&self) -> Result<(), HttpError> {
        self.check_room(&lock(&self.state), 0)
    }

    /// Fails if a recording does not fit even without the others.
    fn check_size(&self, bytes: u64) -> Result<(), HttpError> {
        self.check_room(&LibraryState::default(), bytes)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.check_room(&lock(&self.state), bytes).is_ok()
    }

    fn check_room(&self, state: &LibraryState, bytes: u64) -> Result<(), HttpError> {
        let sizes = state.entries.values().filter_map(|entry| entry.closable_bytes);
        let (count, sum) = sizes.fold((0, 0_u64), |(count, sum), size| (count + 1, sum.saturating_add(size)));
        let message = if count >= MAX_CLOSABLE {
            format!("too many open recordings: {count} besides those from the command line")
        } else if sum.saturating_add(bytes) > self.max_closable_bytes {
            format!("open recordings would exceed {} MB", self.max_closable_bytes / 1_000_000)
        } else {
            return Ok(());
        };
        Err(HttpError::new(StatusCode::INSUFFICIENT_STORAGE, message + "; close one first"))
    }

    pub(crate) fn find(&self, id: u64) -> Result<OpenRecording, HttpError> {
        let state = lock(&self.state);
        let entry = state.entries.get(&id).ok_or_else(not_found)?;
        Ok(OpenRecording { id, document: entry.document.clone() })
    }

    pub(crate) fn close(&self, id: u64) -> Result<(), HttpError> {
        let mut state = lock(&self.state);
        let entry = state.entries.get(&id).ok_or_else(not_found)?;
        if entry.closable_bytes.is_none() {
            return Err(HttpError::forbidden("recordings from the command line cannot be closed"));
        }
        state.entries.remove(&id);
        Ok(())
    }

    /// All recordings in the order in which they were added, and the files that could not be opened.
    pub(crate) fn all(&self) -> (Vec<OpenRecording>, Vec<FailureInfo>) {
        let state = lock(&self.state);
        let entries = state.entries.iter();
        let recordings = entries.map(|(&id, entry)| OpenRecording { id, document: entry.document.clone() });
        (recordings.collect(), state.failures.clone())
    }

    /// Names of recordings with unsaved changes.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let (recordings, _) = self.all();
        let documents = recordings.iter().map(OpenRecording::lock);
        documents.filter(|document| document.is_modified()).map(|document| document.name().to_owned()).collect()
    }
}

impl LibraryState {
    fn add(&mut self, document: Document, closable_bytes: Option<u64>) -> OpenRecording {
        self.last_id += 1;
        let document = Arc::new(Mutex::new(document));
        self.entries.insert(self.last_id, LibraryEntry { document: document.clone(), closable_bytes });
        OpenRecording { id: self.last_id, document }
    }
}

fn not_found() -> HttpError {
    HttpError::not_found("unknown recording: it was closed, or the server was restarted")
}

/// Ignores poisoning: changes are applied only after everything that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use holotape::Recording;

    use super::*;
    use crate::api::Origin;

    fn document(name: &str) -> Document {
        let source = Source { name: name.to_owned(), origin: Origin::File, folder: PathBuf::new() };
        Document::new(source, Recording::default()).expect("a document")
    }

    #[test]
    fn info_does_not_keep_the_recording_locked() {
        let recording = Library::new(0).add(document("take.bin"));
        let info = recording.info();
        assert!(recording.document.try_lock().is_ok());
        assert_eq!((info.id, &*info.name), (1, "take.bin"));
    }

    #[test]
    fn changes_are_unsaved_until_saved_or_undone() {
        let library = Library::new(0);
        let [_, recording] = ["a.bin", "b.bin"].map(|name| library.add(document(name)));
        let mark = |recording: &mut Recording| {
            recording.markers.add(0.0, "here");
            Ok(())
        };
        assert!(library.unsaved().is_empty());
        recording.lock().change_markers(mark).expect("a change");
        assert_eq!(library.unsaved(), ["b.bin"]);
        recording.lock().undo().expect("something to undo");
        assert!(library.unsaved().is_empty());
        recording.lock().redo().expect("something to redo");
        let version = recording.lock().version();
        recording.lock().mark_saved(version);
        assert!(library.unsaved().is_empty());
    }
}
