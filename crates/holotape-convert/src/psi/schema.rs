//! What the columns of a stream are, told by how many there are.

use holotape::{Error, Result};

use super::files::StreamKind;
use crate::delimited::{NumericRow, NumericRows};
use crate::openxr::JOINT_COUNT;
use crate::ticks::secs_between;

/// How many columns things take.
pub(super) const MATRIX: usize = 16;
pub(super) const RAY: usize = 6;
const CALIBRATED_RAY: usize = RAY + 1;
pub(super) const JOINTS: usize = JOINT_COUNT * MATRIX;
const VALIDITY: usize = 2 * JOINT_COUNT;
/// Grips, pinches, is tracked: all that the older form has of a hand that is not.
const LEGACY_FLAGS: usize = 3;
const LEGACY_HAND: usize = LEGACY_FLAGS + JOINTS;

/// Three million years in seconds, and less than a year in ticks: a time is one or the other.
const MIN_TICKS: f64 = 1e14;

/// What the columns of a stream are.
#[derive(Clone, Debug)]
pub(super) struct StreamSchema {
    pub(super) content: StreamKind,
    times: TimeColumns,
    /// How many columns rows may have.
    pub(super) columns: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeColumns {
    Ticks,
    Seconds,
    SecondsAndTicks,
}

impl StreamSchema {
    /// The form of these rows, if there are any. The name of the file may say what to expect.
    pub(super) fn of(rows: &NumericRows<'_>, expected: Option<StreamKind>) -> Result<Option<Self>> {
        let Some(first) = rows.clone().next() else { return Ok(None) };
        let times = TimeColumns::of(&first);
        let columns = |row: &NumericRow<'_>| row.column_count().saturating_sub(times.columns());
        // A row without joints does not say how those look that have some, and a row that was cut says nothing.
        let is_telling = |row: &NumericRow<'_>| columns(row) != LEGACY_FLAGS && is_known(columns(row));
        let telling = rows.clone().find(is_telling).unwrap_or(first);
        let content = content(columns(&telling), expected).map_err(|message| telling.columns_error(&message))?;
        let columns = match columns(&telling) {
            LEGACY_FLAGS | LEGACY_HAND => vec![LEGACY_HAND, LEGACY_FLAGS],
            columns => vec![columns],
        };
        Ok(Some(Self { content, times, columns: columns.into_iter().map(|count| count + times.columns()).collect() }))
    }

    /// Where the columns behind the time begin.
    pub(super) fn start(&self) -> usize {
        self.times.columns()
    }
}

impl TimeColumns {
    fn of(row: &NumericRow<'_>) -> Self {
        let is_ticks = |column| row.number(column).is_some_and(|number| number >= MIN_TICKS);
        match (is_ticks(0), is_ticks(1)) {
            (true, _) => Self::Ticks,
            (false, true) => Self::SecondsAndTicks,
            (false, false) => Self::Seconds,
        }
    }

    const fn columns(self) -> usize {
        match self {
            Self::Ticks | Self::Seconds => 1,
            Self::SecondsAndTicks => 2,
        }
    }
}

/// What the columns of a hand are, behind the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HandColumns {
    /// Whether it is active; or whether it grips, pinches, is tracked; or these and whether it is active. The last says
    /// whether the joints are any.
    pub(super) flags: usize,
    pub(super) has_joints: bool,
    pub(super) has_validity: bool,
}

impl HandColumns {
    pub(super) fn of(columns: usize) -> Option<Self> {
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
    [MATRIX, RAY, CALIBRATED_RAY].contains(&columns) || HandColumns::of(columns).is_some()
}

/// What has so many columns behind the time; or in words, why nothing has.
fn content(columns: usize, expected: Option<StreamKind>) -> Result<StreamKind, String> {
    let content = match (columns, HandColumns::of(columns), expected) {
        (MATRIX, ..) => StreamKind::Head,
        (RAY | CALIBRATED_RAY, ..) => StreamKind::Eyes,
        (_, Some(_), Some(StreamKind::Hand(hand))) => StreamKind::Hand(hand),
        (_, Some(hand), _) if hand.has_joints => {
            return Err("which are those of a hand, and only a file called Left.txt or Right.txt says which".to_owned());
        }
        _ => return Err("which are those of no stream that is known".to_owned()),
    };
    match expected {
        Some(expected) if expected != content => Err(format!(
            "which are those of {}, and the name of the file is that of {}",
            content.name(),
            expected.name()
        )),
        _ => Ok(content),
    }
}

/// What times are read from: the column that all streams have.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeColumn {
    Seconds,
    Ticks { start: i64 },
}

impl TimeColumn {
    /// The clock that counts ticks from this row on.
    pub(super) fn ticks_from(row: &NumericRow<'_>, form: &StreamSchema) -> Self {
        let column = Self::Ticks { start: 0 }.column(form);
        // A row whose time is none is refused when it is read.
        Self::Ticks { start: column.and_then(|column| row.integer(column)).unwrap_or(0) }
    }

    pub(super) fn is_in(self, form: &StreamSchema) -> bool {
        self.column(form).is_some()
    }

    /// The time of a row, if it has one.
    pub(super) fn secs(self, row: &NumericRow<'_>, form: &StreamSchema) -> Option<f64> {
        let column = self.column(form)?;
        match self {
            Self::Seconds => row.number(column).filter(|secs| secs.is_finite()),
            Self::Ticks { start } => row.integer(column).map(|ticks| secs_between(start, ticks)),
        }
    }

    pub(super) fn error(self, row: &NumericRow<'_>, form: &StreamSchema) -> Error {
        row.cell_error(self.column(form).unwrap_or(0), "is no time")
    }

    fn column(self, form: &StreamSchema) -> Option<usize> {
        match (self, form.times) {
            (Self::Seconds, TimeColumns::Seconds | TimeColumns::SecondsAndTicks)
            | (Self::Ticks { .. }, TimeColumns::Ticks) => Some(0),
            (Self::Ticks { .. }, TimeColumns::SecondsAndTicks) => Some(1),
            _ => None,
        }
    }
}
