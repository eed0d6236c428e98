//! Building the files of one partition.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use holotape::{Error, Result};
use rayon::ThreadPool;

use super::BuildSettings;
use super::changes::{ContentId, SourceFile, partition_hash};
use super::dataset_dir::DatasetDir;
use super::parquet_writer::ParquetTableWriter;
use crate::dataset::{ManifestEntry, Partition, TableCounts};
use crate::rows::{catch_panic, content_hash};
use crate::{RecordingRows, RowOptions, Table};

/// Builds and stages a partition. `check_cancelled` is called once after each recording.
pub(super) fn build_partition(
    dir: &DatasetDir,
    sources: Vec<SourceFile>,
    settings: &BuildSettings,
    pool: &ThreadPool,
    check_cancelled: impl Fn() -> Result<()>,
) -> Result<Partition> {
    let read = |source: &mut SourceFile| read_rows(source, &settings.rows);
    let create = || PartitionWriters::create(dir, settings, pool);
    let (writers, entries) = write_rows(sources, create, read, check_cancelled)?;
    writers.stage(dir, settings, entries)
}

/// Writes the rows of all recordings. If a recording fails after some of its rows have been written, the files are written
/// again without it.
fn write_rows<'a, R: TableRows>(
    mut sources: Vec<SourceFile>,
    create: impl Fn() -> Result<PartitionWriters<'a>>,
    read: impl Fn(&mut SourceFile) -> (ContentId, R),
    check_cancelled: impl Fn() -> Result<()>,
) -> Result<(PartitionWriters<'a>, Vec<ManifestEntry>)> {
    let mut failures: HashMap<usize, Error> = HashMap::new();
    let mut counted = 0;
    'again: loop {
        let mut writers = create()?;
        let mut entries = Vec::with_capacity(sources.len());
        for (number, source) in sources.iter_mut().enumerate() {
            let (content, rows) = read(source);
            match writers.add(source, content, &rows, failures.get(&number)) {
                Ok(entry) => entries.push(entry),
                Err(AddError::Rows(error)) if !failures.contains_key(&number) => {
                    failures.insert(number, error);
                    continue 'again;
                }
                Err(AddError::Rows(error) | AddError::File(error)) => return Err(error),
            }
            if number == counted {
                counted += 1;
                check_cancelled()?;
            }
        }
        return Ok((writers, entries));
    }
}

/// The rows of a recording.
trait TableRows {
    fn table(&self, table: Table) -> Batches<'_>;
    fn error(&self) -> Option<&str>;
    fn sha256(&self) -> Option<&str>;
}

type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch>> + Send + 'a>;

impl TableRows for RecordingRows {
    fn table(&self, table: Table) -> Batches<'_> {
        self.table(table)
    }

    fn error(&self) -> Option<&str> {
        self.error()
    }

    fn sha256(&self) -> Option<&str> {
        self.sha256()
    }
}

/// Why a recording could not be added.
enum AddError {
    /// Its rows could not be made. Files may have some of them.
    Rows(Error),
    /// A file could not be written.
    File(Error),
}

/// One writer per table.
struct PartitionWriters<'a>(Vec<(Table, ParquetTableWriter<'a>)>);

impl<'a> PartitionWriters<'a> {
    fn create(dir: &DatasetDir, settings: &BuildSettings, pool: &'a ThreadPool) -> Result<Self> {
        let create = |table: &Table| {
            let file = ParquetTableWriter::create(dir.temporary_file()?, *table, settings.rows.rate_hz(), pool)?;
            Ok((*table, file))
        };
        settings.tables.iter().map(create).collect::<Result<_>>().map(Self)
    }

    /// Adds the rows of a recording. One that is broken, unreadable or failed before has a single row with its error.
    fn add(
        &mut self,
        source: &SourceFile,
        content: ContentId,
        rows: &impl TableRows,
        failure: Option<&Error>,
    ) -> Result<ManifestEntry, AddError> {
        if let Some(error) = failure {
            let row = RecordingRows::failed(&source.file, source.file_bytes, rows.sha256().map(str::to_owned), error);
            self.push(Table::Recordings, row.table(Table::Recordings))?;
            return Ok(source.entry(content, Some(error.to_string())));
        }
        for table in Table::ALL {
            let batches = catch_panic(|| rows.table(table)).map_err(AddError::Rows)?;
            self.push(table, batches)?;
        }
        Ok(source.entry(content, rows.error().map(str::to_owned)))
    }

    fn push(&mut self, table: Table, mut batches: Batches<'_>) -> Result<(), AddError> {
        let Some((_, file)) = self.0.iter_mut().find(|(of, _)| *of == table) else { return Ok(()) };
        while let Some(batch) = catch_panic(|| batches.next().transpose()).flatten().map_err(AddError::Rows)? {
            // A panic is caused by the rows, and leaves the file unusable.
            catch_panic(|| file.push(batch)).map_err(AddError::Rows)?.map_err(AddError::File)?;
        }
        file.end_recording().map_err(AddError::File)
    }

    fn stage(self, dir: &DatasetDir, settings: &BuildSettings, entries: Vec<ManifestEntry>) -> Result<Partition> {
        let mut rows = TableCounts::default();
        let mut files = Vec::with_capacity(self.0.len());
        for (table, file) in self.0 {
            let (file, count) = file.finish()?;
            match table {
                Table::Recordings => rows.recordings = count,
                Table::Frames => rows.frames = count,
                Table::Events => rows.events = count,
                Table::Keys => rows.keys = Some(count),
            }
            files.push((table, file));
        }
        let partition = Partition::new(&partition_hash(&settings.to_string(), &entries), rows, entries);
        dir.stage(&partition, files)?;
        Ok(partition)
    }
}

/// Reads a recording. A broken or unreadable one has a single row with its error.
fn read_rows(source: &mut SourceFile, options: &RowOptions) -> (ContentId, RecordingRows) {
    match source.read() {
        Ok(bytes) => {
            let sha256 = content_hash(&source.file.path, &bytes);
            let rows = build_rows(source, &bytes, &sha256, options);
            (ContentId::Sha256(sha256), rows)
        }
        Err(error) => (ContentId::Unreadable(error.to_string()), RecordingRows::unreadable(&source.file, &error)),
    }
}

fn build_rows(source: &SourceFile, bytes: &[u8], sha256: &str, options: &RowOptions) -> RecordingRows {
    catch_panic(|| RecordingRows::from_hashed(&source.file, bytes, sha256.to_owned(), options))
        .unwrap_or_else(|error| RecordingRows::failed(&source.file, source.file_bytes, Some(sha256.to_owned()), &error))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::RecordingFile;

    /// The rows of a demo, or a panic in the second batch of frames.
    struct DemoRows {
        rows: RecordingRows,
        panics: bool,
    }

    impl TableRows for DemoRows {
        fn table(&self, table: Table) -> Batches<'_> {
            let panics = self.panics && table == Table::Frames;
            let later = std::iter::once_with(|| panic!("in a later batch")).take(usize::from(panics));
            Box::new(self.rows.table(table).chain(later))
        }

        fn error(&self) -> Option<&str> {
            self.rows.error()
        }

        fn sha256(&self) -> Option<&str> {
            self.rows.sha256()
        }
    }

    #[test]
    fn panic_in_a_later_batch_fails_one_recording_only() {
        let folder = tempfile::tempdir().unwrap();
        let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(0.5).generate().unwrap().to_vec().unwrap();
        let source = |name: &str| SourceFile {
            file: RecordingFile::new(name, folder.path().join(name)),
            file_bytes: None,
            modified_ns: None,
            content: None,
        };
        let settings = BuildSettings::new(&crate::BuildOptions::new().with_keys(true)).unwrap();
        let dir = DatasetDir::lock_for_build(&folder.path().join("dataset")).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let read = |source: &mut SourceFile| {
            let rows = RecordingRows::from_bytes(&source.file, &bytes, &settings.rows);
            let panics = source.file.name == "b.bin";
            (ContentId::Sha256(rows.sha256().unwrap().to_owned()), DemoRows { rows, panics })
        };
        let counted = Cell::new(0);
        let check_cancelled = || {
            counted.set(counted.get() + 1);
            Ok(())
        };
        let sources = ["a.bin", "b.bin", "c.bin"].map(source).to_vec();
        let create = || PartitionWriters::create(&dir, &settings, &pool);
        let (writers, entries) = write_rows(sources, create, read, check_cancelled).unwrap();
        assert_eq!(entries.iter().map(|entry| entry.error.is_some()).collect::<Vec<_>>(), [false, true, false]);
        assert!(entries[1].error.as_ref().unwrap().contains("internal error"), "{:?}", entries[1].error);
        let partition = writers.stage(&dir, &settings, entries).unwrap();
        assert_eq!((partition.rows.recordings, partition.rows.frames), (3, 2 * 31));
        assert_eq!(counted.get(), 3, "each recording counts once");
    }
}
