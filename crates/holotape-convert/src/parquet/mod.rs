//! Parquet tables.
//!
//! Compressed with zstd, floats plain, with statistics. The metadata has keys that start with `holotape.`: the table and its
//! schema version, times, space and units, and for one recording its source, duration, format and markers.

mod column_chunk;
mod row_groups;

use std::io::Write;
use std::panic::catch_unwind;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use holotape::format::{Channels, ReadOptions};
use holotape::{Error, ErrorKind, Recording, Result, WindowedRecording};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;

pub use self::row_groups::RowGroupWriter;
use crate::table::{self, BatchWriter, Metadata, TableDecoder, TableOptions};
use crate::{Losses, Space, thrift};

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
    write_windowed(&WindowedRecording::new(recording), options, out)
}

/// The same for a recording whose keys may be in a file.
pub(crate) fn write_windowed(
    recording: &WindowedRecording<'_>,
    options: &TableOptions,
    out: impl Write + Send,
) -> Result<Losses> {
    let metadata = Metadata::new(options).with_recording(recording.outline(), options);
    let writer = Writer::new(out, &table::schema(options), metadata)?;
    table::write_table(recording, options, Channels::ALL, true, writer)
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
    thrift::check_footer(bytes)?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(bytes)).map_err(parquet_error)?;
    check_size(reader.metadata(), max_recording_bytes)?;
    check_pages(reader.metadata(), bytes)?;
    let pairs = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let batches = reader.build().map_err(parquet_error)?.map(|batch| batch.map_err(table::arrow_error));
    table::decode(batches, TableDecoder::new(space).with_metadata(pairs))
}

/// Checks the headers of all pages. Columns that share bytes would have to be read more than once.
fn check_pages(metadata: &ParquetMetaData, bytes: &[u8]) -> Result<()> {
    let mut rest = bytes.len();
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let (start, length) = column.byte_range();
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
        let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len() - start);
        rest = rest.checked_sub(length).ok_or_else(|| {
            Error::new(ErrorKind::Invalid, "the file is damaged: its columns are longer than the file in total")
        })?;
        thrift::check_pages(&bytes[start..start + length], value_count(column))?;
    }
    Ok(())
}

/// A key has a time and a value.
const KEY_BYTES: u64 = 8;

fn value_count(column: &ColumnChunkMetaData) -> u64 {
    u64::try_from(column.num_values()).unwrap_or(0)
}

/// Rejects tables with too many keys, by the rows of the row groups and the values of the columns, not by the total that
/// the file claims.
fn check_size(metadata: &ParquetMetaData, max_recording_bytes: u64) -> Result<()> {
    let cells = |group: &RowGroupMetaData| {
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        group.columns().iter().map(|column| value_count(column).max(rows)).fold(0, u64::saturating_add)
    };
    let cells = metadata.row_groups().iter().map(cells).fold(0, u64::saturating_add);
    let bytes = cells.saturating_mul(KEY_BYTES);
    if bytes <= max_recording_bytes {
        return Ok(());
    }
    let message = format!("unpacked, the table is a recording of {bytes} bytes, more than {max_recording_bytes}");
    Err(Error::new(ErrorKind::LimitExceeded, message))
}

/// Minimum number of rows of a row group, except the last.
const ROW_GROUP_ROWS: usize = 1 << 15;

/// Writes a table of one or many recordings.
pub(crate) struct Writer<W: Write + Send>(RowGroupWriter<W>);

impl<W: Write + Send> Writer<W> {
    pub(crate) fn new(out: W, schema: &Schema, metadata: Metadata) -> Result<Self> {
        let pairs: Vec<_> = metadata.into_pairs().collect();
        // In both places: Arrow readers use the schema, others the file metadata.
        let schema = Arc::new(schema.clone().with_metadata(pairs.iter().cloned().collect::<arrow_schema::Metadata>()));
        let pairs = pairs.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled("curve".into(), true)
            .set_column_dictionary_enabled(table::RECORDING.into(), true)
            .set_key_value_metadata(Some(pairs))
            .build();
        RowGroupWriter::new(out, schema, properties).map(Self)
    }
}

impl<W: Write + Send> BatchWriter for Writer<W> {
    fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.0.push(batch);
        if self.0.group_rows() >= ROW_GROUP_ROWS { self.0.end_group() } else { Ok(()) }
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish().map(|_| ())
    }
}

/// I/O errors stay I/O errors.
fn parquet_error(error: ParquetError) -> Error {
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
