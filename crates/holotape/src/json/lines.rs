//! How the document is laid out.

use std::io::{Result, Write};

use serde_json::ser::Formatter;

/// Line breaks between the fields of the document and between its curves, and nowhere else: a document of a million keys
/// is neither one line nor a million.
#[derive(Default)]
pub(super) struct LinePerCurve {
    depth: usize,
}

impl Formatter for LinePerCurve {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth -= 1;
        writer.write_all(if self.depth == 0 { b"\n}" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        writer.write_all(match self.depth {
            1 => b"\n".as_slice(),
            2 => b"\n ",
            _ => b"",
        })
    }
}
