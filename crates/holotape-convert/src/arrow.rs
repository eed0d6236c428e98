//! Tables in columns, as they are in memory: Arrow IPC files, which Feather version 2 is another name of.
//!
//! Compressed with zstd. The schema's metadata are those of [Parquet files](crate::parquet).

use std::io::{Cursor, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{Schema, SchemaRef};
use holotape::{Recording, Result};

use crate::table::{self, Collector, Metadata, TableOptions, arrow_error};
use crate::{Losses, Space};

/// Writes a table of one recording.
///
/// ```
/// use holotape_convert::{arrow, table::TableOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// let mut file = Vec::new();
/// assert!(arrow::write(&take, &TableOptions::new(), &mut file)?.is_empty());
/// let (again, _) = arrow::read(&file)?;
/// assert_eq!(again.markers, take.markers);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the times make no sense, or `out` cannot be written to.
pub fn write(recording: &Recording, options: &TableOptions, out: impl Write) -> Result<Losses> {
    let metadata = Metadata::new(options).with_recording(recording, options);
    let mut writer = Writer::new(out, &table::schema(options), metadata)?;
    for batch in table::batches(recording, options)? {
        writer.push(&batch?)?;
    }
    writer.finish()?;
    table::losses(recording, options, true)
}

/// Reads a table of one recording: frames or keys.
///
/// # Errors
/// If this is no Arrow IPC file, or has not the columns of a recording.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(arrow_error)?;
    let collector = Collector::new(Space::Unity).with_metadata(reader.schema().metadata().clone());
    table::collect(reader.map(|batch| batch.map_err(arrow_error)), collector)
}

/// An Arrow IPC file as it grows.
pub(crate) struct Writer<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W, schema: &Schema, metadata: Metadata) -> Result<Self> {
        let schema = Arc::new(schema.clone().with_metadata(metadata.into_pairs().collect()));
        let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
        let file =
            FileWriter::try_new_with_options(out, &schema, options.map_err(arrow_error)?).map_err(arrow_error)?;
        Ok(Self { file, schema })
    }

    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), batch.columns().to_vec()).map_err(arrow_error)?;
        self.file.write(&batch).map_err(arrow_error)
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.file.finish().map_err(arrow_error)
    }
}
