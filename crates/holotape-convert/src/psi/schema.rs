//! The columns of a stream, detected by their number.

use holotape::{Error, Result, Skeleton};

use super::files::StreamKind;
use crate::delimited::{NumericRow, NumericRows};
use crate::ticks::secs_between;

/// The number of joints of a hand, in OpenXR's order.
pub(super) const JOINT_COUNT: usize = Skeleton::OpenXr.joint_count();

/// Column counts.
pub(super) const MATRIX: usize = 16;
pub(super) const RAY: usize = 6;
const CALIBRATED_RAY: usize = RAY + 1;
pub(super) const JOINTS: usize = JOINT_COUNT * MATRIX;
const VALIDITY: usize = 2 * JOINT_COUNT;
/// Gripping, pinching, tracked: the older schema has no more columns if the hand is not tracked.
const LEGACY_FLAGS: usize = 3;
const LEGACY_HAND: usize = LEGACY_FLAGS + JOINTS;

/// As seconds three million years, as ticks less than a year: distinguishes the two.
const MIN_TICKS: f64 = 1e14;

/// The columns of a stream.
#[derive(Clone, Debug)]
pub(super) struct StreamSchema {
    pub(super) kind: StreamKind,
    times: TimeColumns,
    /// The allowed column counts of a row.
    pub(super) columns: Vec<usize>,
}

/// The columns with the time: one or both of these.
#[derive(Clone, Copy, Debug)]
struct TimeColumns {
    seconds: Option<usize>,
    ticks: Option<usize>,
}

impl StreamSchema {
    /// Detects the schema by the rows; `None` if there are none. The file name may imply the expected kind.
    pub(super) fn detect(rows: &NumericRows<'_>, expected: Option<StreamKind>) -> Result<Option<Self>> {
        let Some(first) = rows.clone().next() else { return Ok(None) };
        let times = TimeColumns::detect(&first);
        let columns = |row: &NumericRow<'_>| row.column_count().saturating_sub(times.count());
        // Rows without joints leave the schema open, and a truncated row says nothing about it.
        let is_conclusive = |row: &NumericRow<'_>| columns(row) != LEGACY_FLAGS && is_known(columns(row));
        let row = rows.clone().find(is_conclusive).unwrap_or(first);
        let kind = stream_kind(columns(&row), expected).map_err(|message| row.columns_error(&message))?;
        let columns = match columns(&row) {
            LEGACY_FLAGS | LEGACY_HAND => vec![LEGACY_HAND, LEGACY_FLAGS],
            columns => vec![columns],
        };
        Ok(Some(Self { kind, times, columns: columns.into_iter().map(|count| count + times.count()).collect() }))
    }

    /// The first column after the time.
    pub(super) fn start(&self) -> usize {
        self.times.count()
    }
}

impl TimeColumns {
    fn detect(row: &NumericRow<'_>) -> Self {
        let is_ticks = |column| row.number(column).is_some_and(|number| number >= MIN_TICKS);
        match (is_ticks(0), is_ticks(1)) {
            (true, _) => Self { seconds: None, ticks: Some(0) },
            (false, true) => Self { seconds: Some(0), ticks: Some(1) },
            (false, false) => Self { seconds: Some(0), ticks: None },
        }
    }

    fn count(self) -> usize {
        [self.seconds, self.ticks].iter().flatten().count()
    }
}

/// The columns of a hand, after the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HandColumns {
    /// One (active), three (gripping, pinching, tracked) or four (these and active). The last says whether the joints
    /// are valid.
    pub(super) flags: usize,
    pub(super) has_joints: bool,
    pub(super) has_validity: bool,
}

impl HandColumns {
    pub(super) fn from_count(columns: usize) -> Option<Self> {
        let (flags, has_joints, has_validity) = match (columns, columns.checked_sub(JOINTS + VALIDITY)) {
            (LEGACY_FLAGS, _) => (LEGACY_FLAGS, false, false),
            (LEGACY_HAND, _) => (LEGACY_FLAGS, true, false),
            (_, Some(flags @ (1 | 3 | 4))) => (flags, true, true),
            _ => return None,
        };
        Some(Self { flags, has_joints, has_validity })
    }
}

fn is_known(columns: usize) -> bool {
    [MATRIX, RAY, CALIBRATED_RAY].contains(&columns) || HandColumns::from_count(columns).is_some()
}

/// The kind of a stream by its column count after the time; the error is the reason why it is unknown.
fn stream_kind(columns: usize, expected: Option<StreamKind>) -> Result<StreamKind, String> {
    let kind = match (columns, HandColumns::from_count(columns), expected) {
        (MATRIX, ..) => StreamKind::Head,
        (RAY | CALIBRATED_RAY, ..) => StreamKind::Eyes,
        (_, Some(_), Some(StreamKind::Hand(hand))) => StreamKind::Hand(hand),
        (_, Some(hand), _) if hand.has_joints => {
            return Err("as for a hand; the file name must be Left.txt or Right.txt".to_owned());
        }
        _ => return Err("which is not a known stream".to_owned()),
    };
    match expected {
        Some(expected) if expected != kind => {
            Err(format!("as for {}, but the file name is that of {}", kind.name(), expected.name()))
        }
        _ => Ok(kind),
    }
}

/// The time column that all streams have.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeColumn {
    Seconds,
    Ticks { start: i64 },
}

impl TimeColumn {
    /// Ticks, counted from this row on.
    pub(super) fn ticks_from(row: &NumericRow<'_>, schema: &StreamSchema) -> Self {
        let column = Self::Ticks { start: 0 }.column(schema);
        // Rows without a valid time are rejected when they are read.
        Self::Ticks { start: column.and_then(|column| row.integer(column)).unwrap_or(0) }
    }

    pub(super) fn is_in(self, schema: &StreamSchema) -> bool {
        self.column(schema).is_some()
    }

    /// The time of a row, if it is valid.
    pub(super) fn secs(self, row: &NumericRow<'_>, schema: &StreamSchema) -> Option<f64> {
        let column = self.column(schema)?;
        match self {
            Self::Seconds => row.number(column).filter(|secs| secs.is_finite()),
            Self::Ticks { start } => row.integer(column).map(|ticks| secs_between(start, ticks)),
        }
    }

    pub(super) fn error(self, row: &NumericRow<'_>, schema: &StreamSchema) -> Error {
        row.cell_error(self.column(schema).unwrap_or(0), "is not a valid time")
    }

    fn column(self, schema: &StreamSchema) -> Option<usize> {
        match self {
            Self::Seconds => schema.times.seconds,
            Self::Ticks { .. } => schema.times.ticks,
        }
    }
}
