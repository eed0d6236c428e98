//! Detection of changes since the last build, with as few reads as possible.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::time::UNIX_EPOCH;

use holotape::Result;
use holotape_convert::other_files;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::dataset::{ID_BYTES, ManifestEntry};
use crate::rows::{hash_other_files, hex};
use crate::{RecordingFile, file};

/// How much of a file is in memory while it is hashed.
const HASH_CHUNK_BYTES: u64 = 1 << 16;

/// The current state of a recording on disk.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) file: RecordingFile,
    pub(crate) file_bytes: Option<u64>,
    pub(crate) modified_ns: Option<i64>,
    /// `None` if the file must be read to know it.
    pub(crate) content: Option<ContentId>,
}

/// Identifies the contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ContentId {
    Sha256(String),
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl SourceFile {
    /// Reads size and modification time, without opening the file.
    fn new(file: RecordingFile) -> Self {
        let metadata = fs::metadata(&file.path).ok();
        // The time of one file does not tell whether the others changed.
        let is_single = other_files(&file.path).is_empty();
        let modified_ns = metadata.as_ref().filter(|_| is_single).and_then(stable_mtime_ns);
        Self { file, file_bytes: metadata.map(|metadata| metadata.len()), modified_ns, content: None }
    }

    pub(crate) fn path(&self) -> String {
        self.file.path.to_string_lossy().into_owned()
    }

    fn matches_entry(&self, known: &ManifestEntry) -> bool {
        self.modified_ns.is_some() && (self.file_bytes, self.modified_ns) == (known.file_bytes, known.modified_ns)
    }

    /// The entry in the manifest.
    pub(crate) fn entry(&self, content: ContentId, error: Option<String>) -> ManifestEntry {
        let (sha256, error) = match content {
            ContentId::Sha256(sha256) => (Some(sha256), error),
            ContentId::Unreadable(message) => (None, Some(message)),
        };
        ManifestEntry {
            recording: self.file.name.clone(),
            path: self.path(),
            file_bytes: self.file_bytes,
            modified_ns: self.modified_ns,
            sha256,
            error,
        }
    }
}

fn stable_mtime_ns(metadata: &fs::Metadata) -> Option<i64> {
    let since = file::stable_mtime(metadata)?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// Compares all files with the known entries, and reads those whose size and time do not decide whether they changed.
/// With `verify`, all files are read whose size did not change.
pub(crate) fn detect_changes<'a>(
    files: Vec<RecordingFile>,
    known: impl IntoIterator<Item = &'a ManifestEntry>,
    verify: bool,
) -> Vec<SourceFile> {
    let mut entries: HashMap<&str, Vec<&ManifestEntry>> = HashMap::new();
    for entry in known {
        entries.entry(&entry.recording).or_default().push(entry);
    }
    let detect = |file: RecordingFile| {
        let mut source = SourceFile::new(file);
        let path = source.path();
        let known = || entries.get(source.file.name.as_str()).into_iter().flatten().filter(|entry| entry.path == path);
        let same = known().find(|entry| source.matches_entry(entry)).and_then(|entry| entry.sha256.clone());
        source.content = match same {
            Some(sha256) if !verify => Some(ContentId::Sha256(sha256)),
            // A file of another size has changed; it is read when its partition is built.
            _ if known().any(|entry| entry.sha256.is_none() || entry.file_bytes == source.file_bytes) => {
                Some(source.read_content())
            }
            _ => None,
        };
        source
    };
    files.into_par_iter().map(detect).collect()
}

impl SourceFile {
    fn read_content(&self) -> ContentId {
        let hash = || -> Result<String> {
            let mut hash = Sha256::new();
            let (mut file, mut chunk) = (self.open()?, Vec::new());
            while file.by_ref().take(HASH_CHUNK_BYTES).read_to_end(&mut chunk)? > 0 {
                hash.update(&chunk);
                chunk.clear();
            }
            hash_other_files(&self.file.path, &mut hash);
            Ok(hex(&hash.finalize()))
        };
        match hash() {
            Ok(sha256) => ContentId::Sha256(sha256),
            Err(error) => ContentId::Unreadable(error.to_string()),
        }
    }

    /// Reads the file. Modification time is that before the read.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>> {
        *self = Self::new(self.file.clone());
        let mut bytes = Vec::with_capacity(usize::try_from(self.file_bytes.unwrap_or(0)).unwrap_or(0).min(1 << 30));
        self.open()?.read_to_end(&mut bytes)?;
        self.file_bytes = Some(bytes.len() as u64);
        Ok(bytes)
    }

    fn open(&self) -> Result<io::Take<File>> {
        Ok(file::open(&self.file.path)?.0.take(file::MAX_BYTES))
    }
}

/// The name of a partition: a hash of all inputs of its files.
pub(crate) fn partition_hash(settings: &str, entries: &[ManifestEntry]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(settings);
    for entry in entries {
        add(&entry.recording);
        add(&entry.path);
        // The bytes determine the error of a broken file, but not that of an unreadable one.
        match &entry.sha256 {
            Some(sha256) => add(sha256),
            None => add(&format!("unreadable: {}", entry.error.as_deref().unwrap_or_default())),
        }
    }
    hex(&hash.finalize()[..ID_BYTES])
}
