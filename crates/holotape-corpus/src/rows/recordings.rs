//! Rows of the table of recordings.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field};
use holotape::check::{CheckOptions, Finding, Severity, check, check_slice};
use holotape::stats::{Fixation, Metric, MetricValue, Stats, StatsOptions};
use holotape::{BodyPart, Error, FrameLimit, Hand, Recording, Result, Summary};
use holotape_convert::compression::{SalvagedBytes, salvage};
use holotape_convert::{FileFormat, OpenOptions};

use super::{RowOptions, arrow_error};
use crate::file::MAX_BYTES;
use crate::{RecordingFile, Table, schema};

/// One row. Fields that were not requested, or could not be determined, are `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordingRow {
    pub(crate) name: String,
    pub(crate) folder: String,
    pub(crate) path: String,
    pub(crate) sha256: Option<String>,
    pub(crate) file_bytes: Option<u64>,
    pub(crate) error: Option<String>,
    pub(crate) file_format: Option<FileFormat>,
    pub(crate) summary: Option<Summary>,
    pub(crate) findings: Option<FindingCounts>,
    pub(crate) stats: Option<Stats>,
}

/// Number of findings by severity, and their distinct codes, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FindingCounts {
    errors: usize,
    warnings: usize,
    notes: usize,
    codes: Vec<&'static str>,
}

impl FindingCounts {
    pub(crate) fn new(findings: &[Finding]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let mut codes: Vec<_> = findings.iter().map(|finding| finding.kind.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        Self { errors: count(Severity::Error), warnings: count(Severity::Warning), notes: count(Severity::Note), codes }
    }
}

/// A recording without errors, and the fixations that its statistics count.
pub(crate) struct ReadRecording {
    pub(crate) recording: Recording,
    pub(crate) fixations: Vec<Fixation>,
}

impl RecordingRow {
    /// A row with the name only.
    pub(crate) fn new(file: &RecordingFile) -> Self {
        let path = file.path.to_string_lossy().into_owned();
        Self { name: file.name.clone(), folder: file.folder().to_owned(), path, ..Self::default() }
    }

    /// The row of a file that could not be read, with the file size if it is known.
    pub(crate) fn unreadable(file: &RecordingFile, error: &Error) -> Self {
        let file_bytes = std::fs::metadata(&file.path).ok().map(|metadata| metadata.len());
        Self { file_bytes, error: Some(error.to_string()), ..Self::new(file) }
    }

    /// The row of a file with these bytes, and its recording unless the row has an error.
    pub(crate) fn from_bytes(
        file: &RecordingFile,
        bytes: &[u8],
        options: &RowOptions,
    ) -> (Self, Option<ReadRecording>) {
        let row = Self { file_bytes: Some(bytes.len() as u64), ..Self::new(file) };
        let (recording, file_format) = match OpenOptions::new().from_slice_at(bytes, &file.path) {
            Ok(imported) => (imported.recording, imported.file_format),
            Err(error) => return (Self { error: Some(error.to_string()), ..row.with_salvaged(bytes) }, None),
        };
        let row = Self { file_format: Some(file_format), ..row };
        let summary = Summary::from_recording(&recording);
        let findings = Some(FindingCounts::new(&check(&recording, &CheckOptions::new())));
        let duration_secs = f64::from(summary.duration_secs);
        let row = Self { summary: Some(summary), findings, ..row };
        let stats = options
            .check_length(duration_secs, FrameLimit::for_recording(&recording))
            .and_then(|()| Stats::with_fixations(&recording, &StatsOptions::new()));
        match stats {
            Ok((stats, fixations)) => {
                (Self { stats: Some(stats), ..row }, Some(ReadRecording { recording, fixations }))
            }
            Err(error) => (Self { error: Some(error.to_string()), ..row }, None),
        }
    }

    /// The row of a damaged file, with what can still be said about it.
    fn with_salvaged(self, bytes: &[u8]) -> Self {
        // A bomb is not worth a second look.
        let Ok(SalvagedBytes { bytes, .. }) = salvage(bytes, MAX_BYTES) else { return self };
        let file_format = FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)]);
        // A file of unknown format may be a damaged input animation.
        let is_bin = file_format.is_none_or(|file_format| file_format == FileFormat::Bin);
        let findings = is_bin.then(|| FindingCounts::new(&check_slice(&bytes, &CheckOptions::new())));
        Self { file_format, findings, ..self }
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let summary = self.summary.as_ref();
        // Other file formats have no version of their own.
        let has_layout = matches!(self.file_format, Some(FileFormat::Bin | FileFormat::Json));
        let layout = summary.filter(|_| has_layout).map(|summary| summary.format.layout);
        let channel = |has: fn(&Summary) -> bool| Cell::Flag(summary.map(has));
        let keys = |part| count(summary.and_then(|summary| summary.body_part(part)).map(|part| part.key_count));
        let findings = self.findings.as_ref();
        let mut cells = vec![
            Cell::Text(Some(&self.name)),
            Cell::Text(Some(&self.folder)),
            Cell::Text(Some(&self.path)),
            Cell::Text(self.sha256.as_deref()),
            count(self.file_bytes),
            Cell::Text(self.error.as_deref()),
            Cell::Text(self.file_format.map(FileFormat::id)),
            Cell::Owned(layout.map(|layout| layout.version().to_string())),
            Cell::Text(layout.map(|layout| layout.keys().name())),
            Cell::Number(summary.map(|summary| summary.duration_secs.into())),
            channel(|summary| summary.channels.camera),
            channel(|summary| summary.channels.hands),
            channel(|summary| summary.channels.gaze),
            count(summary.map(Summary::key_count)),
            keys(BodyPart::Camera),
            keys(BodyPart::Hand(Hand::Left)),
            keys(BodyPart::Hand(Hand::Right)),
            keys(BodyPart::Gaze),
            count(summary.map(|summary| summary.markers.len() as u64)),
            count(findings.map(|findings| findings.errors as u64)),
            count(findings.map(|findings| findings.warnings as u64)),
            count(findings.map(|findings| findings.notes as u64)),
            Cell::List(findings.map(|findings| &findings.codes[..])),
        ];
        cells.extend(Metric::all(self.stats.as_ref()).into_iter().map(|metric| match metric.value {
            MetricValue::Flag(flag) => Cell::Flag(flag),
            MetricValue::Count(value) => count(value),
            MetricValue::Number(number) => Cell::Number(number),
        }));
        cells
    }
}

/// The value of one column.
#[derive(Clone)]
enum Cell<'a> {
    Text(Option<&'a str>),
    Owned(Option<String>),
    Count(Option<i64>),
    Flag(Option<bool>),
    Number(Option<f64>),
    List(Option<&'a [&'static str]>),
}

fn count(count: Option<u64>) -> Cell<'static> {
    Cell::Count(count.map(|count| i64::try_from(count).unwrap_or(i64::MAX)))
}

pub(crate) fn recording_batch(rows: &[RecordingRow]) -> Result<RecordBatch> {
    let schema = schema(Table::Recordings);
    let rows: Vec<_> = rows.iter().map(RecordingRow::cells).collect();
    let column = |(index, field): (usize, &Arc<Field>)| {
        column(field.data_type(), rows.iter().filter_map(|cells| cells.get(index)))
    };
    let columns = schema.fields().iter().enumerate().map(column).collect();
    RecordBatch::try_new(Arc::clone(&schema), columns).map_err(arrow_error)
}

/// The cells of a column. Cells of another type are skipped, and the batch is then rejected because of its length.
fn column<'a>(data_type: &DataType, cells: impl Iterator<Item = &'a Cell<'a>>) -> ArrayRef {
    match data_type {
        DataType::Int64 => Arc::new(Int64Array::from_iter(cells.filter_map(|cell| match cell {
            Cell::Count(count) => Some(*count),
            _ => None,
        }))),
        DataType::Boolean => Arc::new(BooleanArray::from_iter(cells.filter_map(|cell| match cell {
            Cell::Flag(flag) => Some(*flag),
            _ => None,
        }))),
        DataType::Float64 => Arc::new(Float64Array::from_iter(cells.filter_map(|cell| match cell {
            Cell::Number(number) => Some(*number),
            _ => None,
        }))),
        DataType::List(item) => {
            let mut lists = ListBuilder::new(StringBuilder::new()).with_field(Arc::clone(item));
            for cell in cells {
                if let Cell::List(items) = cell {
                    items.iter().copied().flatten().for_each(|item| lists.values().append_value(item));
                    lists.append(items.is_some());
                }
            }
            Arc::new(lists.finish())
        }
        _ => Arc::new(StringArray::from_iter(cells.filter_map(|cell| match cell {
            Cell::Text(text) => Some(*text),
            Cell::Owned(text) => Some(text.as_deref()),
            _ => None,
        }))),
    }
}
