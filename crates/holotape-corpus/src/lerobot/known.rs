//! Episodes of earlier builds, which are copied instead of reading their recordings again.

use std::collections::HashMap;
use std::path::PathBuf;

use holotape::Result;

use super::data_file::DataFileReader;
use super::dir::{FileKind, LerobotDir};
use super::episode_file;
use super::features::Features;
use super::manifest::{DataFile, SourceEntry};
use super::stats::ComponentStats;

/// A data file of the dataset, or one that an interrupted build has completed.
pub(super) struct KnownFile {
    pub(super) file: DataFile,
    pub(super) data: PathBuf,
    pub(super) episodes: PathBuf,
    pub(super) is_in_place: bool,
}

/// All data files that exist, those of the dataset first.
pub(super) fn known_files(dir: &LerobotDir, settings: &str, in_place: Vec<DataFile>) -> Vec<KnownFile> {
    let in_place = in_place.into_iter().enumerate().map(|(number, file)| {
        let [data, episodes] = [FileKind::Data, FileKind::Episodes].map(|kind| dir.path(kind, number));
        KnownFile { file, data, episodes, is_in_place: true }
    });
    let staged = dir.staged_files(settings).into_iter().map(|file| {
        let [data, episodes] = [FileKind::Data, FileKind::Episodes].map(|kind| dir.staged_path(kind, &file.id));
        KnownFile { file, data, episodes, is_in_place: false }
    });
    in_place.chain(staged).filter(KnownFile::exists).collect()
}

impl KnownFile {
    fn exists(&self) -> bool {
        self.file.episodes().next().is_none() || self.data.is_file() && self.episodes.is_file()
    }
}

/// A recording of an earlier build.
#[derive(Clone, Copy)]
pub(super) struct KnownEpisode<'a> {
    pub(super) entry: &'a SourceEntry,
    /// The index of its file.
    pub(super) file: usize,
    /// The row in the file of episodes.
    pub(super) row: usize,
    pub(super) first_row_group: usize,
}

/// Recordings by name, path and hash.
pub(super) struct KnownEpisodes<'a>(HashMap<[&'a str; 3], KnownEpisode<'a>>);

impl<'a> KnownEpisodes<'a> {
    pub(super) fn new(files: &'a [KnownFile]) -> Self {
        let mut episodes = HashMap::new();
        for (number, known) in files.iter().enumerate() {
            let (mut row, mut first_row_group) = (0, 0);
            for entry in &known.file.recordings {
                if let Some(sha256) = entry.file.sha256.as_deref() {
                    let key = [&entry.file.recording, &entry.file.path, sha256];
                    episodes.entry(key).or_insert(KnownEpisode { entry, file: number, row, first_row_group });
                }
                if let Some(info) = &entry.episode {
                    row += 1;
                    first_row_group += info.row_group_count;
                }
            }
        }
        Self(episodes)
    }

    pub(super) fn find<'b>(&'b self, key: [&'b str; 3]) -> Option<KnownEpisode<'a>> {
        self.0.get(&key).copied()
    }
}

/// The data file from which episodes are being copied.
pub(super) struct KnownReader {
    number: usize,
    pub(super) data: DataFileReader,
    pub(super) stats: Vec<Vec<ComponentStats>>,
}

impl KnownReader {
    /// Opens a file, unless it is open already.
    pub(super) fn switch<'a>(
        open: &'a mut Option<Self>,
        number: usize,
        files: &[KnownFile],
        features: &Features,
    ) -> Result<&'a Self> {
        let reader = match open.take().filter(|reader| reader.number == number) {
            Some(reader) => reader,
            None => Self {
                number,
                data: DataFileReader::open(&files[number].data)?,
                stats: episode_file::read_stats(&files[number].episodes, features)?,
            },
        };
        Ok(open.insert(reader))
    }
}
