//! Writing one Parquet file of a table.
//!
//! Compressed with zstd. Text and times have dictionaries; other 32-bit floats are split into byte streams, which makes files
//! a quarter smaller and no slower to read. Rows are sorted by recording, and a row group ends between two recordings, so
//! that a reader finds a recording by statistics.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, SchemaRef};
use holotape::Result;
use holotape_convert::parquet::RowGroupWriter;
use holotape_convert::table::RECORDING;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use rayon::ThreadPool;
use tempfile::NamedTempFile;

use crate::schema::VERSION_KEY;
use crate::{SCHEMA_VERSION, Table, schema};

/// Minimum number of rows of a row group, except the last. For frames: about 27 recordings of ten seconds, and 64 kB per
/// column.
const ROW_GROUP_ROWS: usize = 1 << 14;

/// Maximum number of rows of a row group, for long recordings.
const MAX_ROW_GROUP_ROWS: usize = 1 << 15;

pub(super) struct ParquetTableWriter<'a> {
    file: RowGroupWriter<NamedTempFile>,
    pool: &'a ThreadPool,
    /// Whether the current recording has filled a row group.
    is_long: bool,
    rows: u64,
}

impl<'a> ParquetTableWriter<'a> {
    pub(super) fn create(file: NamedTempFile, table: Table, rate_hz: f64, pool: &'a ThreadPool) -> Result<Self> {
        let schema = schema(table);
        let properties = properties(table, &schema, rate_hz);
        Ok(Self { file: RowGroupWriter::new(file, schema, properties)?, pool, is_long: false, rows: 0 })
    }

    /// Adds rows of the current recording.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<()> {
        if self.file.group_rows() + batch.num_rows() > MAX_ROW_GROUP_ROWS {
            self.end_group()?;
            self.is_long = true;
        }
        self.rows += batch.num_rows() as u64;
        self.file.push(batch);
        Ok(())
    }

    /// Ends a recording, and the row group if it is large enough or has the end of a long recording. So a recording that
    /// fits into one row group is never split.
    pub(super) fn end_recording(&mut self) -> Result<()> {
        let is_long = std::mem::take(&mut self.is_long);
        if is_long || self.file.group_rows() >= ROW_GROUP_ROWS { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> Result<()> {
        self.pool.install(|| self.file.end_group())
    }

    /// Completes and syncs the file. Returns it with its number of rows.
    pub(super) fn finish(mut self) -> Result<(NamedTempFile, u64)> {
        self.end_group()?;
        let file = self.file.finish()?;
        // Otherwise, after a power loss, the renamed file could be empty.
        file.as_file().sync_all()?;
        Ok((file, self.rows))
    }
}

fn properties(table: Table, schema: &SchemaRef, rate_hz: f64) -> WriterProperties {
    let metadata = [(VERSION_KEY, SCHEMA_VERSION.to_string()), ("holotape.table", table.to_string())];
    let rate = (table == Table::Frames).then(|| ("holotape.rate_hz", rate_hz.to_string()));
    let metadata = metadata.into_iter().chain(rate).map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        // A column of a row group has one or two pages, so page statistics would add nothing.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_created_by(concat!("holotape ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_sorting_columns(Some(sorting_columns(table, schema)))
        .set_key_value_metadata(Some(metadata));
    for field in schema.fields() {
        builder = match field.data_type() {
            _ if has_dictionary(field) => builder.set_column_dictionary_enabled(leaf_path(field), true),
            DataType::Float32 => builder.set_column_encoding(leaf_path(field), Encoding::BYTE_STREAM_SPLIT),
            _ => builder,
        };
    }
    builder.build()
}

/// Text and times have few distinct values: frames share the times of the rate, and curves of a recording their key times.
fn has_dictionary(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Utf8 | DataType::List(_)) || field.name() == "time"
}

fn leaf_path(field: &Field) -> ColumnPath {
    let name = field.name().clone();
    match field.data_type() {
        DataType::List(item) => ColumnPath::new(vec![name, "list".to_owned(), item.name().clone()]),
        _ => ColumnPath::new(vec![name]),
    }
}

fn sorting_columns(table: Table, schema: &SchemaRef) -> Vec<SortingColumn> {
    let names: &[&str] = match table {
        Table::Recordings | Table::Keys => &[RECORDING],
        Table::Frames => &[RECORDING, "time"],
        Table::Events => &[RECORDING, "start_secs"],
    };
    // Each column before these has one leaf.
    let index = |name: &&str| i32::try_from(schema.index_of(name).ok()?).ok();
    let sorted = |column_idx| SortingColumn { column_idx, descending: false, nulls_first: false };
    names.iter().filter_map(index).map(sorted).collect()
}
