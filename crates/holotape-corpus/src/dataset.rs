//! A dataset on disk: what its `dataset.json` says, and where its files are.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use holotape::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::{SCHEMA_VERSION, Table, file};

/// The file of a dataset that says what belongs to it.
pub const MANIFEST_NAME: &str = "dataset.json";

/// The format is the first thing that a manifest says.
const PREFIX_BYTES: u64 = 4096;

/// What `format` says in every manifest.
pub(crate) const FORMAT: &str = "holotape dataset";

/// How takes are cut into parts, and parts written. Another number where the same takes would become other files.
pub(crate) const FORMAT_VERSION: u32 = 1;

/// The version of holotape that this is. Others may read recordings in another way, or find other things in them.
pub(crate) const HOLOTAPE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// A dataset as its manifest describes it: the only truth about which files count.
///
/// ```
/// use holotape_corpus::{BuildOptions, Dataset, Table, build};
///
/// let folder = tempfile::tempdir()?;
/// let (take, out) = (folder.path().join("take.bin"), folder.path().join("out"));
/// let _losses = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(&take)?;
/// build([&take], &out, &BuildOptions::new(), |_| std::ops::ControlFlow::Continue(()))?;
///
/// let dataset = Dataset::open(&out)?;
/// assert_eq!(dataset.rows(Table::Frames), 61);
/// assert_eq!(dataset.files(Table::Frames)?.len(), 1);
/// assert!(dataset.files(Table::Keys).is_err(), "only with BuildOptions::with_keys");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    folder: PathBuf,
    manifest: Manifest,
}

impl Dataset {
    /// Reads the manifest of a dataset. None of its tables are looked at.
    ///
    /// # Errors
    /// If there is no dataset in this folder, or one that a newer holotape made.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let named = |error: Error| error.with_path(folder);
        let manifest = Manifest::read(folder).map_err(named)?.ok_or_else(|| named(not_a_dataset_error(folder)))?;
        if manifest.schema_version != SCHEMA_VERSION {
            let message = format!(
                "its tables are of version {}, not {SCHEMA_VERSION}: `holotape dataset build` makes them anew",
                manifest.schema_version
            );
            return Err(named(Error::new(ErrorKind::UnsupportedVersion, message)));
        }
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Whether a folder has the manifest of a dataset in it, by the first lines of it. A file of that name that is somebody
    /// else's is none.
    #[must_use]
    pub fn is_at(folder: impl AsRef<Path>) -> bool {
        let head = || -> io::Result<Vec<u8>> {
            let mut head = Vec::new();
            file::open(&folder.as_ref().join(MANIFEST_NAME))?.0.take(PREFIX_BYTES).read_to_end(&mut head)?;
            Ok(head)
        };
        head().is_ok_and(|head| is_manifest_prefix(&String::from_utf8_lossy(&head)))
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The Parquet files of a table, in the order of their takes.
    ///
    /// # Errors
    /// If the dataset was built without that table.
    pub fn files(&self, table: Table) -> Result<Vec<PathBuf>> {
        if !self.manifest.tables().contains(&table) {
            let message = format!("built without the table {table}: build it again with --{table}");
            return Err(Error::new(ErrorKind::Invalid, message).with_path(&self.folder));
        }
        Ok(self.manifest.parts.iter().map(|part| self.folder.join(part.file(table))).collect())
    }

    /// How many rows a table has; none if it was built without.
    #[must_use]
    pub fn rows(&self, table: Table) -> u64 {
        self.manifest.parts.iter().map(|part| part.rows.of(table).unwrap_or(0)).sum()
    }

    /// How many frames a second has.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        self.manifest.rate_hz
    }

    /// The tables that it has.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        self.manifest.tables()
    }

    /// How many parts takes were cut into: each has one file of every table.
    #[must_use]
    pub fn partition_count(&self) -> usize {
        self.manifest.parts.len()
    }

    /// All takes, by name.
    pub fn takes(&self) -> impl Iterator<Item = &ManifestEntry> {
        self.manifest.parts.iter().flat_map(|part| &part.takes)
    }
}

/// A take as the manifest has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// Its name in every table.
    pub take: String,
    /// Where its file was.
    pub path: String,
    /// How large the file was; nothing if it could not be looked at.
    pub bytes: Option<u64>,
    /// When the file was changed, in nanoseconds since 1970. Nothing where that says nothing: a file that changed while it was
    /// read, or just before, may change once more within one tick of its clock.
    pub modified_ns: Option<i64>,
    /// The hash of the file; nothing if it could not be read.
    pub sha256: Option<String>,
    /// Why there are no frames of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: String,
    pub(crate) format_version: u32,
    pub(crate) schema_version: u32,
    /// Which holotape made it; empty where none said so.
    #[serde(default)]
    pub(crate) holotape_version: String,
    pub(crate) rate_hz: f64,
    pub(crate) keys: bool,
    pub(crate) parts: Vec<Partition>,
}

/// Some takes, and a file of every table with their rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Partition {
    pub(crate) files: PartitionFiles,
    pub(crate) rows: RowCounts,
    pub(crate) takes: Vec<ManifestEntry>,
}

/// Paths below the folder of the dataset, with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartitionFiles {
    pub(crate) recordings: String,
    pub(crate) frames: String,
    pub(crate) events: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) keys: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowCounts {
    pub(crate) recordings: u64,
    pub(crate) frames: u64,
    pub(crate) events: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) keys: Option<u64>,
}

/// Whether the head of a file says that it is a manifest of ours: all of it may be large, or broken further down.
fn is_manifest_prefix(head: &str) -> bool {
    let value = |rest: &str| rest.trim_start().strip_prefix(':').map(|rest| rest.trim_start().to_owned());
    let is_ours = |rest: &str| value(rest).is_some_and(|rest| rest.starts_with(&format!("\"{FORMAT}\"")));
    head.trim_start().starts_with('{') && head.split("\"format\"").skip(1).any(is_ours)
}

impl Manifest {
    /// What the manifest of a folder says; nothing if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let bytes = match fs::read(folder.join(MANIFEST_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let broken = |words: &dyn std::fmt::Display| {
            let message = format!("{MANIFEST_NAME} is broken ({words}): remove it, and build the dataset again");
            Error::new(ErrorKind::Invalid, message)
        };
        let head: Head = serde_json::from_slice(&bytes).map_err(|error| broken(&error))?;
        if head.format != FORMAT {
            return Err(Error::new(ErrorKind::Invalid, format!("{MANIFEST_NAME} is not that of a holotape dataset")));
        }
        if head.format_version > FORMAT_VERSION || head.schema_version > SCHEMA_VERSION {
            let message = "a newer holotape made this dataset: use that one, or build into another folder";
            return Err(Error::new(ErrorKind::UnsupportedVersion, message));
        }
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| broken(&error))?;
        if manifest.parts.iter().any(|part| part.id().is_none() || !part.has_tables(manifest.keys)) {
            return Err(broken(&"it names files that no dataset has"));
        }
        Ok(Some(manifest))
    }

    pub(crate) fn tables(&self) -> Vec<Table> {
        tables(self.keys)
    }
}

/// What every version of a manifest says.
#[derive(Deserialize)]
struct Head {
    format: String,
    format_version: u32,
    schema_version: u32,
}

/// The tables of a dataset.
pub(crate) fn tables(keys: bool) -> Vec<Table> {
    Table::ALL.into_iter().filter(|table| keys || *table != Table::Keys).collect()
}

impl Partition {
    /// Names files after what is in them.
    pub(crate) fn new(id: &str, rows: RowCounts, takes: Vec<ManifestEntry>) -> Self {
        let file = |table| format!("{table}/{}", partition_file_name(id));
        let files = PartitionFiles {
            recordings: file(Table::Recordings),
            frames: file(Table::Frames),
            events: file(Table::Events),
            keys: rows.keys.map(|_| file(Table::Keys)),
        };
        Self { files, rows, takes }
    }

    /// The hash that its files are named after; nothing if they are called something else. A manifest may come from
    /// anywhere, and its paths lead nowhere else.
    pub(crate) fn id(&self) -> Option<&str> {
        let id = partition_id(self.files.recordings.strip_prefix("recordings/")?)?;
        (*self == Self::new(id, self.rows, self.takes.clone())).then_some(id)
    }

    fn has_tables(&self, keys: bool) -> bool {
        self.rows.keys.is_some() == keys
    }

    pub(crate) fn file(&self, table: Table) -> &str {
        match table {
            Table::Recordings => &self.files.recordings,
            Table::Frames => &self.files.frames,
            Table::Events => &self.files.events,
            Table::Keys => self.files.keys.as_deref().unwrap_or_default(),
        }
    }
}

/// What a file of a part is called.
pub(crate) fn partition_file_name(id: &str) -> String {
    format!("part-{id}.parquet")
}

/// The hash in the name of such a file; nothing for any other file.
pub(crate) fn partition_id(name: &str) -> Option<&str> {
    let id = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (id.len() == 2 * ID_BYTES && id.bytes().all(is_hex)).then_some(id)
}

/// How much of a hash names a part.
pub(crate) const ID_BYTES: usize = 16;

impl RowCounts {
    pub(crate) fn of(&self, table: Table) -> Option<u64> {
        match table {
            Table::Recordings => Some(self.recordings),
            Table::Frames => Some(self.frames),
            Table::Events => Some(self.events),
            Table::Keys => self.keys,
        }
    }
}

fn not_a_dataset_error(folder: &Path) -> Error {
    if let Err(error) = fs::metadata(folder) {
        return error.into();
    }
    let message = format!("there is no {MANIFEST_NAME} in it: this is no dataset, or its first build was not finished");
    Error::new(ErrorKind::NotARecording, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_names_of_parts() {
        let id = "0123456789abcdef0123456789abcdef";
        assert_eq!(partition_id(&partition_file_name(id)), Some(id));
        for other in ["part-.parquet", "part-0123.parquet", "data.parquet", "part-../../../etc/passwd.parquet"] {
            assert_eq!(partition_id(other), None, "{other}");
        }
        assert_eq!(partition_id(&partition_file_name(&id.to_uppercase())), None);
    }

    #[test]
    fn a_manifest_leads_nowhere_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = Partition::new("0123456789abcdef0123456789abcdef", RowCounts::default(), Vec::new());
        let manifest = |files: PartitionFiles| Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            schema_version: SCHEMA_VERSION,
            holotape_version: HOLOTAPE_VERSION.to_owned(),
            rate_hz: 60.0,
            keys: false,
            parts: vec![Partition { files, ..part.clone() }],
        };
        let read = |manifest: &Manifest| {
            fs::write(folder.path().join(MANIFEST_NAME), serde_json::to_vec(manifest).expect("JSON")).expect("written");
            Manifest::read(folder.path())
        };
        let ours = manifest(part.files.clone());
        assert_eq!(read(&ours).expect("a manifest"), Some(ours));
        let elsewhere = PartitionFiles { frames: "../secret.parquet".to_owned(), ..part.files.clone() };
        assert!(read(&manifest(elsewhere)).is_err());
    }
}
