//! Files in `meta/episodes`: one row per episode, with its tasks, its place in the data and its statistics.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, Int64Array, ListArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use holotape::{Error, ErrorKind, Result};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::NamedTempFile;

use super::episode::writer_properties;
use super::features::{Features, element};
use super::manifest::chunk_and_file;
use super::parquet_error;
use super::stats::{COUNT, ComponentStats, STAT_NAMES};
use crate::rows::arrow_error;

pub(super) struct EpisodeRow {
    pub(super) episode: u64,
    pub(super) first_frame: u64,
    pub(super) length: u64,
    /// The distinct tasks, in order of time.
    pub(super) tasks: Vec<String>,
    pub(super) recording: String,
    /// Of all components of all features.
    pub(super) stats: Vec<ComponentStats>,
}

/// Writes the rows of the data file with this number.
pub(super) fn write(
    rows: &[EpisodeRow],
    number: usize,
    features: &Features,
    out: NamedTempFile,
) -> Result<NamedTempFile> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    let mut push = |field: Field, array: ArrayRef| {
        fields.push(field);
        arrays.push(array);
    };
    let (chunk, file) = chunk_and_file(number);
    let integers = |name: &str, value: &dyn Fn(&EpisodeRow) -> u64| {
        let array: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| value(row) as i64)));
        (Field::new(name, DataType::Int64, true), array)
    };
    let numbers: [(Field, ArrayRef); 8] = [
        integers("episode_index", &|row| row.episode),
        integers("length", &|row| row.length),
        integers("data/chunk_index", &|_| chunk as u64),
        integers("data/file_index", &|_| file as u64),
        integers("dataset_from_index", &|row| row.first_frame),
        integers("dataset_to_index", &|row| row.first_frame + row.length),
        integers("meta/episodes/chunk_index", &|_| chunk as u64),
        integers("meta/episodes/file_index", &|_| file as u64),
    ];
    numbers.into_iter().for_each(|(field, array)| push(field, array));
    let tasks = task_lists(rows);
    push(Field::new("tasks", tasks.data_type().clone(), true), tasks);
    let recordings = StringArray::from_iter_values(rows.iter().map(|row| &row.recording));
    push(Field::new("recording", DataType::Utf8, true), Arc::new(recordings));
    let mut component = 0;
    for feature in &features.list {
        for (stat, name) in STAT_NAMES.iter().enumerate() {
            let (field, array) = stat_column(rows, component, feature.width(), stat)?;
            push(Field::new(format!("stats/{}/{name}", feature.name), field, true), array);
        }
        let (field, array) = counts(rows)?;
        push(Field::new(format!("stats/{}/{COUNT}", feature.name), field, true), array);
        component += feature.width();
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(arrow_error)?;
    let writer = ArrowWriter::try_new(out, batch.schema(), Some(writer_properties().build()));
    let mut writer = writer.map_err(parquet_error)?;
    writer.write(&batch).map_err(parquet_error)?;
    writer.into_inner().map_err(parquet_error)
}

fn task_lists(rows: &[EpisodeRow]) -> ArrayRef {
    let field = Arc::new(Field::new("element", DataType::Utf8, true));
    let mut lists = ListBuilder::new(StringBuilder::new()).with_field(field);
    for row in rows {
        row.tasks.iter().for_each(|task| lists.values().append_value(task));
        lists.append(true);
    }
    Arc::new(lists.finish())
}

/// One statistic of a feature: a list with one number per component.
fn stat_column(rows: &[EpisodeRow], first: usize, width: usize, stat: usize) -> Result<(DataType, ArrayRef)> {
    let values = rows.iter().flat_map(|row| row.stats[first..first + width].iter().map(|stats| stats[stat]));
    let values = PrimitiveArray::<Float32Type>::from_iter_values(values);
    list_column(element(), width, rows.len(), Arc::new(values))
}

fn counts(rows: &[EpisodeRow]) -> Result<(DataType, ArrayRef)> {
    let values = Int64Array::from_iter_values(rows.iter().map(|row| row.length as i64));
    list_column(Arc::new(Field::new("element", DataType::Int64, true)), 1, rows.len(), Arc::new(values))
}

/// Lists of variable length, as LeRobot writes them, that all have the same one.
fn list_column(item: FieldRef, width: usize, rows: usize, values: ArrayRef) -> Result<(DataType, ArrayRef)> {
    let offsets: ScalarBuffer<i32> = (0..=rows).map(|row| (row * width) as i32).collect();
    let lists = ListArray::try_new(item, OffsetBuffer::new(offsets), values, None).map_err(arrow_error)?;
    Ok((lists.data_type().clone(), Arc::new(lists)))
}

/// Reads the statistics of all episodes of a file.
pub(super) fn read_stats(path: &Path, features: &Features) -> Result<Vec<Vec<ComponentStats>>> {
    read_stats_inner(path, features).map_err(|error| error.with_path(path))
}

fn read_stats_inner(path: &Path, features: &Features) -> Result<Vec<Vec<ComponentStats>>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(parquet_error)?;
    // By index, because names with dots would be split.
    let is_stat = |name: &str| name.starts_with("stats/") && !name.ends_with(COUNT);
    let names = builder.schema().fields().iter().enumerate();
    let roots: Vec<_> = names.filter(|(_, field)| is_stat(field.name())).map(|(index, _)| index).collect();
    let columns = ProjectionMask::roots(builder.parquet_schema(), roots);
    let mut episodes = Vec::new();
    for batch in builder.with_projection(columns).build().map_err(parquet_error)? {
        let batch = batch.map_err(arrow_error)?;
        let start = episodes.len();
        episodes.resize_with(start + batch.num_rows(), || vec![[0.0; STAT_NAMES.len()]; features.width()]);
        let mut component = 0;
        for feature in &features.list {
            for (stat, name) in STAT_NAMES.iter().enumerate() {
                let column = batch.column_by_name(&format!("stats/{}/{name}", feature.name));
                let values = column.and_then(|column| list_values(column, feature.width())).ok_or_else(damaged)?;
                for (episode, values) in episodes[start..].iter_mut().zip(values.chunks(feature.width())) {
                    let stats: &mut Vec<ComponentStats> = episode;
                    stats[component..].iter_mut().zip(values).for_each(|(stats, value)| stats[stat] = *value);
                }
            }
            component += feature.width();
        }
    }
    Ok(episodes)
}

/// The values of lists; `None` unless each list has this length.
fn list_values(column: &ArrayRef, width: usize) -> Option<Vec<f32>> {
    let lists = column.as_list_opt::<i32>()?;
    let values = lists.values().as_primitive_opt::<Float32Type>()?;
    let (first, last) = (lists.offsets().first(), lists.offsets().last());
    let values = values.values().get(usize::try_from(first).ok()?..usize::try_from(last).ok()?)?;
    (values.len() == lists.offsets().len().checked_sub(1)? * width).then(|| values.to_vec())
}

fn damaged() -> Error {
    Error::new(ErrorKind::Invalid, "the file of episodes is damaged; remove the folder and build the dataset again")
}
