//! Text tables and number formatting.

use std::io::{self, Write};

pub use holotape::text::group_digits;

/// Rows of cells. The first column is aligned to the left, the others to the right.
#[derive(Default)]
pub struct TextTable {
    rows: Vec<Row>,
}

enum Row {
    Cells(Vec<String>),
    /// A first cell and a text instead of the others, which does not widen columns.
    Note(String, &'static str),
}

impl TextTable {
    pub fn push(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(Row::Cells(cells.into()));
    }

    pub fn push_note(&mut self, name: &str, message: &'static str) {
        self.rows.push(Row::Note(name.to_owned(), message));
    }

    pub fn write(&self, out: &mut (impl Write + ?Sized), indent: usize) -> io::Result<()> {
        let widths = self.widths();
        let first = widths.first().copied().unwrap_or(0);
        for row in &self.rows {
            let line = match row {
                Row::Note(name, message) => format!("{name:<first$}  {message}"),
                Row::Cells(cells) => cells
                    .iter()
                    .zip(&widths)
                    .enumerate()
                    .map(|(column, (cell, &width))| match column {
                        0 => format!("{cell:<width$}"),
                        _ => format!("  {cell:>width$}"),
                    })
                    .collect(),
            };
            writeln!(out, "{:indent$}{}", "", line.trim_end())?;
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            let cells = match row {
                Row::Cells(cells) => &cells[..],
                Row::Note(name, _) => std::slice::from_ref(name),
            };
            widths.resize(widths.len().max(cells.len()), 0);
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = cell.chars().count().max(*width);
            }
        }
        widths
    }
}

/// Formats a count with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", group_digits(count as u64), if count == 1 { one } else { many })
}

/// Formats a size in bytes, kB, MB, GB or TB.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1000 {
        return format!("{count} bytes");
    }
    let mut size = count as f64;
    let mut unit = "";
    for next in UNITS {
        size /= 1000.0;
        unit = next;
        if size < 999.5 {
            break;
        }
    }
    format!("{size:.*} {unit}", if size < 9.995 { 2 } else { 1 })
}

/// Replaces control characters, and truncates the text after `max_chars`.
pub fn escape_for_terminal(text: &str, max_chars: usize) -> String {
    // Control characters drive the terminal; direction marks reverse the rest of the line.
    let is_unsafe = |c: char| {
        c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut clean: String = text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).take(max_chars).collect();
    if text.chars().nth(max_chars).is_some() {
        clean.push('…');
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_digits_inserts_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(group_digits), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn bytes_chooses_the_unit() {
        assert_eq!(
            [41, 7819, 999_999, 2_600_000, 300_000_000].map(bytes),
            ["41 bytes", "7.82 kB", "1.00 MB", "2.60 MB", "300.0 MB"]
        );
    }

    #[test]
    fn escape_for_terminal_replaces_control_characters() {
        assert_eq!(escape_for_terminal("a\x1b[31mb\nc", 80), "a\u{fffd}[31mb\u{fffd}c");
        assert_eq!(escape_for_terminal("a\u{202e}b", 80), "a\u{fffd}b");
        assert_eq!(escape_for_terminal("abcdef", 3), "abc…");
    }
}
