//! The manifest `meta/holotape.json`: which recordings a LeRobot dataset was built from.

use std::fs;
use std::io;
use std::path::Path;

use holotape::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::tasks::{TaskSpan, TaskTable};
use crate::build::changes::partition_hash;
use crate::dataset::{ID_BYTES, ManifestEntry};

/// The path of the manifest, below the folder of the dataset.
pub(super) const MANIFEST: &str = "meta/holotape.json";

const FORMAT: &str = "holotape LeRobot dataset";

/// The version of manifest and file layout. It changes if the same recordings would give other files.
pub(super) const FORMAT_VERSION: u32 = 1;

/// Number of data files of a chunk.
pub(super) const CHUNK_FILES: usize = 1000;

/// The path of a file in its folder: `chunk-000/file-000.parquet`.
pub(super) fn chunk_path(number: usize) -> String {
    let (chunk, file) = chunk_and_file(number);
    format!("chunk-{chunk:03}/file-{file:03}.parquet")
}

/// The numbers in the path of a file.
pub(super) fn chunk_and_file(number: usize) -> (usize, usize) {
    (number / CHUNK_FILES, number % CHUNK_FILES)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: String,
    format_version: u32,
    /// All options that determine the files.
    pub(super) settings: String,
    pub(super) files: Vec<DataFile>,
}

/// A data file and the file of its episodes, which have the same number. A file without episodes does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DataFile {
    /// A hash of all inputs, including the numbers of the first episode and frame.
    pub(super) id: String,
    /// Whether it has reached its size, so that no episode can be added.
    pub(super) is_full: bool,
    /// The recordings in the order of their names, also broken ones.
    pub(super) recordings: Vec<SourceEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SourceEntry {
    #[serde(flatten)]
    pub(super) file: ManifestEntry,
    /// `None` if the recording is broken.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) episode: Option<EpisodeInfo>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EpisodeInfo {
    /// The number of frames.
    pub(super) length: u64,
    pub(super) row_group_count: usize,
    pub(super) tasks: Vec<TaskSpan>,
    pub(super) marker_count: usize,
    pub(super) missing_joint_count: usize,
}

impl Manifest {
    pub(super) fn new(settings: String, files: Vec<DataFile>) -> Self {
        Self { format: FORMAT.to_owned(), format_version: FORMAT_VERSION, settings, files }
    }

    /// Reads the manifest of a folder; `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        let bytes = match fs::read(folder.join(MANIFEST)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Self::parse(&bytes).map(Some)
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let damaged = |reason: &dyn std::fmt::Display| {
            let message = format!("{MANIFEST} is damaged: {reason}; remove the folder and build the dataset again");
            Error::new(ErrorKind::Invalid, message)
        };
        let header: Header = serde_json::from_slice(bytes).map_err(|error| damaged(&error))?;
        if header.format_version > FORMAT_VERSION {
            let message =
                "a newer version of holotape built this dataset; use that version, or build into another folder";
            return Err(Error::new(ErrorKind::UnsupportedVersion, message));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| damaged(&error))?;
        match manifest.format == FORMAT && manifest.files.iter().all(DataFile::has_valid_id) {
            true => Ok(manifest),
            false => Err(damaged(&"it has an unknown format or invalid names")),
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &SourceEntry> {
        self.files.iter().flat_map(|file| &file.recordings)
    }

    /// The numbers and paths of existing files, in order.
    pub(super) fn numbered_files(&self) -> impl Iterator<Item = (usize, &DataFile)> {
        self.files.iter().enumerate().filter(|(_, file)| file.episodes().next().is_some())
    }
}

/// The fields of every version of the manifest.
#[derive(Deserialize)]
struct Header {
    format_version: u32,
}

impl DataFile {
    pub(super) fn episodes(&self) -> impl Iterator<Item = (&ManifestEntry, &EpisodeInfo)> {
        self.recordings.iter().filter_map(|entry| Some((&entry.file, entry.episode.as_ref()?)))
    }

    /// Whether the hash can be part of a file name. So a manifest from an untrusted source cannot refer to other files.
    pub(super) fn has_valid_id(&self) -> bool {
        self.id.len() == 2 * ID_BYTES && self.id.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// The state of a dataset before a data file: all that its content depends on besides its recordings.
#[derive(Clone, Debug, Default)]
pub(super) struct Position {
    pub(super) file: usize,
    pub(super) episode: u64,
    pub(super) frame: u64,
    pub(super) tasks: TaskTable,
}

impl Position {
    /// The hash of a data file at this position.
    pub(super) fn file_id(&self, settings: &str, recordings: &[SourceEntry]) -> String {
        let Self { file, episode, frame, tasks } = self;
        let entries: Vec<_> = recordings.iter().map(|entry| entry.file.clone()).collect();
        let settings = format!("{settings}; file {file}, episode {episode}, frame {frame}, tasks {:?}", tasks.texts());
        partition_hash(&settings, &entries)
    }

    /// Moves over an episode, and returns the numbers of its tasks by frame.
    pub(super) fn advance(&mut self, info: &EpisodeInfo) -> Vec<i64> {
        let mut numbers = Vec::with_capacity(usize::try_from(info.length).unwrap_or(0));
        let ends = info.tasks.iter().skip(1).map(|span| span.start_frame).chain([info.length]);
        for (span, end) in info.tasks.iter().zip(ends) {
            let count = usize::try_from(end.saturating_sub(span.start_frame)).unwrap_or(0);
            numbers.extend(std::iter::repeat_n(self.tasks.number(&span.task), count));
        }
        self.episode += 1;
        self.frame += info.length;
        numbers
    }
}
