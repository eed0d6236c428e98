//! Data files: encoded episodes one after another, with the numbers of episodes, frames and tasks.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array};
use arrow_schema::SchemaRef;
use holotape::{Error, ErrorKind, Result};
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, ArrowWriter, compute_leaves};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use tempfile::NamedTempFile;

use super::episode::writer_properties;
use super::features::{Features, NUMBER_COLUMNS};
use super::parquet_error;

/// The numbers of an episode.
pub(super) struct EpisodeNumbers {
    pub(super) episode: u64,
    pub(super) first_frame: u64,
    /// The task of each frame.
    pub(super) tasks: Vec<i64>,
}

pub(super) struct DataFileWriter {
    file: SerializedFileWriter<NamedTempFile>,
    columns: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    group_count: usize,
}

impl DataFileWriter {
    pub(super) fn create(file: NamedTempFile, features: &Features) -> Result<Self> {
        let schema = features.schema();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(writer_properties().build()));
        let (file, columns) = writer.and_then(ArrowWriter::into_serialized_writer).map_err(parquet_error)?;
        Ok(Self { file, columns, schema, group_count: 0 })
    }

    /// Copies the encoded columns of an episode, and adds its numbers.
    pub(super) fn append<R: ChunkReader>(
        &mut self,
        source: &EpisodeChunks<'_, R>,
        numbers: &EpisodeNumbers,
    ) -> Result<()> {
        let mut start = 0;
        for group in source.groups {
            let end = start + usize::try_from(group.num_rows()).unwrap_or(0);
            let Some(tasks) = numbers.tasks.get(start..end) else {
                return Err(Error::new(ErrorKind::Invalid, "an episode has more frames than its manifest says"));
            };
            self.append_group(source.reader, group, numbers, start, tasks).map_err(parquet_error)?;
            start = end;
        }
        match start == numbers.tasks.len() {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Invalid, "an episode has fewer frames than its manifest says")),
        }
    }

    fn append_group<R: ChunkReader>(
        &mut self,
        reader: &R,
        source: &RowGroupMetaData,
        numbers: &EpisodeNumbers,
        start: usize,
        tasks: &[i64],
    ) -> Result<(), ParquetError> {
        let copied = self.schema.fields().len() - NUMBER_COLUMNS.len();
        let first_frame = numbers.first_frame as i64 + start as i64;
        let arrays: [ArrayRef; NUMBER_COLUMNS.len()] = [
            Arc::new(Int64Array::from_value(numbers.episode as i64, tasks.len())),
            Arc::new(Int64Array::from_iter_values(first_frame..first_frame + tasks.len() as i64)),
            Arc::new(Int64Array::from(tasks.to_vec())),
        ];
        let writers = self.columns.create_column_writers(self.group_count)?;
        let mut group = self.file.next_row_group()?;
        copy_columns(reader, source, copied, &mut group)?;
        let numbered = writers.into_iter().skip(copied).zip(&arrays).zip(self.schema.fields().iter().skip(copied));
        for ((mut writer, array), field) in numbered {
            for leaf in compute_leaves(field, array)? {
                writer.write(&leaf)?;
            }
            writer.close()?.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.group_count += 1;
        Ok(())
    }

    /// The size so far.
    pub(super) fn byte_count(&self) -> u64 {
        self.file.bytes_written() as u64
    }

    pub(super) fn finish(self) -> Result<NamedTempFile> {
        self.file.into_inner().map_err(parquet_error)
    }
}

/// Copies the first columns of a row group without decoding them.
fn copy_columns<R: ChunkReader>(
    reader: &R,
    source: &RowGroupMetaData,
    count: usize,
    group: &mut SerializedRowGroupWriter<'_, NamedTempFile>,
) -> Result<(), ParquetError> {
    for column in source.columns().iter().take(count) {
        let close = ColumnCloseResult {
            bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
            rows_written: u64::try_from(source.num_rows()).unwrap_or(0),
            metadata: column.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        group.append_column(reader, close)?;
    }
    Ok(())
}

/// The encoded columns of one episode.
pub(super) struct EpisodeChunks<'a, R> {
    pub(super) reader: &'a R,
    pub(super) groups: &'a [RowGroupMetaData],
}

/// An existing data file.
pub(super) struct DataFileReader {
    file: File,
    metadata: ParquetMetaData,
}

impl DataFileReader {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let with_path = |error: Error| error.with_path(path);
        let file = File::open(path).map_err(|error| with_path(error.into()))?;
        let metadata = parquet_metadata(&file).map_err(with_path)?;
        Ok(Self { file, metadata })
    }

    /// The row groups of an episode.
    pub(super) fn episode(&self, first_row_group: usize, row_group_count: usize) -> Result<EpisodeChunks<'_, File>> {
        let groups = self.metadata.row_groups().get(first_row_group..first_row_group + row_group_count);
        let missing =
            || Error::new(ErrorKind::Invalid, "a data file is damaged; remove the folder and build the dataset again");
        Ok(EpisodeChunks { reader: &self.file, groups: groups.ok_or_else(missing)? })
    }
}

/// Reads the footer of a Parquet file.
pub(super) fn parquet_metadata(reader: &impl ChunkReader) -> Result<ParquetMetaData> {
    ParquetMetaDataReader::new().parse_and_finish(reader).map_err(parquet_error)
}
