//! Finding the recordings of a corpus, and their names.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use holotape::paths::canonicalize;
use holotape::{Error, Result};
use holotape_convert::{FileFormat, is_recording_name};

use crate::{Dataset, lerobot};

/// A recording on disk, and its name in every table.
///
/// ```
/// use holotape_corpus::RecordingFile;
///
/// let file = RecordingFile::new("p01/reach.bin", "/data/study/p01/reach.bin");
/// assert_eq!(file.folder(), "p01");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordingFile {
    /// The path below the common folder of all inputs, with `/` between folders: `p01/reach.bin`.
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
}

impl RecordingFile {
    /// A recording with this name.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), path: path.into() }
    }

    /// Returns the folder of the name; empty at the top level.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// Finds the recordings of folders, patterns and files, sorted by name.
///
/// A folder stands for all files in and below it with the extension of a readable file format (`.bin`, `.json`, `.csv`,
/// `.parquet`, `.glb`, `.gltf`), also compressed (`.bin.zst`, `.bin.gz`), and for files of EgoDex (`.hdf5`), Vision Pro
/// (`tracking.jsonl`) and Aria MPS, where one file stands for a recording of several. Hidden files and datasets, also those of
/// LeRobot, are left out. A file that is given by its path may have any extension.
/// In patterns, `*` and `?` match anything but `/`, and `**` matches any folders.
///
/// Names start below the common folder of all inputs: a folder itself, the folder of a file, or the part of a pattern before
/// its first wildcard. So `study`, `./study/` and `study/**/*.bin` give the same names.
///
/// Symbolic links are followed. A file or folder that is reachable by several paths is listed once, under its own path if
/// that is among them.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir(folder.path().join("p01"))?;
/// # let _ = holotape::Recording::default().save(folder.path().join("p01/reach.bin"))?;
/// let files = holotape_corpus::find_recordings([folder.path()])?;
/// assert_eq!(files[0].name, "p01/reach.bin");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input does not exist, a pattern is invalid or matches no file, or a folder cannot be read.
pub fn find_recordings<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Result<Vec<RecordingFile>> {
    let mut search = FileSearch::default();
    for input in inputs {
        search.add(input.as_ref())?;
    }
    Ok(search.into_files())
}

/// The files of all inputs, and the folders below which names may start.
#[derive(Default)]
struct FileSearch {
    bases: Vec<PathBuf>,
    /// Paths as found, and canonical paths.
    files: Vec<(PathBuf, PathBuf)>,
}

impl FileSearch {
    fn add(&mut self, input: &Path) -> Result<()> {
        let with_path = |error: io::Error| Error::from(error).with_path(input);
        match fs::metadata(input) {
            Ok(metadata) if metadata.is_dir() => {
                let base = canonicalize(input).map_err(with_path)?;
                self.visit_dir(&base)?;
                self.bases.push(base);
            }
            Ok(_) => {
                let parent = input.parent().filter(|parent| !parent.as_os_str().is_empty());
                let base = canonicalize(parent.unwrap_or(Path::new("."))).map_err(with_path)?;
                if let Some(name) = input.file_name() {
                    self.push(base.join(name));
                }
                self.bases.push(base);
            }
            Err(error) => match literal_folder(input) {
                Some(folder) => self.add_pattern(input, &folder)?,
                None => return Err(with_path(error)),
            },
        }
        Ok(())
    }

    fn add_pattern(&mut self, pattern: &Path, folder: &Path) -> Result<()> {
        let invalid = |message: String| Error::invalid_argument(message).with_path(pattern);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let base = canonicalize(folder).map_err(|error| Error::from(error).with_path(folder))?;
        let text = pattern.to_str().ok_or_else(|| invalid("invalid pattern: not Unicode".to_owned()))?;
        let options = glob::MatchOptions {
            require_literal_leading_dot: true,
            case_sensitive: !cfg!(windows),
            ..glob::MatchOptions::new()
        };
        let paths = glob::glob_with(text, options).map_err(|error| invalid(format!("invalid pattern: {error}")))?;
        let mut has_matches = false;
        let mut datasets = HashMap::new();
        for path in paths {
            let path = path.map_err(|error| {
                let path = error.path().to_owned();
                Error::from(io::Error::from(error)).with_path(path)
            })?;
            // Relative to the canonical base, so that links on the way to it do not change names.
            let path = path.strip_prefix(folder).map_or_else(|_| path.clone(), |rest| base.join(rest));
            has_matches = true;
            let folders = path.ancestors().take_while(|folder| folder.starts_with(&base));
            if folders
                .into_iter()
                .any(|folder| *datasets.entry(folder.to_owned()).or_insert_with(|| is_dataset(folder)))
            {
                continue;
            }
            if path.is_dir() {
                self.visit_dir(&path)?;
            } else if is_recording(&path) {
                self.push(path);
            }
        }
        self.bases.push(base);
        if has_matches { Ok(()) } else { Err(invalid("no file matches this pattern".to_owned())) }
    }

    /// Adds all recordings below a folder. Links to folders come last, so that files are found under their own paths. Each
    /// folder is visited once, so that cyclic links end.
    fn visit_dir(&mut self, folder: &Path) -> Result<()> {
        let mut visited = HashSet::new();
        let mut folders = VecDeque::from([folder.to_owned()]);
        let mut links = VecDeque::new();
        while let Some(folder) = folders.pop_front().or_else(|| links.pop_front()) {
            let with_path = |error: io::Error| Error::from(error).with_path(&folder);
            if !visited.insert(canonicalize(&folder).map_err(with_path)?) || is_dataset(&folder) {
                continue;
            }
            let mut entries =
                fs::read_dir(&folder).map_err(with_path)?.collect::<io::Result<Vec<_>>>().map_err(with_path)?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries.into_iter().filter(|entry| !is_hidden(&entry.file_name())) {
                let path = entry.path();
                let is_link = entry.file_type().map_err(with_path)?.is_symlink();
                match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_dir() && is_link => links.push_back(path),
                    Ok(metadata) if metadata.is_dir() => folders.push_back(path),
                    // A dangling link gets a row with an error.
                    Ok(_) | Err(_) if is_recording(&path) => self.push(path),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, path: PathBuf) {
        let canonical = canonicalize(&path).unwrap_or_else(|_| path.clone());
        self.files.push((path, canonical));
    }

    fn into_files(self) -> Vec<RecordingFile> {
        let base = self.bases.into_iter().reduce(|a, b| common_ancestor(&a, &b)).unwrap_or_default();
        let name = |path: &Path| {
            let below = path.strip_prefix(&base).unwrap_or(path);
            let parts = below.components().filter(|part| matches!(part, Component::Normal(_)));
            parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
        };
        // Files under their own path come before links to them.
        let mut files: Vec<_> = self
            .files
            .into_iter()
            .map(|(path, canonical)| (path != canonical, RecordingFile::new(name(&path), &path), canonical))
            .collect();
        files.sort();
        let mut seen = HashSet::new();
        files.retain(|(_, _, canonical)| seen.insert(canonical.clone()));
        let mut files: Vec<_> = files.into_iter().map(|(_, file, _)| file).collect();
        files.sort();
        files
    }
}

/// The folders before the first wildcard; `None` without wildcards.
fn literal_folder(pattern: &Path) -> Option<PathBuf> {
    let is_wild = |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let before = pattern.components().take_while(|part| !is_wild(part)).count();
    (before < pattern.components().count()).then(|| pattern.components().take(before).collect())
}

fn common_ancestor(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
}

/// Whether the files of a folder are tables of many recordings.
fn is_dataset(folder: &Path) -> bool {
    Dataset::is_at(folder) || lerobot::is_lerobot_dataset(folder)
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

/// Whether a file has the name of a recording. Of MCAP logs, only those of Isaac Teleop are readable.
fn is_recording(path: &Path) -> bool {
    match FileFormat::from_path(path) {
        Some(FileFormat::Mcap) => starts_like(path, FileFormat::Isaac),
        _ => is_recording_name(path),
    }
}

/// Whether a file starts like one of a format; false if it cannot be read.
fn starts_like(path: &Path, file_format: FileFormat) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut start));
    read.is_ok() && FileFormat::detect(&start) == Some(file_format)
}
