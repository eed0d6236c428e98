//! What has changed since the last build, with as little reading as possible.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use holotape::Result;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::dataset::{ID_BYTES, ManifestEntry, Partition};
use crate::rows::hex;
use crate::{RecordingFile, file};

use super::BuildOptions;

/// A file that changed so shortly before it was read may change again without another time: some file systems count in two
/// seconds.
const MIN_MTIME_AGE: Duration = Duration::from_secs(2);

/// A take as it is now.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    pub(super) file: RecordingFile,
    pub(super) bytes: Option<u64>,
    pub(super) modified_ns: Option<i64>,
    /// Nothing if that is not known without reading the file.
    pub(super) content: Option<ContentId>,
}

/// What tells one content of a take from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContentId {
    Sha256(String),
    /// It cannot be read, for this reason.
    Unreadable(String),
}

impl SourceFile {
    /// Looks at a file without opening it.
    fn new(file: RecordingFile) -> Self {
        let there = fs::metadata(&file.path).ok();
        let modified_ns = there.as_ref().and_then(stable_mtime_ns);
        Self { file, bytes: there.map(|there| there.len()), modified_ns, content: None }
    }

    pub(super) fn path(&self) -> String {
        self.file.path.to_string_lossy().into_owned()
    }

    fn matches_entry(&self, known: &ManifestEntry) -> bool {
        self.modified_ns.is_some() && (self.bytes, self.modified_ns) == (known.bytes, known.modified_ns)
    }

    /// What the manifest has of it.
    pub(super) fn entry(&self, content: ContentId, error: Option<String>) -> ManifestEntry {
        let (sha256, error) = match content {
            ContentId::Sha256(sha256) => (Some(sha256), error),
            ContentId::Unreadable(message) => (None, Some(message)),
        };
        ManifestEntry {
            take: self.file.take.clone(),
            path: self.path(),
            bytes: self.bytes,
            modified_ns: self.modified_ns,
            sha256,
            error,
        }
    }
}

/// When a file was changed, if that is long enough ago to mean something.
fn stable_mtime_ns(there: &fs::Metadata) -> Option<i64> {
    let modified = there.modified().ok()?;
    let age = SystemTime::now().duration_since(modified).ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    (age > MIN_MTIME_AGE).then(|| i64::try_from(since.as_nanos()).ok()).flatten()
}

/// Looks at all takes, and reads those of which size and time leave open whether they are what they were.
pub(super) fn detect_changes(
    takes: Vec<RecordingFile>,
    known: &[Partition],
    options: &BuildOptions,
) -> Vec<SourceFile> {
    let mut entries: HashMap<&str, Vec<&ManifestEntry>> = HashMap::new();
    for entry in known.iter().flat_map(|part| &part.takes) {
        entries.entry(&entry.take).or_default().push(entry);
    }
    let look = |file: RecordingFile| {
        let mut seen = SourceFile::new(file);
        let path = seen.path();
        let known = || entries.get(seen.file.take.as_str()).into_iter().flatten().filter(|entry| entry.path == path);
        let same = known().find(|entry| seen.matches_entry(entry)).and_then(|entry| entry.sha256.clone());
        seen.content = match same {
            Some(sha256) if !options.verify() => Some(ContentId::Sha256(sha256)),
            // What has another size has another content, and is read when its part is made.
            _ if known().any(|entry| entry.sha256.is_none() || entry.bytes == seen.bytes) => Some(seen.read_content()),
            _ => None,
        };
        seen
    };
    takes.into_par_iter().map(look).collect()
}

impl SourceFile {
    fn read_content(&self) -> ContentId {
        let hash = || -> Result<String> {
            let mut hash = Sha256::new();
            io::copy(&mut self.open()?, &mut HashWriter(&mut hash))?;
            Ok(hex(&hash.finalize()))
        };
        match hash() {
            Ok(sha256) => ContentId::Sha256(sha256),
            Err(error) => ContentId::Unreadable(error.to_string()),
        }
    }

    /// All of a file, with its size and time as they were before it was read.
    pub(super) fn read(&mut self) -> Result<Vec<u8>> {
        *self = Self::new(self.file.clone());
        let mut bytes = Vec::with_capacity(usize::try_from(self.bytes.unwrap_or(0)).unwrap_or(0).min(1 << 30));
        self.open()?.read_to_end(&mut bytes)?;
        self.bytes = Some(bytes.len() as u64);
        Ok(bytes)
    }

    fn open(&self) -> Result<io::Take<File>> {
        Ok(file::open(&self.file.path)?.0.take(file::MAX_BYTES))
    }
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of a part: a hash of all that its files follow from.
pub(super) fn partition_hash(settings: &str, takes: &[ManifestEntry]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(settings);
    for take in takes {
        add(&take.take);
        add(&take.path);
        // Why a file is broken follows from its bytes; why it cannot be read does not.
        match &take.sha256 {
            Some(sha256) => add(sha256),
            None => add(&format!("unreadable: {}", take.error.as_deref().unwrap_or_default())),
        }
    }
    hex(&hash.finalize()[..ID_BYTES])
}
