//! Row groups, whose columns are encoded in parallel.

use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, SchemaRef};
use holotape::{Result, parallel};
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, ArrowWriter};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use super::column_chunk::{ColumnChunk, ColumnEncoder};
use super::parquet_error;

/// The columns of a task share contexts for compression. Enough tasks for eight threads: columns take different times.
const MAX_TASKS: usize = 32;

/// Writes a Parquet file, the columns of a row group in parallel. Every column must have one leaf.
///
/// ```
/// use holotape_convert::parquet::RowGroupWriter;
/// use holotape_convert::table::{TableOptions, batches, schema};
/// use parquet::file::properties::WriterProperties;
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let options = TableOptions::new();
/// let mut writer = RowGroupWriter::new(Vec::new(), schema(&options), WriterProperties::default())?;
/// for batch in batches(&recording, &options)? {
///     writer.push(batch?);
///     writer.end_group()?;
/// }
/// assert!(writer.finish()?.starts_with(b"PAR1"));
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct RowGroupWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// For each column, the level of compression if [`ColumnEncoder`] encodes it.
    zstd_levels: Vec<Option<ZstdLevel>>,
    group: Vec<RecordBatch>,
    group_count: usize,
}

impl<W: Write + Send> RowGroupWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// If `out` cannot be written to, or Parquet does not support the schema.
    pub fn new(out: W, schema: SchemaRef, properties: WriterProperties) -> Result<Self> {
        let level = |field: &Arc<Field>| zstd_level(field, &properties);
        let zstd_levels: Vec<_> = schema.fields().iter().map(level).collect();
        // `ColumnEncoder` compresses these columns, so the writers of the library must not.
        let encoded = schema.fields().iter().zip(&zstd_levels).filter(|(_, level)| level.is_some());
        let uncompressed = encoded.fold(properties.into_builder(), |builder, (field, _)| {
            builder.set_column_compression(column_path(field), Compression::UNCOMPRESSED)
        });
        let writer =
            ArrowWriter::try_new(out, Arc::clone(&schema), Some(uncompressed.build())).map_err(parquet_error)?;
        let (file, columns) = writer.into_serialized_writer().map_err(parquet_error)?;
        Ok(Self { file, columns, schema, zstd_levels, group: Vec::new(), group_count: 0 })
    }

    /// Adds rows to the current row group.
    pub fn push(&mut self, batch: RecordBatch) {
        self.group.push(batch);
    }

    /// The number of rows of the current row group.
    #[must_use]
    pub fn group_rows(&self) -> usize {
        self.group.iter().map(RecordBatch::num_rows).sum()
    }

    /// Writes the current row group, if it has rows. Uses the threads of the pool in which it is called, or else threads that end
    /// with this call.
    ///
    /// # Errors
    /// If the columns do not match the schema, or the file cannot be written.
    pub fn end_group(&mut self) -> Result<()> {
        let batches = std::mem::take(&mut self.group);
        if batches.iter().all(|batch| batch.num_rows() == 0) {
            return Ok(());
        }
        self.write_group(&batches).map_err(parquet_error)?;
        self.group_count += 1;
        Ok(())
    }

    fn write_group(&mut self, batches: &[RecordBatch]) -> Result<(), ParquetError> {
        let expected = self.schema.fields().len();
        if let Some(batch) = batches.iter().find(|batch| batch.num_columns() != expected) {
            let message = format!("a batch has {} columns, but the schema {expected}", batch.num_columns());
            return Err(ParquetError::General(message));
        }
        let chunks = self.encode_columns(batches)?;
        let mut group = self.file.next_row_group()?;
        for chunk in chunks {
            chunk.append_to(&mut group)?;
        }
        group.close().map(|_| ())
    }

    fn encode_columns(&self, batches: &[RecordBatch]) -> Result<Vec<ColumnChunk>, ParquetError> {
        let Self { file, columns, schema, zstd_levels, group_count, .. } = self;
        let (descriptor, properties) = (file.schema_descr(), file.properties());
        // All or none can be created. Without compression, that takes little time.
        let writers: Vec<_> = match zstd_levels.contains(&None) {
            true => columns.create_column_writers(*group_count)?.into_iter().map(Some).collect(),
            false => zstd_levels.iter().map(|_| None).collect(),
        };
        let encode = |encoder: &mut ColumnEncoder, (column, (writer, level)): (usize, (Option<_>, &Option<_>))| {
            let arrays = batches.iter().map(|batch| batch.column(column));
            match (level, writer) {
                (Some(level), _) => encoder.encode(descriptor.column(column), properties, *level, arrays),
                (None, Some(writer)) => ColumnChunk::from_arrow(writer, schema.field(column), arrays),
                (None, None) => Err(ParquetError::General(format!("column {column} has no writer"))),
            }
        };
        let columns_per_task = zstd_levels.len().div_ceil(MAX_TASKS);
        let mut columns = writers.into_iter().zip(zstd_levels).enumerate();
        let next_task =
            || Some(columns.by_ref().take(columns_per_task).collect()).filter(|task: &Vec<_>| !task.is_empty());
        let tasks: Vec<_> = std::iter::from_fn(next_task).collect();
        let encode_all = |columns: Vec<_>| {
            let mut encoder = ColumnEncoder::default();
            columns.into_iter().map(|column| encode(&mut encoder, column)).collect::<Result<Vec<_>, _>>()
        };
        Ok(map_tasks(tasks, encode_all).into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Writes the last row group and the end of the file.
    ///
    /// # Errors
    /// As [`end_group`](Self::end_group).
    pub fn finish(mut self) -> Result<W> {
        self.end_group()?;
        self.file.into_inner().map_err(parquet_error)
    }
}

/// A forked process has none of the threads of the global pool, so that pool is not used.
fn map_tasks<T: Send, R: Send>(tasks: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    match rayon::current_thread_index() {
        Some(_) => tasks.into_par_iter().map(work).collect(),
        None => parallel::map(tasks, parallel::max_threads(), work),
    }
}

/// The level of compression of numbers and flags that are compressed with zstd; `None` for other columns. Pages of version 2
/// state themselves whether they are compressed, so the library must compress them.
fn zstd_level(field: &Field, properties: &WriterProperties) -> Option<ZstdLevel> {
    let is_supported = matches!(field.data_type(), DataType::Float32 | DataType::Float64 | DataType::Boolean)
        && properties.writer_version() == WriterVersion::PARQUET_1_0;
    match properties.compression(&column_path(field)) {
        Compression::ZSTD(level) if is_supported => Some(level),
        _ => None,
    }
}

/// The path of a column that is not nested.
fn column_path(field: &Field) -> ColumnPath {
    ColumnPath::new(vec![field.name().clone()])
}
