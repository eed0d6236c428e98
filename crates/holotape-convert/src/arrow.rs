//! Arrow IPC files, also known as Feather version 2.
//!
//! Compressed with zstd. The schema has the metadata of [Parquet files](crate::parquet).
//!
//! They can only be written: the available reader trusts the lengths in a file, so a damaged one could claim all memory. Use
//! [`table::recording`] to decode record batches that you have read yourself.

use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{Recording, Result, WindowedRecording};

use crate::Losses;
use crate::table::{self, BatchWriter, Metadata, TableOptions, arrow_error};

/// Writes a table of one recording.
///
/// ```
/// use holotape_convert::{arrow, table::TableOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut file = Vec::new();
/// assert!(arrow::write(&recording, &TableOptions::new(), &mut file)?.is_empty());
/// assert!(file.starts_with(b"ARROW1"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Timing::times`](crate::Timing::times), or if `out` cannot be written to.
pub fn write(recording: &Recording, options: &TableOptions, out: impl Write) -> Result<Losses> {
    write_windowed(&WindowedRecording::new(recording), options, out)
}

/// The same for a recording whose keys may be in a file.
pub(crate) fn write_windowed(
    recording: &WindowedRecording<'_>,
    options: &TableOptions,
    out: impl Write,
) -> Result<Losses> {
    let metadata = Metadata::new(options).with_recording(recording.outline(), options);
    let writer = Writer::new(out, &table::schema(options), metadata)?;
    table::write_table(recording, options, Channels::ALL, true, writer)
}

/// Writes an Arrow IPC file batch by batch.
pub(crate) struct Writer<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W, schema: &Schema, metadata: Metadata) -> Result<Self> {
        let schema = Arc::new(schema.clone().with_metadata(metadata.into_arrow()));
        let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
        let file =
            FileWriter::try_new_with_options(out, &schema, options.map_err(arrow_error)?).map_err(arrow_error)?;
        Ok(Self { file, schema })
    }
}

impl<W: Write> BatchWriter for Writer<W> {
    fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let batch = batch.with_schema(Arc::clone(&self.schema)).map_err(arrow_error)?;
        self.file.write(&batch).map_err(arrow_error)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.file.finish().map_err(arrow_error)
    }
}
