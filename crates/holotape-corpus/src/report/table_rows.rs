//! The rows of a report, read from the table of recordings.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use holotape::{Error, ErrorKind, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::{Dataset, Table};

/// A metric that the report shows, derived from a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    Duration,
    LeftTracked,
    RightTracked,
    LeftSpeed,
    RightSpeed,
    LeftPinches,
    RightPinches,
    LeftPinchSecs,
    RightPinchSecs,
    HeadSpeed,
    Fixation,
    Saccade,
    KeyRate,
}

/// The column of each metric in order, whether it is divided by the duration, and the factor for display: fractions are
/// in percent, pinches per minute.
const METRICS: [(Metric, &str, bool, f64); 13] = [
    (Metric::Duration, "duration_secs", false, 1.0),
    (Metric::LeftTracked, "left_tracked_fraction", false, 100.0),
    (Metric::RightTracked, "right_tracked_fraction", false, 100.0),
    (Metric::LeftSpeed, "left_mean_speed_m_per_sec", false, 1.0),
    (Metric::RightSpeed, "right_mean_speed_m_per_sec", false, 1.0),
    (Metric::LeftPinches, "left_pinch_count", true, 60.0),
    (Metric::RightPinches, "right_pinch_count", true, 60.0),
    (Metric::LeftPinchSecs, "left_pinch_mean_secs", false, 1.0),
    (Metric::RightPinchSecs, "right_pinch_mean_secs", false, 1.0),
    (Metric::HeadSpeed, "head_mean_speed_m_per_sec", false, 1.0),
    (Metric::Fixation, "gaze_fixation_mean_secs", false, 1.0),
    (Metric::Saccade, "gaze_saccade_mean_deg", false, 1.0),
    (Metric::KeyRate, "key_count", true, 1.0),
];

/// One recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReportRow {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) path: String,
    pub(super) file_bytes: Option<i64>,
    pub(super) error: Option<String>,
    pub(super) error_count: i64,
    pub(super) warning_count: i64,
    pub(super) finding_codes: Vec<String>,
    pub(super) pinch_count: i64,
    pub(super) gaze_follows_head: Option<bool>,
    pub(super) metrics: [Option<f64>; METRICS.len()],
}

impl ReportRow {
    #[cfg(test)]
    pub(super) fn with_metric(mut self, metric: Metric, value: f64) -> Self {
        self.metrics[metric as usize] = Some(value);
        self
    }

    /// The value for display, if it is finite.
    pub(super) fn metric(&self, metric: Metric) -> Option<f64> {
        self.metrics[metric as usize]
    }
}

/// The columns that are read besides those of the metrics.
const REQUIRED_COLUMNS: [&str; 9] = [
    "recording",
    "folder",
    "path",
    "file_bytes",
    "error",
    "error_count",
    "warning_count",
    "finding_codes",
    "gaze_follows_head",
];

pub(super) fn read(dataset: &Dataset) -> Result<Vec<ReportRow>> {
    let mut rows = Vec::new();
    for file in dataset.files(Table::Recordings)? {
        read_file(&file, &mut rows).map_err(|error| error.with_path(&file))?;
    }
    Ok(rows)
}

fn read_file(path: &Path, rows: &mut Vec<ReportRow>) -> Result<()> {
    let invalid = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Invalid, error.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(|error| invalid(&error))?;
    let columns = REQUIRED_COLUMNS.into_iter().chain(METRICS.map(|(_, column, ..)| column));
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns);
    for batch in builder.with_projection(mask).build().map_err(|error| invalid(&error))? {
        let batch = batch.map_err(|error| invalid(&error))?;
        let first = rows.len();
        rows.resize_with(first + batch.num_rows(), ReportRow::default);
        fill(&batch, &mut rows[first..])
            .ok_or_else(|| invalid(&"columns of the table recordings are missing; rebuild the dataset"))?;
    }
    Ok(())
}

/// Sets the fields of rows; `None` if a column is missing or of another type.
fn fill(batch: &RecordBatch, rows: &mut [ReportRow]) -> Option<()> {
    let texts: [fn(&mut ReportRow) -> &mut String; 3] = [|it| &mut it.name, |it| &mut it.folder, |it| &mut it.path];
    for (name, field) in ["recording", "folder", "path"].into_iter().zip(texts) {
        let column = batch.column_by_name(name)?.as_string_opt::<i32>()?;
        rows.iter_mut().zip(column.iter()).for_each(|(row, text)| *field(row) = text.unwrap_or_default().to_owned());
    }
    let errors = batch.column_by_name("error")?.as_string_opt::<i32>()?;
    let follows = batch.column_by_name("gaze_follows_head")?.as_boolean_opt()?;
    let findings = batch.column_by_name("finding_codes")?.as_list_opt::<i32>()?;
    let count = |name: &str| Some(batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()?.clone());
    let (bytes, error_counts, warnings) = (count("file_bytes")?, count("error_count")?, count("warning_count")?);
    let (left, right) = (count("left_pinch_count")?, count("right_pinch_count")?);
    for (index, row) in rows.iter_mut().enumerate() {
        let number = |column: &arrow_array::Int64Array| column.is_valid(index).then(|| column.value(index));
        row.file_bytes = number(&bytes);
        row.error = errors.is_valid(index).then(|| errors.value(index).to_owned());
        row.error_count = number(&error_counts).unwrap_or(0);
        row.warning_count = number(&warnings).unwrap_or(0);
        row.pinch_count = number(&left).unwrap_or(0).saturating_add(number(&right).unwrap_or(0));
        row.gaze_follows_head = follows.is_valid(index).then(|| follows.value(index));
        if findings.is_valid(index) {
            let codes = findings.value(index);
            row.finding_codes = codes.as_string_opt::<i32>()?.iter().flatten().map(str::to_owned).collect();
        }
    }
    let durations = numbers(batch, "duration_secs")?;
    for (metric, name, is_by_time, scale) in METRICS {
        for ((row, value), duration) in rows.iter_mut().zip(numbers(batch, name)?).zip(&durations) {
            let value = match (is_by_time, value, duration) {
                (true, Some(value), Some(duration)) if *duration > 0.0 => Some(value / duration),
                (true, ..) => None,
                (false, value, _) => value,
            };
            row.metrics[metric as usize] = value.map(|value| value * scale).filter(|value| value.is_finite());
        }
    }
    Some(())
}

fn numbers(batch: &RecordBatch, name: &str) -> Option<Vec<Option<f64>>> {
    let column = batch.column_by_name(name)?;
    match column.data_type() {
        DataType::Int64 => {
            Some(column.as_primitive_opt::<Int64Type>()?.iter().map(|it| it.map(|it| it as f64)).collect())
        }
        _ => Some(column.as_primitive_opt::<Float64Type>()?.iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn columns_are_those_of_the_table() {
        let schema = schema(Table::Recordings);
        for name in REQUIRED_COLUMNS.into_iter().chain(METRICS.map(|(_, column, ..)| column)) {
            assert!(schema.field_with_name(name).is_ok(), "{name}");
        }
    }
}
