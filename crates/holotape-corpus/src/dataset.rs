//! Datasets on disk: the manifest `dataset.json` and the files that it lists.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use holotape::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::{SCHEMA_VERSION, Table, file};

/// The file name of the manifest.
pub const MANIFEST_NAME: &str = "dataset.json";

/// A manifest starts with its format, within this prefix.
const PREFIX_BYTES: u64 = 4096;

/// The value of `format` in every manifest.
pub(crate) const FORMAT: &str = "holotape dataset";

/// The version of partitioning and file layout. It changes if the same recordings would give other files.
pub(crate) const FORMAT_VERSION: u32 = 1;

/// The version of holotape. Other versions may read recordings differently or report other findings.
pub(crate) const HOLOTAPE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// A dataset. Its manifest is the only authority on which files belong to it.
///
/// ```
/// use holotape_corpus::{BuildOptions, Dataset, Table, build};
///
/// let folder = tempfile::tempdir()?;
/// let (recording, out) = (folder.path().join("reach.bin"), folder.path().join("out"));
/// let _losses = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(&recording)?;
/// build([&recording], &out, &BuildOptions::new(), |_| std::ops::ControlFlow::Continue(()))?;
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
    /// Reads the manifest of a dataset, but none of its tables.
    ///
    /// # Errors
    /// If the folder is not a dataset, or has the tables of another version.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let with_path = |error: Error| error.with_path(folder);
        let manifest =
            Manifest::read(folder).map_err(with_path)?.ok_or_else(|| with_path(not_a_dataset_error(folder)))?;
        if manifest.schema_version != SCHEMA_VERSION {
            let message = format!(
                "the tables have schema version {}, not {SCHEMA_VERSION}; rebuild with `holotape dataset build`",
                manifest.schema_version
            );
            return Err(with_path(Error::new(ErrorKind::UnsupportedVersion, message)));
        }
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Whether a folder has the manifest of a holotape dataset. Only the start of the manifest is read.
    #[must_use]
    pub fn is_at(folder: impl AsRef<Path>) -> bool {
        let head = || -> io::Result<Vec<u8>> {
            let mut head = Vec::new();
            file::open(&folder.as_ref().join(MANIFEST_NAME))?.0.take(PREFIX_BYTES).read_to_end(&mut head)?;
            Ok(head)
        };
        head().is_ok_and(|head| is_manifest_prefix(&String::from_utf8_lossy(&head)))
    }

    /// Returns the folder of the dataset.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the Parquet files of a table, in the order of their recordings.
    ///
    /// # Errors
    /// If the dataset was built without that table.
    pub fn files(&self, table: Table) -> Result<Vec<PathBuf>> {
        if !self.manifest.tables().contains(&table) {
            let message = format!("the dataset has no table {table}; rebuild it with --with-keys");
            return Err(Error::invalid_argument(message).with_path(&self.folder));
        }
        Ok(self.manifest.partitions.iter().map(|partition| self.folder.join(partition.file(table))).collect())
    }

    /// Returns the number of rows of a table; 0 if the dataset does not have it.
    #[must_use]
    pub fn rows(&self, table: Table) -> u64 {
        self.manifest.partitions.iter().map(|partition| partition.rows.of(table).unwrap_or(0)).sum()
    }

    /// Returns the rate of the table of frames.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        self.manifest.rate_hz
    }

    /// Returns the tables of the dataset.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        self.manifest.tables()
    }

    /// Returns the number of partitions. Each has one file per table.
    #[must_use]
    pub fn partition_count(&self) -> usize {
        self.manifest.partitions.len()
    }

    /// Returns all recordings, sorted by name.
    pub fn recordings(&self) -> impl Iterator<Item = &ManifestEntry> {
        self.manifest.partitions.iter().flat_map(|partition| &partition.recordings)
    }
}

/// A recording in the manifest.
///
/// ```
/// # fn print(dataset: &holotape_corpus::Dataset) {
/// for entry in dataset.recordings().filter(|entry| entry.error.is_some()) {
///     println!("{} is broken", entry.recording);
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The name in every table.
    pub recording: String,
    /// The path of the file.
    pub path: String,
    /// The file size; `None` if it is unknown.
    pub file_bytes: Option<u64>,
    /// Modification time of the file, in nanoseconds since 1970. `None` if the file changed less than 2 s before it was read:
    /// it may then change again without a new modification time.
    pub modified_ns: Option<i64>,
    /// The hash of the file; `None` if it could not be read.
    pub sha256: Option<String>,
    /// Why the recording has no frames.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: String,
    pub(crate) format_version: u32,
    pub(crate) schema_version: u32,
    /// The version of holotape that built the dataset; empty if unknown.
    #[serde(default)]
    pub(crate) holotape_version: String,
    pub(crate) rate_hz: f64,
    pub(crate) has_keys: bool,
    pub(crate) partitions: Vec<Partition>,
}

/// Recordings whose rows share one file per table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Partition {
    pub(crate) files: PartitionFiles,
    pub(crate) rows: TableCounts,
    pub(crate) recordings: Vec<ManifestEntry>,
}

/// Paths relative to the folder of the dataset, with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartitionFiles {
    pub(crate) recordings: String,
    pub(crate) frames: String,
    pub(crate) events: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) keys: Option<String>,
}

/// A number per table.
///
/// ```
/// assert_eq!(holotape_corpus::TableCounts::default().keys, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCounts {
    /// Of [`Table::Recordings`].
    pub recordings: u64,
    /// Of [`Table::Frames`].
    pub frames: u64,
    /// Of [`Table::Events`].
    pub events: u64,
    /// Of [`Table::Keys`]; `None` if the dataset does not have it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub keys: Option<u64>,
}

/// Whether a manifest of a holotape dataset starts like this. The rest may be large or damaged.
fn is_manifest_prefix(head: &str) -> bool {
    let value = |rest: &str| rest.trim_start().strip_prefix(':').map(|rest| rest.trim_start().to_owned());
    let is_ours = |rest: &str| value(rest).is_some_and(|rest| rest.starts_with(&format!("\"{FORMAT}\"")));
    head.trim_start().starts_with('{') && head.split("\"format\"").skip(1).any(is_ours)
}

impl Manifest {
    /// Reads the manifest of a folder; `None` if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let bytes = match fs::read(folder.join(MANIFEST_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let damaged = |reason: &dyn std::fmt::Display| {
            let message = format!("{MANIFEST_NAME} is damaged: {reason}; remove it and rebuild the dataset");
            Error::new(ErrorKind::Invalid, message)
        };
        let header: ManifestHeader = serde_json::from_slice(&bytes).map_err(|error| damaged(&error))?;
        if header.format != FORMAT {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("{MANIFEST_NAME} is not the manifest of a holotape dataset"),
            ));
        }
        if header.format_version > FORMAT_VERSION || header.schema_version > SCHEMA_VERSION {
            let message =
                "a newer version of holotape built this dataset; use that version, or build into another folder";
            return Err(Error::new(ErrorKind::UnsupportedVersion, message));
        }
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| damaged(&error))?;
        if manifest
            .partitions
            .iter()
            .any(|partition| partition.id().is_none() || !partition.has_tables(manifest.has_keys))
        {
            return Err(damaged(&"it lists invalid file names"));
        }
        Ok(Some(manifest))
    }

    pub(crate) fn tables(&self) -> Vec<Table> {
        tables(self.has_keys)
    }
}

/// The fields of every version of the manifest.
#[derive(Deserialize)]
struct ManifestHeader {
    format: String,
    format_version: u32,
    schema_version: u32,
}

/// The tables of a dataset.
pub(crate) fn tables(has_keys: bool) -> Vec<Table> {
    Table::ALL.into_iter().filter(|table| has_keys || *table != Table::Keys).collect()
}

impl Partition {
    /// Names the files after the hash of their inputs.
    pub(crate) fn new(id: &str, rows: TableCounts, recordings: Vec<ManifestEntry>) -> Self {
        let file = |table| format!("{table}/{}", partition_file_name(id));
        let files = PartitionFiles {
            recordings: file(Table::Recordings),
            frames: file(Table::Frames),
            events: file(Table::Events),
            keys: rows.keys.map(|_| file(Table::Keys)),
        };
        Self { files, rows, recordings }
    }

    /// The hash in the file names; `None` if a name has another form. So a manifest from an untrusted source cannot refer to
    /// files outside of the dataset.
    pub(crate) fn id(&self) -> Option<&str> {
        let id = partition_id(self.files.recordings.strip_prefix("recordings/")?)?;
        (*self == Self::new(id, self.rows, self.recordings.clone())).then_some(id)
    }

    fn has_tables(&self, has_keys: bool) -> bool {
        self.rows.keys.is_some() == has_keys
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

pub(crate) fn partition_file_name(id: &str) -> String {
    format!("part-{id}.parquet")
}

/// The hash in the file name of a partition; `None` for other names.
pub(crate) fn partition_id(name: &str) -> Option<&str> {
    let id = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (id.len() == 2 * ID_BYTES && id.bytes().all(is_hex)).then_some(id)
}

/// Bytes of the hash that name a partition.
pub(crate) const ID_BYTES: usize = 16;

impl TableCounts {
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
    let message = format!("not a dataset: no {MANIFEST_NAME}, or its first build did not finish");
    Error::new(ErrorKind::NotARecording, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_file_names_are_not_partitions() {
        let id = "0123456789abcdef0123456789abcdef";
        assert_eq!(partition_id(&partition_file_name(id)), Some(id));
        for other in ["part-.parquet", "part-0123.parquet", "data.parquet", "part-../../../etc/passwd.parquet"] {
            assert_eq!(partition_id(other), None, "{other}");
        }
        assert_eq!(partition_id(&partition_file_name(&id.to_uppercase())), None);
    }

    #[test]
    fn manifest_with_paths_outside_the_dataset_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let partition = Partition::new("0123456789abcdef0123456789abcdef", TableCounts::default(), Vec::new());
        let manifest = |files: PartitionFiles| Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            schema_version: SCHEMA_VERSION,
            holotape_version: HOLOTAPE_VERSION.to_owned(),
            rate_hz: 60.0,
            has_keys: false,
            partitions: vec![Partition { files, ..partition.clone() }],
        };
        let read = |manifest: &Manifest| {
            fs::write(folder.path().join(MANIFEST_NAME), serde_json::to_vec(manifest).expect("JSON")).expect("written");
            Manifest::read(folder.path())
        };
        let ours = manifest(partition.files.clone());
        assert_eq!(read(&ours).expect("a manifest"), Some(ours));
        let elsewhere = PartitionFiles { frames: "../secret.parquet".to_owned(), ..partition.files.clone() };
        assert!(read(&manifest(elsewhere)).is_err());
    }
}
