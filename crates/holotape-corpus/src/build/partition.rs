//! The files of one part, made of its takes.

use holotape::Result;
use rayon::ThreadPool;

use super::BuildSettings;
use super::changes::{ContentId, SourceFile, partition_hash};
use super::dataset_dir::DatasetDir;
use super::parquet_writer::ParquetTableWriter;
use crate::dataset::{ManifestEntry, Partition, RowCounts};
use crate::rows::{catch_panic, sha256};
use crate::{RecordingRows, RowOptions, Table};

/// Makes a part, and keeps it. `go_on` is asked after each take.
pub(super) fn build_partition(
    place: &DatasetDir,
    takes: Vec<SourceFile>,
    settings: &BuildSettings,
    pool: &ThreadPool,
    check_cancelled: impl Fn() -> Result<()>,
) -> Result<Partition> {
    let mut files = PartitionWriters::create(place, settings, pool)?;
    let mut entries = Vec::with_capacity(takes.len());
    for take in takes {
        entries.push(files.add(take, &settings.rows)?);
        check_cancelled()?;
    }
    files.keep(place, settings, entries)
}

/// A file of every table.
struct PartitionWriters<'a>(Vec<(Table, ParquetTableWriter<'a>)>);

impl<'a> PartitionWriters<'a> {
    fn create(place: &DatasetDir, settings: &BuildSettings, pool: &'a ThreadPool) -> Result<Self> {
        let create = |table: &Table| {
            let file = ParquetTableWriter::create(place.temporary_file()?, *table, settings.rows.rate_hz(), pool)?;
            Ok((*table, file))
        };
        settings.tables.iter().map(create).collect::<Result<_>>().map(Self)
    }

    /// Adds the rows of a take. One that is broken, or cannot be read, has a single row that says so.
    fn add(&mut self, mut take: SourceFile, options: &RowOptions) -> Result<ManifestEntry> {
        let (content, rows) = match take.read() {
            Ok(bytes) => {
                let sha256 = sha256(&bytes);
                let rows = build_rows(&take, &bytes, &sha256, options);
                (ContentId::Sha256(sha256), rows)
            }
            Err(error) => (ContentId::Unreadable(error.to_string()), RecordingRows::unreadable(&take.file, &error)),
        };
        // Whatever can go wrong with a take does so before its first frame: until then nothing of it is in any table.
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
                let row = RecordingRows::failed(&take.file, take.bytes, rows.sha256().map(str::to_owned), &error);
                self.push(Table::Recordings, row.table(Table::Recordings))?;
                Some(error.to_string())
            }
        };
        Ok(take.entry(content, error))
    }

    fn push(&mut self, table: Table, batches: impl Iterator<Item = Result<arrow_array::RecordBatch>>) -> Result<()> {
        let Some((_, file)) = self.0.iter_mut().find(|(of, _)| *of == table) else { return Ok(()) };
        for batch in batches {
            file.push(&batch?)?;
        }
        file.end_recording()
    }

    fn keep(self, place: &DatasetDir, settings: &BuildSettings, entries: Vec<ManifestEntry>) -> Result<Partition> {
        let mut rows = RowCounts::default();
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
        let part = Partition::new(&partition_hash(&settings.to_string(), &entries), rows, entries);
        place.stage(&part, files)?;
        Ok(part)
    }
}

/// What breaks a reader breaks only its take.
fn build_rows(take: &SourceFile, bytes: &[u8], sha256: &str, options: &RowOptions) -> RecordingRows {
    catch_panic(|| RecordingRows::from_hashed(&take.file, bytes, sha256.to_owned(), options))
        .unwrap_or_else(|error| RecordingRows::failed(&take.file, take.bytes, Some(sha256.to_owned()), &error))
}
