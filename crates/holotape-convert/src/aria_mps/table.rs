//! Tables with a header of column names, of which some have text.

use holotape::{Error, ErrorKind, Result};

use super::files::TableKind;
use crate::Loss;
use crate::delimited::{self, NumericRow, NumericRows};

/// The column that all tables have: the time in microseconds.
const TIME: &str = "tracking_timestamp_us";

/// Whether a text starts with the header of a table.
pub(crate) fn has_header(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.split(|byte| *byte == b',').take(3).any(|cell| cell.trim_ascii() == TIME.as_bytes())
}

/// A table whose header was read.
#[derive(Clone, Debug)]
pub(super) struct Table<'a> {
    names: Vec<&'a str>,
    header: NumericRow<'a>,
    rows: NumericRows<'a>,
    time_column: usize,
    pub(super) kind: TableKind,
}

impl<'a> Table<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self> {
        let not_a_table = |message| Error::new(ErrorKind::NotARecording, message);
        let mut rows = NumericRows::new(bytes, b',')?;
        let header = rows.next().ok_or_else(|| not_a_table("the table has no header"))?;
        let names: Vec<_> = header.cells().collect();
        let has = |name: &str| names.contains(&name);
        let kind = match () {
            () if has("left_tracking_confidence") || has("right_tracking_confidence") => TableKind::Hands,
            () if has("tx_world_device") || has("tx_odometry_device") => TableKind::Trajectory,
            () if has("pitch_rads_cpf") => TableKind::Gaze,
            () => {
                let message = "unknown table of MPS: expected the columns of hands, of a trajectory or of eye gaze";
                return Err(not_a_table(message));
            }
        };
        let time_column = names.iter().position(|name| *name == TIME);
        let time_column = time_column.ok_or_else(|| missing_column(TIME))?;
        Ok(Self { names, header, rows, time_column, kind })
    }

    /// The index of a column.
    pub(super) fn find_column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| *other == name)
    }

    /// The index of a required column.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.find_column(name).ok_or_else(|| missing_column(name))
    }

    /// The first time in microseconds; `None` if there are no rows.
    pub(super) fn start_us(&self) -> Option<i64> {
        self.rows.clone().next()?.integer(self.time_column)
    }

    /// Passes every row to `push`. A truncated last row is dropped and returned as a loss.
    pub(super) fn read(self, mut push: impl FnMut(&Row<'a, '_>) -> Result<()>) -> Result<Option<Loss>> {
        let count = [self.header.column_count()];
        let mut cells = Vec::new();
        for row in self.rows {
            cells.clear();
            cells.extend(row.cells());
            let row = Row { row, cells: &cells, time_column: self.time_column };
            let read = if cells.len() == count[0] {
                push(&row)
            } else {
                Err(row.row.columns_error(&format!("expected {}", count[0])))
            };
            match read {
                Err(_) if row.row.is_truncated(&count) => return Ok(Some(row.row.truncated_loss())),
                read => read?,
            }
        }
        Ok(None)
    }
}

/// A row with as many cells as the header.
pub(super) struct Row<'a, 'c> {
    row: NumericRow<'a>,
    cells: &'c [&'a str],
    time_column: usize,
}

impl<'a> Row<'a, '_> {
    pub(super) fn time_us(&self) -> Result<i64> {
        let time_us = self.row.integer(self.time_column);
        time_us.ok_or_else(|| self.row.cell_error(self.time_column, "is not a time in microseconds"))
    }

    pub(super) fn text(&self, column: usize) -> &'a str {
        self.cells.get(column).copied().unwrap_or_default()
    }

    /// The number in a cell; NaN if the cell is empty.
    pub(super) fn number(&self, column: usize) -> Result<f64> {
        match self.text(column) {
            "" => Ok(f64::NAN),
            cell => delimited::number(cell).ok_or_else(|| self.row.cell_error(column, "is not a number")),
        }
    }

    pub(super) fn numbers<const N: usize>(&self, columns: &[usize; N]) -> Result<[f64; N]> {
        let mut numbers = [0.0; N];
        for (number, column) in numbers.iter_mut().zip(columns) {
            *number = self.number(*column)?;
        }
        Ok(numbers)
    }
}

fn missing_column(name: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("missing column {name}"))
}
