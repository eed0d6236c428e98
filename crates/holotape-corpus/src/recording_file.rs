//! Which files are the takes of a corpus, and what each is called.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use holotape::{Error, ErrorKind, Result};
use holotape_convert::FileFormat;

use crate::Dataset;

/// A file that is a take, and its name in every table.
///
/// ```
/// use holotape_corpus::TakeFile;
///
/// let take = RecordingFile::new("p01/reach.bin", "/data/study/p01/reach.bin");
/// assert_eq!(take.folder(), "p01");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordingFile {
    /// The path below the folder that all inputs share, with `/` between folders: `p01/reach.bin`.
    pub take: String,
    /// Where it is.
    pub path: PathBuf,
}

impl RecordingFile {
    /// A take by name.
    pub fn new(take: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { take: take.into(), path: path.into() }
    }

    /// The folder that its name says; empty for those in the folder of the corpus itself.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.take.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// The takes of folders, patterns and files, in the order of their names.
///
/// A folder stands for all files in it and below it whose names end as those of recordings do (`.bin`, `.json`, `.csv`,
/// `.parquet`, `.glb`, `.gltf`), but for hidden ones and for datasets. A file that is given by its own name is a take
/// whatever it is called. In patterns `*` and `?` stand for anything but `/`, `**` for any folders.
///
/// Names begin below the folder that all inputs share: a folder, the folder of a file, or what of a pattern is before its
/// first wildcard. So `study`, `./study/` and `study/**/*.bin` give the same names.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir(folder.path().join("p01"))?;
/// # let _ = holotape::Recording::default().save(folder.path().join("p01/reach.bin"))?;
/// let takes = holotape_corpus::find([folder.path()])?;
/// assert_eq!(takes[0].take, "p01/reach.bin");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input is not there, a pattern is none or fits no file, or a folder cannot be read.
pub fn find_recordings<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Result<Vec<RecordingFile>> {
    let mut found = FileSearch::default();
    for input in inputs {
        found.add(input.as_ref())?;
    }
    Ok(found.into_takes())
}

/// The files of all inputs, each once, and the folders that names could begin below.
#[derive(Default)]
struct FileSearch {
    bases: Vec<PathBuf>,
    /// As they were come by, and what they are in truth.
    files: Vec<(PathBuf, PathBuf)>,
}

impl FileSearch {
    fn add(&mut self, input: &Path) -> Result<()> {
        let named = |error: io::Error| Error::from(error).with_path(input);
        match fs::metadata(input) {
            Ok(metadata) if metadata.is_dir() => {
                let base = fs::canonicalize(input).map_err(named)?;
                self.visit_dir(&base)?;
                self.bases.push(base);
            }
            Ok(_) => {
                let parent = input.parent().filter(|parent| !parent.as_os_str().is_empty());
                let base = fs::canonicalize(parent.unwrap_or(Path::new("."))).map_err(named)?;
                if let Some(name) = input.file_name() {
                    self.push(base.join(name));
                }
                self.bases.push(base);
            }
            Err(error) => match literal_folder(input) {
                Some(folder) => self.add_pattern(input, &folder)?,
                None => return Err(named(error)),
            },
        }
        Ok(())
    }

    fn add_pattern(&mut self, pattern: &Path, folder: &Path) -> Result<()> {
        let invalid = |message: String| Error::new(ErrorKind::Invalid, message).with_path(pattern);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let base = fs::canonicalize(folder).map_err(|error| Error::from(error).with_path(folder))?;
        let text = pattern.to_str().ok_or_else(|| invalid("a pattern has to be Unicode".to_owned()))?;
        let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
        let paths = glob::glob_with(text, options).map_err(|error| invalid(format!("this is no pattern: {error}")))?;
        let mut is_there = false;
        let mut datasets = HashMap::new();
        for path in paths {
            let path = path.map_err(|error| {
                let path = error.path().to_owned();
                Error::from(io::Error::from(error)).with_path(path)
            })?;
            // As the base is written, so that links on the way to it change no name.
            let path = path.strip_prefix(folder).map_or_else(|_| path.clone(), |rest| base.join(rest));
            is_there = true;
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
        if is_there { Ok(()) } else { Err(invalid("no file fits this pattern".to_owned())) }
    }

    /// All takes below a folder. Links to folders come last, so that what is there under its own name has that; a folder
    /// is looked through once, so that links in circles end.
    fn visit_dir(&mut self, folder: &Path) -> Result<()> {
        let mut seen = HashSet::new();
        let mut folders = VecDeque::from([folder.to_owned()]);
        let mut links = VecDeque::new();
        while let Some(folder) = folders.pop_front().or_else(|| links.pop_front()) {
            let named = |error: io::Error| Error::from(error).with_path(&folder);
            if !seen.insert(fs::canonicalize(&folder).map_err(named)?) || is_dataset(&folder) {
                continue;
            }
            let mut entries = fs::read_dir(&folder).map_err(named)?.collect::<io::Result<Vec<_>>>().map_err(named)?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries.into_iter().filter(|entry| !is_hidden(&entry.file_name())) {
                let path = entry.path();
                let is_link = entry.file_type().map_err(named)?.is_symlink();
                match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_dir() && is_link => links.push_back(path),
                    Ok(metadata) if metadata.is_dir() => folders.push_back(path),
                    // What cannot be looked at, as a link to nowhere, has a row that says so.
                    Ok(_) | Err(_) if is_recording(&path) => self.push(path),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, path: PathBuf) {
        let truth = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        self.files.push((path, truth));
    }

    fn into_takes(self) -> Vec<RecordingFile> {
        let base = self.bases.into_iter().reduce(|a, b| common_ancestor(&a, &b)).unwrap_or_default();
        let name = |path: &Path| {
            let below = path.strip_prefix(&base).unwrap_or(path);
            let parts = below.components().filter(|part| matches!(part, Component::Normal(_)));
            parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
        };
        let takes = self.files.into_iter().map(|(path, truth)| (RecordingFile::new(name(&path), &path), truth));
        // A file under its own name before links to it, whatever they are called.
        let mut takes: Vec<_> = takes.map(|(take, truth)| (take.path != truth, take, truth)).collect();
        takes.sort();
        let mut seen = HashSet::new();
        takes.retain(|(_, _, truth)| seen.insert(truth.clone()));
        let mut takes: Vec<_> = takes.into_iter().map(|(_, take, _)| take).collect();
        takes.sort();
        takes
    }
}

/// The folders before the first wildcard, if there is one.
fn literal_folder(pattern: &Path) -> Option<PathBuf> {
    let is_wild = |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let before = pattern.components().take_while(|part| !is_wild(part)).count();
    (before < pattern.components().count()).then(|| pattern.components().take(before).collect())
}

fn common_ancestor(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
}

/// The Parquet files of a dataset are no takes.
fn is_dataset(folder: &Path) -> bool {
    Dataset::is_at(folder)
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

/// Whether a file is called as recordings are that can be read.
fn is_recording(path: &Path) -> bool {
    FileFormat::from_path(path).is_some_and(FileFormat::can_read)
}
