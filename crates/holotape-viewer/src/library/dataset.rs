//! Takes that can be opened by name: those of a corpus, of which there are too many to have them all open.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use holotape_convert::OpenOptions;

use super::{Document, Library, OpenRecording, Source, lock};
use crate::api::Origin;
use crate::http_error::HttpError;

/// Takes by name, and a page about them.
///
/// ```
/// use holotape_viewer::{Corpus, Viewer, ViewerOptions};
///
/// let takes = [("p01/reach.bin".to_owned(), "study/p01/reach.bin".into())].into();
/// let page = "<!doctype html><a href='/?take=p01/reach.bin'>p01/reach.bin</a>".to_owned();
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.set_corpus(Corpus { takes, page, script: "", style: "" });
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServedDataset {
    /// Where the file of each take is. Nothing else can be opened by name.
    pub takes: BTreeMap<String, PathBuf>,
    /// What is at `/report`. A link to `/?take=NAME` shows a take.
    pub page: String,
    /// What is at `/report.js`.
    pub script: &'static str,
    /// What is at `/report.css`.
    pub style: &'static str,
}

/// A corpus, and which of its takes are open, those that were opened first in front.
pub(super) struct DatasetCatalog {
    corpus: ServedDataset,
    open: Mutex<VecDeque<(String, u64)>>,
}

impl From<ServedDataset> for DatasetCatalog {
    fn from(corpus: ServedDataset) -> Self {
        Self { corpus, open: Mutex::default() }
    }
}

impl Library {
    /// Takes that can be opened by name from now on. Only the first corpus counts.
    pub(crate) fn set_dataset(&self, corpus: ServedDataset) {
        self.catalogue.set(corpus.into()).ok();
    }

    pub(crate) fn corpus(&self) -> Result<&ServedDataset, HttpError> {
        self.catalogue().map(|catalogue| &catalogue.corpus)
    }

    fn catalogue(&self) -> Result<&DatasetCatalog, HttpError> {
        let none = || HttpError::not_found("there is no report: `holotape report DATASET --serve` has one");
        self.catalogue.get().ok_or_else(none)
    }

    /// A take of the corpus that is open already.
    pub(crate) fn find_by_name(&self, name: &str) -> Option<OpenRecording> {
        let open = lock(&self.catalogue().ok()?.open);
        let (_, id) = open.iter().find(|(open, _)| open == name)?;
        self.find(*id).ok()
    }

    /// Reads a take of the corpus, whose name is all that whoever asks may say.
    pub(crate) fn read_by_name(&self, name: &str, most_bytes: u64) -> Result<Document, HttpError> {
        let unknown = || HttpError::not_found(format!("there is no take {name:?} in this dataset"));
        let path = self.corpus()?.takes.get(name).ok_or_else(unknown)?;
        let opened = OpenOptions::new().with_max_recording_bytes(most_bytes).open(path)?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Document::opened(Source { name: name.to_owned(), origin: Origin::File, folder }, opened)?)
    }

    /// Opens a take of the corpus, and closes those that were opened long ago where there would be no room: pages that show them have
    /// all that they need.
    pub(crate) fn add_by_name(&self, name: &str, document: Document) -> Result<OpenRecording, HttpError> {
        let mut open = lock(&self.catalogue()?.open);
        while !self.has_room(document.bytes()) {
            let Some((_, oldest)) = open.pop_front() else { break };
            self.close(oldest).ok();
        }
        let recording = self.add_closable(document)?;
        open.push_back((name.to_owned(), recording.id));
        Ok(recording)
    }
}
