//! Building the files of one partition.

use holotape::Result;
use rayon::ThreadPool;

use super::BuildSettings;
use super::changes::{ContentId, SourceFile, partition_hash};
use super::dataset_dir::DatasetDir;
use super::parquet_writer::ParquetTableWriter;
use crate::dataset::{ManifestEntry, Partition, TableCounts};
use crate::rows::{catch_panic, sha256};
use crate::{RecordingRows, RowOptions, Table};

/// Builds and stages a partition. `check_cancelled` is called after each recording.
pub(super) fn build_partition(
    dir: &DatasetDir,
    sources: Vec<SourceFile>,
    settings: &BuildSettings,
    pool: &ThreadPool,
    check_cancelled: impl Fn() -> Result<()>,
) -> Result<Partition> {
    let mut files = PartitionWriters::create(dir, settings, pool)?;
    let mut entries = Vec::with_capacity(sources.len());
    for source in sources {
        entries.push(files.add(source, &settings.rows)?);
        check_cancelled()?;
    }
    files.stage(dir, settings, entries)
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

    /// Adds the rows of a recording. A broken or unreadable one has a single row with its error.
    fn add(&mut self, mut source: SourceFile, options: &RowOptions) -> Result<ManifestEntry> {
        let (content, rows) = match source.read() {
            Ok(bytes) => {
                let sha256 = sha256(&bytes);
                let rows = build_rows(&source, &bytes, &sha256, options);
                (ContentId::Sha256(sha256), rows)
            }
            Err(error) => (ContentId::Unreadable(error.to_string()), RecordingRows::unreadable(&source.file, &error)),
        };
        // All errors occur before the first frame: until then, no table has rows of this recording.
        let mut frames = rows.table(Table::Frames);
        let first_frames = catch_panic(|| frames.next().transpose()).flatten();
        let events = catch_panic(|| rows.table(Table::Events).collect::<Result<Vec<_>>>()).flatten();
        let error = match (first_frames, events) {
            (Ok(first_frames), Ok(events)) => {
                self.push(Table::Recordings, rows.table(Table::Recordings))?;
                self.push(Table::Frames, first_frames.map(Ok).into_iter().chain(frames))?;
                self.push(Table::Events, events.into_iter().map(Ok))?;
                self.push(Table::Keys, rows.table(Table::Keys))?;
                rows.error().map(str::to_owned)
            }
            (Err(error), _) | (_, Err(error)) => {
                let row =
                    RecordingRows::failed(&source.file, source.file_bytes, rows.sha256().map(str::to_owned), &error);
                self.push(Table::Recordings, row.table(Table::Recordings))?;
                Some(error.to_string())
            }
        };
        Ok(source.entry(content, error))
    }

    fn push(&mut self, table: Table, batches: impl Iterator<Item = Result<arrow_array::RecordBatch>>) -> Result<()> {
        let Some((_, file)) = self.0.iter_mut().find(|(of, _)| *of == table) else { return Ok(()) };
        for batch in batches {
            file.push(batch?)?;
        }
        file.end_recording()
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

fn build_rows(source: &SourceFile, bytes: &[u8], sha256: &str, options: &RowOptions) -> RecordingRows {
    catch_panic(|| RecordingRows::from_hashed(&source.file, bytes, sha256.to_owned(), options))
        .unwrap_or_else(|error| RecordingRows::failed(&source.file, source.file_bytes, Some(sha256.to_owned()), &error))
}
