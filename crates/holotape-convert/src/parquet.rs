//! Parquet tables.
//!
//! Compressed with zstd, floats plain, with statistics. The metadata has keys that start with `holotape.`: the table and its
//! schema version, times, space and units, and for one recording its source, duration, format and markers.

use std::io::Write;
use std::panic::catch_unwind;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use holotape::format::ReadOptions;
use holotape::{Error, ErrorKind, Recording, Result};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriter, compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use crate::table::{self, Metadata, TableDecoder, TableOptions};
use crate::{Losses, Space};

/// Writes a table of one recording.
///
/// ```
/// use holotape_convert::{Space, parquet, table::TableOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut file = Vec::new();
/// assert!(parquet::write(&recording, &TableOptions::new(), &mut file)?.is_empty());
/// let (again, _) = parquet::read(&file, Space::Unity)?;
/// assert_eq!(again.markers, recording.markers);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Timing::times`](crate::Timing::times), or if `out` cannot be written to.
pub fn write(recording: &Recording, options: &TableOptions, out: impl Write + Send) -> Result<Losses> {
    let metadata = Metadata::new(options).with_recording(recording, options);
    let mut writer = Writer::new(out, table::schema(options), metadata)?;
    for batch in table::batches(recording, options)? {
        writer.push(batch?)?;
    }
    writer.finish()?;
    table::losses(recording, options, true)
}

/// Reads a table of one recording, frames or keys. `space` applies if the file has no metadata, as when another program
/// saved it.
///
/// ```
/// use holotape_convert::{Space, parquet};
///
/// assert!(parquet::read(b"PAR1", Space::Unity).is_err());
/// ```
///
/// # Errors
/// If this is not a Parquet file, columns are missing, or the recording would exceed [`ReadOptions::DEFAULT_MAX_BYTES`].
pub fn read(bytes: &[u8], space: Space) -> Result<(Recording, Losses)> {
    read_up_to(bytes, space, ReadOptions::DEFAULT_MAX_BYTES)
}

/// Reads a table whose recording has at most `max_recording_bytes`.
pub(crate) fn read_up_to(bytes: &[u8], space: Space, max_recording_bytes: u64) -> Result<(Recording, Losses)> {
    let broken = || Error::new(ErrorKind::Invalid, "the file is damaged: column lengths contradict its metadata");
    // The reader panics on some damaged files. The panic message still appears on stderr.
    catch_unwind(|| read_checked(bytes, space, max_recording_bytes)).unwrap_or_else(|_| Err(broken()))
}

fn read_checked(bytes: &[u8], space: Space, max_recording_bytes: u64) -> Result<(Recording, Losses)> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(bytes)).map_err(parquet_error)?;
    check_size(reader.metadata(), max_recording_bytes)?;
    let pairs = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let batches = reader.build().map_err(parquet_error)?.map(|batch| batch.map_err(table::arrow_error));
    table::decode(batches, TableDecoder::new(space).with_metadata(pairs))
}

/// A key has a time and a value.
const KEY_BYTES: u64 = 8;

/// Rejects tables with too many keys, by the rows of the row groups, not by the total that the file claims.
fn check_size(metadata: &ParquetMetaData, max_recording_bytes: u64) -> Result<()> {
    let cells = |group: &RowGroupMetaData| {
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        rows.saturating_mul(group.num_columns() as u64)
    };
    let cells = metadata.row_groups().iter().map(cells).fold(0, u64::saturating_add);
    let bytes = cells.saturating_mul(KEY_BYTES);
    if bytes <= max_recording_bytes {
        return Ok(());
    }
    let message = format!("unpacked, the table is a recording of {bytes} bytes, more than {max_recording_bytes}");
    Err(Error::new(ErrorKind::LimitExceeded, message))
}

/// As many rows as a row group is to have at least.
const ROW_GROUP_ROWS: usize = 1 << 15;

/// A Parquet file as it grows.
pub(crate) struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    pending: Vec<RecordBatch>,
    row_groups: usize,
}

impl<W: Write + Send> Writer<W> {
    pub(crate) fn new(out: W, schema: SchemaRef, metadata: Metadata) -> Result<Self> {
        let pairs: Vec<_> = metadata.into_pairs().collect();
        // In both places: Arrow readers use the schema, others the file metadata.
        let schema = Arc::new(schema.as_ref().clone().with_metadata(pairs.iter().cloned().collect()));
        let pairs = pairs.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled("curve".into(), true)
            .set_column_dictionary_enabled(table::RECORDING.into(), true)
            .set_key_value_metadata(Some(pairs))
            .build();
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties)).map_err(parquet_error)?;
        let (file, columns) = writer.into_serialized_writer().map_err(parquet_error)?;
        Ok(Self { file, columns, schema, pending: Vec::new(), row_groups: 0 })
    }

    /// Adds rows, which are written when a row group is full.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.pending.push(batch);
        let rows: usize = self.pending.iter().map(RecordBatch::num_rows).sum();
        if rows >= ROW_GROUP_ROWS { self.write_row_group() } else { Ok(()) }
    }

    /// Writes a row group, its columns in parallel.
    fn write_row_group(&mut self) -> Result<()> {
        let batches = std::mem::take(&mut self.pending);
        if batches.iter().all(|batch| batch.num_rows() == 0) {
            return Ok(());
        }
        let writers = self.columns.create_column_writers(self.row_groups).map_err(parquet_error)?;
        let chunks =
            writers.into_par_iter().enumerate().map(|(n, writer)| column_chunk(writer, &self.schema, n, &batches));
        let chunks = chunks.collect::<Result<Vec<_>, _>>().map_err(parquet_error)?;
        let mut group = self.file.next_row_group().map_err(parquet_error)?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group).map_err(parquet_error)?;
        }
        group.close().map_err(parquet_error)?;
        self.row_groups += 1;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.write_row_group()?;
        self.file.close().map_err(parquet_error)?;
        Ok(())
    }
}

fn column_chunk(
    mut writer: ArrowColumnWriter,
    schema: &SchemaRef,
    column: usize,
    batches: &[RecordBatch],
) -> Result<ArrowColumnChunk, ParquetError> {
    for batch in batches {
        for leaf in compute_leaves(schema.field(column), batch.column(column))? {
            writer.write(&leaf)?;
        }
    }
    writer.close()
}

/// Converts an error of the Parquet reader or writer; I/O errors stay I/O errors.
///
/// ```
/// use parquet::errors::ParquetError;
///
/// let error = holotape_convert::parquet::parquet_error(ParquetError::General("no footer".to_owned()));
/// assert_eq!(error.kind(), holotape::ErrorKind::Invalid);
/// ```
#[must_use]
pub fn parquet_error(error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(error) => (*error).into(),
            Err(other) => Error::new(ErrorKind::Invalid, other.to_string()),
        },
        ParquetError::General(message) if message.starts_with("Disabled feature") => {
            Error::new(ErrorKind::Invalid, "unsupported compression; use zstd, snappy, lz4 or none")
        }
        other => Error::new(ErrorKind::Invalid, other.to_string()),
    }
}
