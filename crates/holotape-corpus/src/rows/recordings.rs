//! A row for each take.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field};
use holotape::check::{CheckOptions, Finding, Severity, check, check_slice};
use holotape::stats::{GazeStats, HandStats, MovementStats, Stats, StatsOptions};
use holotape::{BodyPart, Hand, Recording, Result, Summary};
use holotape_convert::FileFormat;

use super::{RowOptions, arrow_error};
use crate::{RecordingFile, Table, schema};

/// What is known of a take. What nobody asked for, or could find out, is absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordingRow {
    pub(crate) take: String,
    pub(crate) folder: String,
    pub(crate) path: String,
    pub(crate) sha256: Option<String>,
    pub(crate) bytes: Option<u64>,
    pub(crate) error: Option<String>,
    pub(crate) file_format: Option<FileFormat>,
    pub(crate) summary: Option<Summary>,
    pub(crate) findings: Option<FindingCounts>,
    pub(crate) stats: Option<Stats>,
}

/// How many findings there are of each severity, and their codes, each once, in order.
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

impl RecordingRow {
    /// What a name tells.
    pub(crate) fn new(take: &RecordingFile) -> Self {
        let path = take.path.to_string_lossy().into_owned();
        Self { take: take.take.clone(), folder: take.folder().to_owned(), path, ..Self::default() }
    }

    /// What a name tells, and how large the file is, if that can be seen.
    pub(crate) fn with_file_size(take: &RecordingFile) -> Self {
        let bytes = std::fs::metadata(&take.path).ok().map(|metadata| metadata.len());
        Self { bytes, ..Self::new(take) }
    }

    /// What the bytes of a file tell, and the recording that they are, unless they are none or too long a one.
    pub(crate) fn of(take: &RecordingFile, bytes: &[u8], options: &RowOptions) -> (Self, Option<Recording>) {
        let file_format = FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)]);
        let about = Self { bytes: Some(bytes.len() as u64), file_format, ..Self::new(take) };
        let opened = match holotape_convert::from_slice(bytes) {
            Ok(opened) => opened,
            Err(error) => {
                // What is nothing that we know may be a broken input animation.
                let is_bin = file_format.is_none_or(|file_format| file_format == FileFormat::Bin);
                let findings = is_bin.then(|| FindingCounts::new(&check_slice(bytes, &CheckOptions::new())));
                return (Self { error: Some(error.to_string()), findings, ..about }, None);
            }
        };
        let recording = opened.recording;
        let summary = Summary::from_recording(&recording);
        let findings = Some(FindingCounts::new(&check(&recording, &CheckOptions::new())));
        let duration_secs = f64::from(summary.duration_secs);
        let about = Self { summary: Some(summary), findings, ..about };
        match options.check_length(duration_secs).and_then(|()| Stats::from_recording(&recording, &StatsOptions::new()))
        {
            Ok(stats) => (Self { stats: Some(stats), ..about }, Some(recording)),
            Err(error) => (Self { error: Some(error.to_string()), ..about }, None),
        }
    }

    /// What `info` calls such a file.
    fn file_format_name(&self) -> Option<&'static str> {
        Some(match self.file_format? {
            FileFormat::Iwer => "iwer",
            FileFormat::Hl2ss => "hl2ss",
            FileFormat::StreamRecorder => "stream_recorder",
            FileFormat::Psi => "psi",
            other => other.extension(),
        })
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let summary = self.summary.as_ref();
        // Other kinds of files have no version of the format, so that nobody should count them as one.
        let is_ours = matches!(self.file_format, Some(FileFormat::Bin | FileFormat::Json));
        let layout = summary.filter(|_| is_ours).map(|summary| summary.format.layout);
        let channel = |has: fn(&Summary) -> bool| Cell::Flag(summary.map(has));
        let keys = |part| count(summary.and_then(|summary| summary.body_part(part)).map(|part| part.key_count));
        let findings = self.findings.as_ref();
        let mut cells = vec![
            Cell::Text(Some(&self.take)),
            Cell::Text(Some(&self.folder)),
            Cell::Text(Some(&self.path)),
            Cell::Text(self.sha256.as_deref()),
            count(self.bytes),
            Cell::Text(self.error.as_deref()),
            Cell::Text(self.file_format_name()),
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
            Cell::Words(findings.map(|findings| &findings.codes[..])),
        ];
        let stats = self.stats.as_ref();
        cells.extend(travel(stats.and_then(|stats| stats.head.as_ref())));
        cells.extend(hand(stats.and_then(|stats| stats.left.as_ref())));
        cells.extend(hand(stats.and_then(|stats| stats.right.as_ref())));
        cells.extend(gaze(stats.and_then(|stats| stats.gaze.as_ref())));
        cells
    }
}

fn travel(travel: Option<&MovementStats>) -> [Cell<'static>; 4] {
    [
        Cell::Number(travel.map(|travel| travel.path_m)),
        Cell::Number(travel.map(|travel| travel.rotation_deg)),
        Cell::Number(travel.map(|travel| travel.mean_speed_m_per_sec)),
        Cell::Number(travel.map(|travel| travel.max_speed_m_per_sec)),
    ]
}

fn hand(hand: Option<&HandStats>) -> Vec<Cell<'static>> {
    let pinches = hand.map(|hand| hand.pinches);
    let tracked = [
        Cell::Number(hand.map(|hand| hand.tracked_fraction)),
        Cell::Number(hand.map(|hand| hand.tracked_secs)),
        count(hand.map(|hand| hand.tracked_span_count as u64)),
    ];
    let pinches = [
        count(pinches.map(|pinches| pinches.count as u64)),
        Cell::Number(pinches.map(|pinches| pinches.total_secs)),
        // Of no pinches there is no length.
        Cell::Number(pinches.filter(|pinches| pinches.count > 0).map(|pinches| pinches.mean_secs)),
        Cell::Number(pinches.filter(|pinches| pinches.count > 0).map(|pinches| pinches.min_secs)),
        Cell::Number(pinches.filter(|pinches| pinches.count > 0).map(|pinches| pinches.max_secs)),
    ];
    tracked.into_iter().chain(travel(hand.map(|hand| &hand.movement))).chain(pinches).collect()
}

fn gaze(gaze: Option<&GazeStats>) -> [Cell<'static>; 7] {
    [
        Cell::Flag(gaze.map(|gaze| gaze.follows_head)),
        count(gaze.map(|gaze| gaze.fixation_count as u64)),
        Cell::Number(gaze.map(|gaze| gaze.fixation_secs)),
        Cell::Number(gaze.filter(|gaze| gaze.fixation_count > 0).map(|gaze| gaze.mean_fixation_secs)),
        count(gaze.map(|gaze| gaze.saccade_count as u64)),
        Cell::Number(gaze.filter(|gaze| gaze.saccade_count > 0).map(|gaze| gaze.mean_saccade_deg)),
        Cell::Number(gaze.map(|gaze| gaze.max_speed_deg_per_sec)),
    ]
}

/// What is in one column of one row.
#[derive(Clone)]
enum Cell<'a> {
    Text(Option<&'a str>),
    Owned(Option<String>),
    Count(Option<i64>),
    Flag(Option<bool>),
    Number(Option<f64>),
    Words(Option<&'a [&'static str]>),
}

fn count(count: Option<u64>) -> Cell<'static> {
    Cell::Count(count.map(|count| i64::try_from(count).unwrap_or(i64::MAX)))
}

/// The rows of takes.
pub(crate) fn batch_of(takes: &[RecordingRow]) -> Result<RecordBatch> {
    let schema = schema(Table::Recordings);
    let rows: Vec<_> = takes.iter().map(RecordingRow::cells).collect();
    let column = |(index, field): (usize, &Arc<Field>)| {
        column(field.data_type(), rows.iter().filter_map(|cells| cells.get(index)))
    };
    let columns = schema.fields().iter().enumerate().map(column).collect();
    RecordBatch::try_new(Arc::clone(&schema), columns).map_err(arrow_error)
}

/// The cells of a column; what is not of its type is left out, and then the batch is refused for its length.
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
                if let Cell::Words(message) = cell {
                    message
                        .iter()
                        .flat_map(|message| message.iter())
                        .for_each(|word| lists.values().append_value(word));
                    lists.append(message.is_some());
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
