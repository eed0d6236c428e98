//! Recordings of a dataset, which are opened by name when they are requested.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use axum::body::Bytes;
use holotape_convert::OpenOptions;

use super::{Document, Library, OpenRecording, Source, lock};
use crate::api::Origin;
use crate::http_error::HttpError;

/// A dataset's report, and its recordings by name.
///
/// ```
/// use holotape_viewer::{ServedDataset, Viewer, ViewerOptions};
///
/// let recordings = [("p01/reach.bin".to_owned(), "study/p01/reach.bin".into())].into();
/// let page = "<!doctype html><a href='/?recording=p01/reach.bin'>p01/reach.bin</a>".to_owned();
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.set_dataset(ServedDataset { recordings, page, script: "", style: "" });
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServedDataset {
    /// Path of each recording. No other file can be opened by name.
    pub recordings: BTreeMap<String, PathBuf>,
    /// Served at `/report`. A link to `/?recording=NAME` opens a recording.
    pub page: String,
    /// Served at `/report.js`.
    pub script: &'static str,
    /// Served at `/report.css`.
    pub style: &'static str,
}

pub(super) struct DatasetCatalog {
    dataset: ServedDataset,
    /// The page of the dataset, shared by all responses.
    page: Bytes,
    /// Names and ids of open recordings, oldest first.
    open: Mutex<VecDeque<(String, u64)>>,
}

impl Library {
    /// Has no effect after the first call.
    pub(crate) fn set_dataset(&self, mut dataset: ServedDataset) {
        let page = Bytes::from(std::mem::take(&mut dataset.page));
        self.catalog.set(DatasetCatalog { dataset, page, open: Mutex::default() }).ok();
    }

    pub(crate) fn report_page(&self) -> Result<Bytes, HttpError> {
        self.catalog().map(|catalog| catalog.page.clone())
    }

    pub(crate) fn dataset(&self) -> Result<&ServedDataset, HttpError> {
        self.catalog().map(|catalog| &catalog.dataset)
    }

    fn catalog(&self) -> Result<&DatasetCatalog, HttpError> {
        let missing = || HttpError::not_found("no report: start the server with `holotape report DATASET --serve`");
        self.catalog.get().ok_or_else(missing)
    }

    /// A recording of the dataset, if it is already open.
    pub(crate) fn find_by_name(&self, name: &str) -> Option<OpenRecording> {
        self.find_in(&lock(&self.catalog().ok()?.open), name)
    }

    fn find_in(&self, open: &VecDeque<(String, u64)>, name: &str) -> Option<OpenRecording> {
        let (_, id) = open.iter().find(|(open, _)| open == name)?;
        self.find(*id).ok()
    }

    pub(crate) fn read_by_name(&self, name: &str, max_bytes: u64) -> Result<Document, HttpError> {
        let unknown = || HttpError::not_found(format!("unknown recording {name:?}: not in this dataset"));
        let path = self.dataset()?.recordings.get(name).ok_or_else(unknown)?;
        let imported = OpenOptions::new().with_max_recording_bytes(max_bytes).open(path)?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Document::from_import(Source { name: name.to_owned(), origin: Origin::File, folder }, imported)?)
    }

    /// Adds a recording of the dataset, unless another request has added it meanwhile. If there is no room, closes the oldest
    /// ones: pages that show them have loaded all they need.
    pub(crate) fn add_by_name(&self, name: &str, document: Document) -> Result<OpenRecording, HttpError> {
        let mut open = lock(&self.catalog()?.open);
        if let Some(recording) = self.find_in(&open, name) {
            return Ok(recording);
        }
        self.check_size(document.file_bytes())?;
        while !self.has_room(document.file_bytes()) {
            let Some((_, oldest)) = open.pop_front() else { break };
            self.close(oldest).ok();
        }
        let recording = self.add_closable(document)?;
        open.push_back((name.to_owned(), recording.id));
        Ok(recording)
    }
}
