//! Tables as text: CSV with a header of names.
//!
//! What is absent is an empty cell, a flag `true` or `false`, and numbers have as many digits as they need to come back as
//! they were. A table of frames has the columns of the channels that the recording has. There is no place for metadata: in
//! which space the numbers are has to be said when they are read.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int16Type, Int32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv::{ByteRecord, ReaderBuilder};
use holotape::{Error, ErrorKind, Recording, Result};

use crate::table::{self, TableDecoder, TableKind, TableOptions};
use crate::{Loss, LossKind, Losses, Space};

/// Writes a table of one recording.
///
/// ```
/// use holotape_convert::{Space, csv, table::{Table, TableOptions}};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut text = Vec::new();
/// assert!(csv::write(&take, &TableOptions::new().with_table(Table::Keys), &mut text)?.is_empty());
/// assert!(text.starts_with(b"curve,time,value,in_tangent,"));
/// let (again, _) = csv::read(&text, Space::Unity)?;
/// assert_eq!(again, take); // A row for each key is all there is.
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the times make no sense, or `out` cannot be written to.
pub fn write(recording: &Recording, options: &TableOptions, out: impl Write) -> Result<Losses> {
    let channels = recording.channels();
    let mut writer = Writer::new(out, &table::schema_for(options, channels))?;
    for batch in table::batches_for(recording, options, channels)? {
        writer.push(&batch?)?;
    }
    writer.finish()?;
    let mut losses = table::losses(recording, options, false)?;
    losses.extend(format_loss(recording, options));
    Ok(losses)
}

/// A table of keys is all of a recording, but for the format that it is to be written in, which a CSV has no place for.
fn format_loss(recording: &Recording, options: &TableOptions) -> Option<Loss> {
    let is_lost = options.table() == TableKind::Keys && recording.format != table::format_for_keys(recording);
    is_lost.then(|| {
        Loss::new(
            LossKind::Unsupported,
            "version, layout of keys and whether there is a marker list: a CSV has no place for them",
        )
    })
}

/// A CSV file as it grows.
pub(crate) struct Writer<W: Write> {
    out: W,
    row: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(mut out: W, schema: &Schema) -> Result<Self> {
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out, row: Vec::new() })
    }

    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().map(CellWriter::new).collect::<Result<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            self.row.clear();
            for (number, column) in columns.iter().enumerate() {
                if number > 0 {
                    self.row.push(b',');
                }
                column.write(row, &mut self.row)?;
            }
            self.row.push(b'\n');
            self.out.write_all(&self.row)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A column, ready to be written cell by cell.
enum CellWriter<'a> {
    Float32(&'a arrow_array::Float32Array),
    Float64(&'a arrow_array::Float64Array),
    Int32(&'a arrow_array::Int32Array),
    Bool(&'a arrow_array::BooleanArray),
    Text(&'a arrow_array::StringArray),
    Names(&'a arrow_array::Int16Array, &'a arrow_array::StringArray),
}

impl<'a> CellWriter<'a> {
    fn new(array: &'a ArrayRef) -> Result<Self> {
        Ok(match array.data_type() {
            DataType::Float32 => Self::Float32(array.as_primitive::<Float32Type>()),
            DataType::Float64 => Self::Float64(array.as_primitive::<Float64Type>()),
            DataType::Int32 => Self::Int32(array.as_primitive::<Int32Type>()),
            DataType::Boolean => Self::Bool(array.as_boolean()),
            DataType::Utf8 => Self::Text(array.as_string::<i32>()),
            DataType::Dictionary(..) => {
                let names = array.as_dictionary::<Int16Type>();
                Self::Names(names.keys(), names.values().as_string::<i32>())
            }
            other => return Err(Error::new(ErrorKind::Invalid, format!("no cell can hold {other}"))),
        })
    }

    fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Float32(values) if values.is_valid(row) => write!(out, "{}", values.value(row))?,
            Self::Float64(values) if values.is_valid(row) => write!(out, "{}", values.value(row))?,
            Self::Int32(values) if values.is_valid(row) => write!(out, "{}", values.value(row))?,
            Self::Bool(values) if values.is_valid(row) => write!(out, "{}", values.value(row))?,
            Self::Text(values) if values.is_valid(row) => write_text(values.value(row), out),
            Self::Names(keys, names) if keys.is_valid(row) => {
                out.extend_from_slice(names.value(keys.value(row) as usize).as_bytes());
            }
            _ => {}
        }
        Ok(())
    }
}

/// Text in quotes, or as it is where nobody could take it for something else. An empty name is not an absent one.
fn write_text(text: &str, out: &mut Vec<u8>) {
    if !text.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// Reads a table of one recording, frames or keys, whose numbers are in this space.
///
/// Columns may be in any order, parted by commas, semicolons or tabs, and those that are no curves are left out. A last row that is cut short is left out, too.
///
/// # Errors
/// [`ErrorKind::Invalid`], with row and column, for a cell that is no number, and a row that has more or fewer cells than the
/// header.
pub fn read(bytes: &[u8], space: Space) -> Result<(Recording, Losses)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let delimiter = delimiter(bytes).unwrap_or(b',');
    let mut reader = ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(bytes);
    let names: Vec<_> = reader
        .byte_headers()
        .map_err(csv_error)?
        .iter()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    if names.len() > MAX_COLUMNS {
        let message = format!("{} columns; a table of a recording has no more than {MAX_COLUMNS}", names.len());
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let is_keys = names.iter().any(|name| name == "curve");
    let schema = schema_for(&names, is_keys);
    let mut collector = TableDecoder::new(space).with_header_row();
    let mut columns = ColumnBuffers::new(&schema);
    let mut record = ByteRecord::new();
    // A row that is cut short can be helped if it is the last.
    let mut short_row = None;
    let mut row = 1;
    while reader.read_byte_record(&mut record).map_err(csv_error)? {
        row += 1;
        if let Some(error) = short_row.take() {
            return Err(error);
        }
        if record.len() != names.len() {
            let message = format!("row {row}: {} cells, but the header has {}", record.len(), names.len());
            let error = Error::new(ErrorKind::Invalid, message);
            if record.len() > names.len() {
                return Err(error);
            }
            short_row = Some(error);
            continue;
        }
        columns.push(&record, row, &names)?;
        if columns.rows == READ_ROWS {
            collector.push(&columns.take_batch(&schema)?)?;
        }
    }
    collector.push(&columns.take_batch(&schema)?)?;
    let (recording, mut losses) = collector.finish()?;
    if short_row.is_some() {
        losses.push(Loss::new(LossKind::Unusable, "the last row is cut short: left out"));
    }
    Ok((recording, losses))
}

/// What parts the cells of a table, by its header, which has a cell `time` or `curve`; nothing if it is no table of ours.
pub(crate) fn delimiter(text: &[u8]) -> Option<u8> {
    let header = text.split(|byte| b"\r\n".contains(byte)).next()?;
    let is_ours = |cell: &[u8]| [&b"time"[..], b"\"time\"", b"curve", b"\"curve\""].contains(&cell.trim_ascii());
    b",;\t".iter().copied().find(|delimiter| header.split(|byte| byte == delimiter).any(is_ours))
}

/// Ten times as many as there are curves: columns take memory, whatever is in them.
const MAX_COLUMNS: usize = 4096;

/// Rows that are read before they become keys.
const READ_ROWS: usize = 4096;

/// What the cells of a column are, by its name. Those that we do not know are text.
fn schema_for(names: &[String], is_keys: bool) -> SchemaRef {
    let known = if is_keys {
        table::schema(&TableOptions::new().with_table(TableKind::Keys))
    } else {
        table::schema(&TableOptions::new())
    };
    let field = |name: &String| match known.field_with_name(name) {
        Ok(field) if matches!(field.data_type(), DataType::Dictionary(..)) => Field::new(name, DataType::Utf8, true),
        Ok(field) => Field::new(name, field.data_type().clone(), true),
        Err(_) => Field::new(name, DataType::Utf8, true),
    };
    Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()))
}

/// Cells that were read.
struct ColumnBuffers {
    columns: Vec<ColumnBuffer>,
    rows: usize,
}

enum ColumnBuffer {
    Float32(Float32Builder),
    Float64(Float64Builder),
    Int32(Int32Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
}

impl ColumnBuffers {
    fn new(schema: &Schema) -> Self {
        let column = |field: &Arc<Field>| match field.data_type() {
            DataType::Float32 => ColumnBuffer::Float32(Float32Builder::with_capacity(0)),
            DataType::Float64 => ColumnBuffer::Float64(Float64Builder::with_capacity(0)),
            DataType::Int32 => ColumnBuffer::Int32(Int32Builder::with_capacity(0)),
            DataType::Boolean => ColumnBuffer::Bool(BooleanBuilder::with_capacity(0)),
            _ => ColumnBuffer::Text(StringBuilder::with_capacity(0, 0)),
        };
        Self { columns: schema.fields().iter().map(column).collect(), rows: 0 }
    }

    fn push(&mut self, record: &ByteRecord, row: usize, names: &[String]) -> Result<()> {
        for (number, (column, cell)) in self.columns.iter_mut().zip(record).enumerate() {
            column.push(cell).ok_or_else(|| {
                let cell = String::from_utf8_lossy(cell);
                let (number, name, kind) = (number + 1, &names[number], column.expects());
                Error::new(ErrorKind::Invalid, format!("row {row}, column {number} ({name}): {cell:?} is {kind}"))
            })?;
        }
        self.rows += 1;
        Ok(())
    }

    fn take_batch(&mut self, schema: &SchemaRef) -> Result<RecordBatch> {
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(ColumnBuffer::take).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(table::arrow_error)
    }
}

impl ColumnBuffer {
    /// Adds a cell, unless it holds something else.
    fn push(&mut self, cell: &[u8]) -> Option<()> {
        let text = str::from_utf8(cell).ok()?;
        let number = text.trim();
        let is_absent = number.is_empty();
        match self {
            Self::Float32(cells) if is_absent => cells.append_null(),
            Self::Float64(cells) if is_absent => cells.append_null(),
            Self::Int32(cells) if is_absent => cells.append_null(),
            Self::Bool(cells) if is_absent => cells.append_null(),
            Self::Float32(cells) => cells.append_value(number.parse().ok()?),
            Self::Float64(cells) => cells.append_value(number.parse().ok()?),
            Self::Int32(cells) => cells.append_value(number.parse().ok()?),
            Self::Bool(cells) => cells.append_value(parse_bool(number)?),
            Self::Text(cells) => cells.append_value(text),
        }
        Some(())
    }

    const fn expects(&self) -> &'static str {
        match self {
            Self::Bool(_) => "neither true nor false",
            Self::Int32(_) => "no whole number",
            Self::Text(_) => "no text",
            _ => "no number",
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Self::Float32(cells) => Arc::new(cells.finish()),
            Self::Float64(cells) => Arc::new(cells.finish()),
            Self::Int32(cells) => Arc::new(cells.finish()),
            Self::Bool(cells) => Arc::new(cells.finish()),
            Self::Text(cells) => Arc::new(cells.finish()),
        }
    }
}

fn parse_bool(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn csv_error(error: csv::Error) -> Error {
    Error::new(ErrorKind::Invalid, error.to_string())
}
