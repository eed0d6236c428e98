//! The takes that are open, by number.

mod dataset;
mod document;
mod history;
mod snapshot;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::http::StatusCode;

use self::dataset::DatasetCatalog;
pub use dataset::ServedDataset;
pub(crate) use document::{Document, PreviewBase, Source, loss_messages};
pub(crate) use snapshot::Snapshot;

use crate::api::FailureInfo;
use crate::http_error::HttpError;

/// Takes that came later, dropped on the page or tried out: more than that nobody can tell apart.
const MAX_CLOSABLE: usize = 16;

/// All takes. Whoever works on one has it for themselves; the others are not kept waiting.
pub(crate) struct Library {
    shelves: Mutex<LibraryState>,
    most_guest_bytes: u64,
    catalogue: OnceLock<DatasetCatalog>,
}

#[derive(Default)]
struct LibraryState {
    takes: BTreeMap<u64, LibraryEntry>,
    last_id: u64,
    failures: Vec<FailureInfo>,
}

struct LibraryEntry {
    document: Arc<Mutex<Document>>,
    /// How large it was when it came, if it came later; such takes can be closed.
    closable_bytes: Option<u64>,
}

/// A take that is open.
#[derive(Clone)]
pub(crate) struct OpenRecording {
    pub(crate) id: u64,
    document: Arc<Mutex<Document>>,
}

impl OpenRecording {
    /// The take for oneself. Never two at once.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Document> {
        lock(&self.document)
    }

    /// What is told of the take now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.lock().snapshot(self.id)
    }
}

impl Library {
    pub(crate) fn new(most_guest_bytes: u64) -> Self {
        Self { shelves: Mutex::default(), most_guest_bytes, catalogue: OnceLock::new() }
    }

    /// Adds a take that stays.
    pub(crate) fn add(&self, document: Document) -> OpenRecording {
        lock(&self.shelves).add(document, None)
    }

    /// Notes a file that could not be opened.
    pub(crate) fn add_failure(&self, failure: FailureInfo) {
        lock(&self.shelves).failures.push(failure);
    }

    /// Adds a take that can be closed.
    pub(crate) fn add_closable(&self, document: Document) -> Result<OpenRecording, HttpError> {
        let bytes = document.bytes();
        let mut shelves = lock(&self.shelves);
        self.check_room(&shelves, bytes)?;
        Ok(shelves.add(document, Some(bytes)))
    }

    /// Fails where there is no room for one more, before it is there.
    pub(crate) fn check_capacity(&self) -> Result<(), HttpError> {
        self.check_room(&lock(&self.shelves), 0)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.check_room(&lock(&self.shelves), bytes).is_ok()
    }

    fn check_room(&self, shelves: &LibraryState, bytes: u64) -> Result<(), HttpError> {
        let sizes = shelves.takes.values().filter_map(|shelved| shelved.closable_bytes);
        let (count, sum) = sizes.fold((0, 0_u64), |(count, sum), size| (count + 1, sum.saturating_add(size)));
        let message = if count >= MAX_CLOSABLE {
            format!("{count} recordings are open besides those that holotape was started with")
        } else if sum.saturating_add(bytes) > self.most_guest_bytes {
            format!("the recordings that are open would take more than {} MB", self.most_guest_bytes / 1_000_000)
        } else {
            return Ok(());
        };
        Err(HttpError::new(StatusCode::INSUFFICIENT_STORAGE, message + ": close one first"))
    }

    pub(crate) fn find(&self, id: u64) -> Result<OpenRecording, HttpError> {
        let shelves = lock(&self.shelves);
        let shelved = shelves.takes.get(&id).ok_or_else(not_found)?;
        Ok(OpenRecording { id, document: shelved.document.clone() })
    }

    /// Closes a take that came later. Those that holotape was started with stay.
    pub(crate) fn close(&self, id: u64) -> Result<(), HttpError> {
        let mut shelves = lock(&self.shelves);
        let shelved = shelves.takes.get(&id).ok_or_else(not_found)?;
        if shelved.closable_bytes.is_none() {
            return Err(HttpError::forbidden("a recording that holotape was started with cannot be closed"));
        }
        shelves.takes.remove(&id);
        Ok(())
    }

    /// All takes in the order in which they came, and the files that could not be opened.
    pub(crate) fn all(&self) -> (Vec<OpenRecording>, Vec<FailureInfo>) {
        let shelves = lock(&self.shelves);
        let recording =
            |(id, shelved): (&u64, &LibraryEntry)| OpenRecording { id: *id, document: shelved.document.clone() };
        (shelves.takes.iter().map(recording).collect(), shelves.failures.clone())
    }

    /// The names of takes with changes that are not saved.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let (recordings, _) = self.all();
        recordings.iter().filter_map(|recording| recording.lock().unsaved_name()).collect()
    }
}

impl LibraryState {
    fn add(&mut self, document: Document, guest_bytes: Option<u64>) -> OpenRecording {
        self.last_id += 1;
        let recording = OpenRecording { id: self.last_id, document: Arc::new(Mutex::new(document)) };
        self.takes
            .insert(recording.id, LibraryEntry { document: recording.document.clone(), closable_bytes: guest_bytes });
        recording
    }
}

fn not_found() -> HttpError {
    HttpError::not_found("there is no such recording: it may have been closed, or holotape was started anew")
}

/// Whoever failed while they had it left it whole: changes are made when all that can fail is done.
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
    fn what_is_told_of_a_take_keeps_nobody_from_it() {
        let recording = Library::new(0).add(document("take.bin"));
        let snapshot = recording.snapshot();
        assert!(recording.document.try_lock().is_ok());
        assert_eq!((snapshot.info().id, snapshot.info().name), (1, "take.bin"));
    }

    #[test]
    fn changes_are_unsaved_until_they_are_saved_or_undone() {
        let library = Library::new(0);
        let [_, take] = ["a.bin", "b.bin"].map(|name| library.add(document(name)));
        let mark = |recording: &mut Recording| {
            recording.markers.add(0.0, "here");
            Ok(())
        };
        assert!(library.unsaved().is_empty());
        take.lock().change_markers(mark).expect("a change");
        assert_eq!(library.unsaved(), ["b.bin"]);
        take.lock().undo().expect("something to undo");
        assert!(library.unsaved().is_empty());
        take.lock().redo().expect("something to redo");
        let version = take.lock().version();
        take.lock().mark_saved(version);
        assert!(library.unsaved().is_empty());
    }
}
