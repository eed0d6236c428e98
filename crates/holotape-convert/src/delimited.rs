//! Tables of numbers without a header, one row per line, as devices write them.

use holotape::{Error, ErrorKind, Result};

use crate::{Loss, LossKind};

/// Maximum length of a cell in a message.
const SHOWN_CHARS: usize = 24;

/// The rows of a table, without blank lines.
#[derive(Clone, Debug)]
pub(crate) struct NumericRows<'a> {
    rest: &'a str,
    separator: u8,
    number: usize,
    /// Whether the last row ends with a line break.
    is_closed: bool,
}

/// One row, with its line number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumericRow<'a> {
    number: usize,
    text: &'a str,
    separator: u8,
    is_last: bool,
    /// Whether the last row ends with a line break. Without one it may be truncated.
    is_closed: bool,
}

impl<'a> NumericRows<'a> {
    /// The rows of a text whose cells are separated by an ASCII character.
    pub(crate) fn new(bytes: &'a [u8], separator: u8) -> Result<Self> {
        let text = str::from_utf8(bytes).map_err(|error| {
            Error::new(ErrorKind::Invalid, format!("not valid UTF-8 at byte {}", error.valid_up_to()))
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let rest = text.trim_ascii_end();
        Ok(Self { rest, separator, number: 0, is_closed: text[rest.len()..].contains('\n') })
    }

    /// Passes the numbers of every row to `push`. Rows must have one of the column counts `columns`. A truncated last row
    /// is dropped and returned as a loss.
    pub(crate) fn read(
        self,
        columns: &[usize],
        mut push: impl FnMut(&NumericRow<'a>, &[f64]) -> Result<()>,
    ) -> Result<Option<Loss>> {
        let mut numbers = Vec::new();
        for row in self {
            let read = row.numbers(columns, &mut numbers).and_then(|()| push(&row, &numbers));
            match read {
                Err(_) if row.is_truncated(columns) => return Ok(Some(row.truncated_loss())),
                read => read?,
            }
        }
        Ok(None)
    }
}

impl<'a> Iterator for NumericRows<'a> {
    type Item = NumericRow<'a>;

    fn next(&mut self) -> Option<NumericRow<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            let text = line.trim_ascii_end();
            self.rest = rest;
            self.number += 1;
            if !text.is_empty() {
                let Self { number, separator, is_closed, .. } = *self;
                return Some(NumericRow { number, text, separator, is_last: rest.is_empty(), is_closed });
            }
        }
    }
}

impl<'a> NumericRow<'a> {
    pub(crate) fn column_count(&self) -> usize {
        self.text.bytes().filter(|byte| *byte == self.separator).count() + 1
    }

    /// The cells, without spaces around them. Searches byte by byte: cells are so short that `memchr` is slower.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let separator = self.separator;
        let mut rest = Some(self.text);
        std::iter::from_fn(move || {
            let text = rest?;
            let end = text.bytes().position(|byte| byte == separator);
            rest = end.map(|end| &text[end + 1..]);
            Some(text[..end.unwrap_or(text.len())].trim_ascii())
        })
    }

    /// The loss of a truncated last row.
    pub(crate) fn truncated_loss(&self) -> Loss {
        Loss::new(LossKind::Unusable, format!("dropped the last row ({}): it is truncated", self.number))
    }

    /// A cell as an integer, which may exceed the precision of a float.
    pub(crate) fn integer(&self, column: usize) -> Option<i64> {
        self.cells().nth(column)?.parse().ok()
    }

    pub(crate) fn number(&self, column: usize) -> Option<f64> {
        number(self.cells().nth(column)?)
    }

    /// A number that must be 0 or 1, as a flag.
    pub(crate) fn flag(&self, numbers: &[f64], column: usize) -> Result<bool> {
        match numbers.get(column) {
            Some(&0.0) => Ok(false),
            Some(&1.0) => Ok(true),
            _ => Err(self.cell_error(column, "is not 0 or 1")),
        }
    }

    /// An error about a cell. `column` counts from 0, the message from 1.
    pub(crate) fn cell_error(&self, column: usize, message: &str) -> Error {
        let cell = self.cells().nth(column).unwrap_or_default();
        let shown: String = cell.chars().take(SHOWN_CHARS).collect();
        self.error(format!(", column {}: {shown:?} {message}", column + 1))
    }

    /// An error about the number of columns.
    pub(crate) fn columns_error(&self, message: &str) -> Error {
        self.error(format!(": {} columns, {message}", self.column_count()))
    }

    fn error(&self, message: String) -> Error {
        Error::new(ErrorKind::Invalid, format!("row {}{message}", self.number))
    }

    fn numbers(&self, columns: &[usize], numbers: &mut Vec<f64>) -> Result<()> {
        if !columns.contains(&self.column_count()) {
            let expected: Vec<_> = columns.iter().map(ToString::to_string).collect();
            return Err(self.columns_error(&format!("expected {}", expected.join(" or "))));
        }
        numbers.clear();
        for (column, cell) in self.cells().enumerate() {
            numbers.push(number(cell).ok_or_else(|| self.cell_error(column, "is not a number"))?);
        }
        Ok(())
    }

    /// Whether a row that is invalid is the last one of a truncated file.
    pub(crate) fn is_truncated(&self, columns: &[usize]) -> bool {
        let is_short = columns.iter().any(|count| self.column_count() < *count);
        let ends_within = || self.cells().last().is_none_or(|cell| number(cell).is_none());
        self.is_last
            && match self.is_closed {
                true => is_short && !columns.contains(&self.column_count()),
                false => is_short || ends_within(),
            }
    }
}

/// A number as written by C, C++ and .NET, including their forms of NaN.
pub(crate) fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().or_else(|| is_nan_literal(cell).then_some(f64::NAN))
}

/// `-nan(ind)` and `1.#QNAN`, as written by Microsoft's runtimes.
fn is_nan_literal(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+']).as_bytes();
    let starts = |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    starts(b"nan(") || starts(b"1.#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, columns: &[usize]) -> (Vec<Vec<f64>>, Result<Option<Loss>>) {
        let mut rows = Vec::new();
        let loss = NumericRows::new(text.as_bytes(), b',').expect("text").read(columns, |_, numbers| {
            rows.push(numbers.to_vec());
            Ok(())
        });
        (rows, loss)
    }

    #[test]
    fn blank_lines_line_breaks_and_byte_order_marks_are_ignored() {
        for text in ["1,2\n3,4\n", "\u{feff}1,2\r\n3,4\r\n", "\n1 , 2\n\n\n3,\t4", "1,2\r\n3,4\r\n\r\n \r\n"] {
            let (rows, loss) = read(text, &[2]);
            assert_eq!(rows, [[1.0, 2.0], [3.0, 4.0]], "{text:?}");
            assert_eq!(loss.expect("complete"), None);
        }
    }

    #[test]
    fn truncated_last_row_is_dropped() {
        for text in ["1,2\n3", "1,2\n3\n", "1,2\n3,", "1,2\n3,-", "1,2\n3,1e-"] {
            let (rows, loss) = read(text, &[2]);
            assert_eq!(rows, [[1.0, 2.0]], "{text:?}");
            let loss = loss.expect("only truncated").expect("a loss");
            assert_eq!(loss.to_string(), "dropped the last row (2): it is truncated");
        }
        let (rows, loss) = read("1,2\n3,4,5\n", &[4, 2]);
        assert!(rows.len() == 1 && loss.is_ok_and(|loss| loss.is_some()), "too long for one, too short for the other");
    }

    #[test]
    fn invalid_rows_are_errors_with_row_and_column() {
        let wrong = [
            ("1,2\n3\n5,6\n", "row 2: 1 columns, expected 2 or 4"),
            ("1,2\n\n3,x\n5,6\n", "row 3, column 2: \"x\" is not a number"),
            ("1,2\n3,\u{ff}\n", "row 2, column 2: \"\u{ff}\" is not a number"),
            ("1,2\n3,4,5,6,7\n", "row 2: 5 columns, expected 2 or 4"),
            ("1,2\n3,x,5,6", "row 2, column 2: \"x\" is not a number"),
        ];
        for (text, message) in wrong {
            assert_eq!(read(text, &[2, 4]).1.expect_err(text).to_string(), message);
        }
    }

    #[test]
    fn nan_literals_of_all_runtimes_are_nan() {
        for text in ["nan", "-NaN", "-nan(ind)", "nan(snan)", "1.#QNAN", "-1.#IND", "1.#INF"] {
            assert!(number(text).is_some_and(f64::is_nan), "{text}");
        }
        assert_eq!(number("-Infinity"), Some(f64::NEG_INFINITY));
        assert_eq!(number("1.5E-3"), Some(0.0015));
        assert_eq!(["", "-", "1,5", "0x1", "\u{ff}", "nano"].map(number), [None; 6]);
    }

    #[test]
    fn invalid_utf8_is_an_error() {
        let error = NumericRows::new(b"1,2\n3,\xff\n", b',').expect_err("invalid UTF-8");
        assert_eq!(error.to_string(), "not valid UTF-8 at byte 6");
    }

    #[test]
    fn flags_other_than_0_and_1_are_errors() {
        let row = NumericRows::new(b"0,1,0.5,nan", b',').expect("text").next().expect("one row");
        let numbers = [0.0, 1.0, 0.5, f64::NAN];
        assert!(!row.flag(&numbers, 0).expect("a flag"));
        assert!(row.flag(&numbers, 1).expect("a flag"));
        let error = row.flag(&numbers, 2).expect_err("not a flag");
        assert_eq!(error.to_string(), "row 1, column 3: \"0.5\" is not 0 or 1");
        assert!(row.flag(&numbers, 3).is_err());
    }
}
