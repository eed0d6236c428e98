//! The files of one part, made of its takes.

use holotape::Result;
use rayon::ThreadPool;

use super::Settings;
use super::file::TableFile;
use super::place::Place;
use super::survey::{Content, Seen, part_id};
use crate::dataset::{Part, Rows as RowCounts, TakeEntry};
use crate::rows::{guarded, sha256};
use crate::{RowOptions, Rows, Table};

/// Makes a part, and keeps it. `go_on` is asked after each take.
pub(super) fn make(
    place: &Place,
    takes: Vec<Seen>,
    settings: &Settings,
    pool: &ThreadPool,
    go_on: impl Fn() -> Result<()>,
) -> Result<Part> {
    let mut files = Files::create(place, settings, pool)?;
    let mut entries = Vec::with_capacity(takes.len());
    for take in takes {
        entries.push(files.add(take, &settings.rows)?);
        go_on()?;
    }
    files.keep(place, settings, entries)
}

/// A file of every table.
struct Files<'a>(Vec<(Table, TableFile<'a>)>);

impl<'a> Files<'a> {
    fn create(place: &Place, settings: &Settings, pool: &'a ThreadPool) -> Result<Self> {
        let create = |table: &Table| {
            let file = TableFile::create(place.temporary_file()?, *table, settings.rows.rate_hz(), pool)?;
            Ok((*table, file))
        };
        settings.tables.iter().map(create).collect::<Result<_>>().map(Self)
    }

    /// Adds the rows of a take. One that is broken, or cannot be read, has a single row that says so.
    fn add(&mut self, mut take: Seen, options: &RowOptions) -> Result<TakeEntry> {
        let (content, rows) = match take.read() {
            Ok(bytes) => {
                let sha256 = sha256(&bytes);
                let rows = rows_of(&take, &bytes, &sha256, options);
                (Content::Sha256(sha256), rows)
            }
            Err(error) => (Content::Unreadable(error.to_string()), Rows::unreadable(&take.file, &error)),
        };
        // Whatever can go wrong with a take does so before its first frame: until then nothing of it is in any table.
        let mut frames = rows.table(Table::Frames);
        let first_frames = guarded(|| frames.next().transpose()).flatten();
        let events = guarded(|| rows.table(Table::Events).collect::<Result<Vec<_>>>()).flatten();
        let error = match (first_frames, events) {
            (Ok(first_frames), Ok(events)) => {
                self.push(Table::Recordings, rows.table(Table::Recordings))?;
                self.push(Table::Frames, first_frames.map(Ok).into_iter().chain(frames))?;
                self.push(Table::Events, events.into_iter().map(Ok))?;
                self.push(Table::Keys, rows.table(Table::Keys))?;
                rows.error().map(str::to_owned)
            }
            (Err(error), _) | (_, Err(error)) => {
                let row = Rows::failed(&take.file, take.bytes, rows.sha256().map(str::to_owned), &error);
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
        file.end_take()
    }

    fn keep(self, place: &Place, settings: &Settings, entries: Vec<TakeEntry>) -> Result<Part> {
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
        let part = Part::new(&part_id(&settings.to_string(), &entries), rows, entries);
        place.keep(&part, files)?;
        Ok(part)
    }
}

/// What breaks a reader breaks only its take.
fn rows_of(take: &Seen, bytes: &[u8], sha256: &str, options: &RowOptions) -> Rows {
    guarded(|| Rows::of_hashed(&take.file, bytes, sha256.to_owned(), options))
        .unwrap_or_else(|error| Rows::failed(&take.file, take.bytes, Some(sha256.to_owned()), &error))
}
