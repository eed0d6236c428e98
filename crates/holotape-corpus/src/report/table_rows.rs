//! What a report says of takes: the table of recordings, column by column.

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

/// A number that every take may have.
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

impl Metric {
    pub(super) const ALL: [Self; 13] = [
        Self::Duration,
        Self::LeftTracked,
        Self::RightTracked,
        Self::LeftSpeed,
        Self::RightSpeed,
        Self::LeftPinches,
        Self::RightPinches,
        Self::LeftPinchSecs,
        Self::RightPinchSecs,
        Self::HeadSpeed,
        Self::Fixation,
        Self::Saccade,
        Self::KeyRate,
    ];

    /// The column that it is read from, and whether it is to be divided by the duration.
    fn column(self) -> (&'static str, bool) {
        match self {
            Self::Duration => ("duration_secs", false),
            Self::LeftTracked => ("left_tracked_share", false),
            Self::RightTracked => ("right_tracked_share", false),
            Self::LeftSpeed => ("left_mean_speed_m_per_sec", false),
            Self::RightSpeed => ("right_mean_speed_m_per_sec", false),
            Self::LeftPinches => ("left_pinches", true),
            Self::RightPinches => ("right_pinches", true),
            Self::LeftPinchSecs => ("left_pinch_mean_secs", false),
            Self::RightPinchSecs => ("right_pinch_mean_secs", false),
            Self::HeadSpeed => ("head_mean_speed_m_per_sec", false),
            Self::Fixation => ("fixation_mean_secs", false),
            Self::Saccade => ("saccade_mean_deg", false),
            Self::KeyRate => ("key_count", true),
        }
    }

    /// What one is multiplied by to be shown: shares in percent, pinches by the minute.
    fn scale(self) -> f64 {
        match self {
            Self::LeftTracked | Self::RightTracked => 100.0,
            Self::LeftPinches | Self::RightPinches => 60.0,
            _ => 1.0,
        }
    }
}

/// A take as the report knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReportRow {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) path: String,
    pub(super) bytes: Option<i64>,
    pub(super) error: Option<String>,
    pub(super) errors: i64,
    pub(super) warnings: i64,
    pub(super) findings: Vec<String>,
    pub(super) pinches: i64,
    pub(super) gaze_follows_head: Option<bool>,
    pub(super) numbers: [Option<f64>; Metric::ALL.len()],
}

impl ReportRow {
    #[cfg(test)]
    pub(super) fn with_number(mut self, number: Metric, value: f64) -> Self {
        self.numbers[number as usize] = Some(value);
        self
    }

    /// A number as it is shown; nothing where there is none.
    pub(super) fn number(&self, number: Metric) -> Option<f64> {
        self.numbers[number as usize]
    }
}

/// The columns that are read.
const REQUIRED_COLUMNS: [&str; 13] = [
    "take",
    "folder",
    "path",
    "bytes",
    "error",
    "errors",
    "warnings",
    "findings",
    "gaze_follows_head",
    "left_pinches",
    "right_pinches",
    "duration_secs",
    "key_count",
];

pub(super) fn read(dataset: &Dataset) -> Result<Vec<ReportRow>> {
    let mut takes = Vec::new();
    for file in dataset.files(Table::Recordings)? {
        read_file(&file, &mut takes).map_err(|error| error.with_path(&file))?;
    }
    Ok(takes)
}

fn read_file(path: &Path, takes: &mut Vec<ReportRow>) -> Result<()> {
    let invalid = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Invalid, error.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(|error| invalid(&error))?;
    let wanted = REQUIRED_COLUMNS.into_iter().chain(Metric::ALL.map(|number| number.column().0));
    let mask = ProjectionMask::columns(builder.parquet_schema(), wanted);
    for batch in builder.with_projection(mask).build().map_err(|error| invalid(&error))? {
        let batch = batch.map_err(|error| invalid(&error))?;
        let first = takes.len();
        takes.resize_with(first + batch.num_rows(), ReportRow::default);
        fill(&batch, &mut takes[first..])
            .ok_or_else(|| invalid(&"its columns are not those of the table recordings: build the dataset again"))?;
    }
    Ok(())
}

/// Nothing if a column is missing, or of another type.
fn fill(batch: &RecordBatch, takes: &mut [ReportRow]) -> Option<()> {
    let texts: [fn(&mut ReportRow) -> &mut String; 3] = [|it| &mut it.name, |it| &mut it.folder, |it| &mut it.path];
    for (name, field) in ["take", "folder", "path"].into_iter().zip(texts) {
        let column = batch.column_by_name(name)?.as_string_opt::<i32>()?;
        takes.iter_mut().zip(column.iter()).for_each(|(take, text)| *field(take) = text.unwrap_or_default().to_owned());
    }
    let errors = batch.column_by_name("error")?.as_string_opt::<i32>()?;
    let follows = batch.column_by_name("gaze_follows_head")?.as_boolean_opt()?;
    let findings = batch.column_by_name("findings")?.as_list_opt::<i32>()?;
    let count = |name: &str| Some(batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()?.clone());
    let (bytes, error_counts, warnings) = (count("bytes")?, count("errors")?, count("warnings")?);
    let (left, right) = (count("left_pinches")?, count("right_pinches")?);
    for (row, take) in takes.iter_mut().enumerate() {
        let number = |column: &arrow_array::Int64Array| column.is_valid(row).then(|| column.value(row));
        take.bytes = number(&bytes);
        take.error = errors.is_valid(row).then(|| errors.value(row).to_owned());
        (take.errors, take.warnings) = (number(&error_counts).unwrap_or(0), number(&warnings).unwrap_or(0));
        take.pinches = number(&left).unwrap_or(0).saturating_add(number(&right).unwrap_or(0));
        take.gaze_follows_head = follows.is_valid(row).then(|| follows.value(row));
        if findings.is_valid(row) {
            let codes = findings.value(row);
            take.findings = codes.as_string_opt::<i32>()?.iter().flatten().map(str::to_owned).collect();
        }
    }
    let durations = numbers(batch, "duration_secs")?;
    for number in Metric::ALL {
        let (name, is_by_time) = number.column();
        for ((take, value), duration) in takes.iter_mut().zip(numbers(batch, name)?).zip(&durations) {
            let value = match (is_by_time, value, duration) {
                (true, Some(value), Some(duration)) if *duration > 0.0 => Some(value / duration),
                (true, ..) => None,
                (false, value, _) => value,
            };
            take.numbers[number as usize] = value.map(|value| value * number.scale()).filter(|value| value.is_finite());
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
