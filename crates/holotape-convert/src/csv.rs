//! CSV tables with a header of column names.
//!
//! Missing values are empty cells, flags are `true` or `false`, and numbers have as many digits as they need to be read
//! exactly. A table of frames has the columns of the recorded channels. A CSV has no metadata, so the reader must know the
//! coordinate system.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int16Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, Float64Array, Int16Array, Int32Array, RecordBatch, StringArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv::{ByteRecord, ReaderBuilder};
use holotape::format::Channels;
use holotape::{Error, ErrorKind, Frame, Recording, Result, WindowedRecording, parallel};

use crate::file_format::table_delimiter;
use crate::table::{self, BatchWriter, FrameColumns, TableDecoder, TableKind, TableOptions};
use crate::{LossKind, Losses, Space};

/// Writes a table of one recording.
///
/// ```
/// use holotape_convert::{Space, csv, table::{TableKind, TableOptions}};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut text = Vec::new();
/// assert!(csv::write(&recording, &TableOptions::new().with_table(TableKind::Keys), &mut text)?.is_empty());
/// assert!(text.starts_with(b"curve,time,value,in_tangent,"));
/// let (again, _) = csv::read(&text, Space::Unity)?;
/// assert_eq!(again, recording); // A table of keys is lossless.
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Timing::times`](crate::Timing::times), or if `out` cannot be written to.
pub fn write(recording: &Recording, options: &TableOptions, out: impl Write) -> Result<Losses> {
    write_windowed(&WindowedRecording::new(recording), options, out)
}

/// The same for a recording whose keys may be in a file.
pub(crate) fn write_windowed(
    recording: &WindowedRecording<'_>,
    options: &TableOptions,
    out: impl Write,
) -> Result<Losses> {
    let outline = recording.outline();
    let channels = outline.channels();
    let writer = Writer::new(out, &table::schema_for(options, channels))?;
    let mut losses = table::write_table(recording, options, channels, false, writer)?;
    // A table of keys is lossless, except for the format of the recording.
    let is_format_lost = options.table() == TableKind::Keys && outline.format != table::format_for_keys(outline);
    losses.push_if(is_format_lost, LossKind::Unsupported, || {
        "dropped version, key layout and presence of a marker list: a CSV cannot represent them".to_owned()
    });
    Ok(losses)
}

/// Rows per batch in [`write_frames`]: few, so that rows appear soon in a pipe.
const FRAME_BATCH_ROWS: usize = 512;

/// Writes frames, with the columns of these channels.
///
/// ```
/// use holotape_convert::csv;
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut sampler = recording.sampler();
/// let mut text = Vec::new();
/// csv::write_frames([0.0, 0.5].map(|time| sampler.frame_at(time)), recording.channels(), &mut text)?;
/// assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 3);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_frames(frames: impl IntoIterator<Item = Frame>, channels: Channels, out: impl Write) -> Result<()> {
    let schema = table::schema_for(&TableOptions::new(), channels);
    let mut writer = Writer::new(out, &schema)?;
    let mut frames = frames.into_iter().peekable();
    while frames.peek().is_some() {
        let mut columns = FrameColumns::with_capacity(channels, FRAME_BATCH_ROWS);
        columns.push_all(&frames.by_ref().take(FRAME_BATCH_ROWS).collect::<Vec<_>>());
        writer.push(columns.into_batch(&schema)?)?;
    }
    Box::new(writer).finish()
}

/// Rows that are formatted on one thread at a time.
const ROWS_PER_TASK: usize = 128;

/// Tasks for each thread, whose results are in memory at a time.
const TASKS_PER_THREAD: usize = 4;

/// Writes a CSV file.
pub(crate) struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(mut out: W, schema: &Schema) -> Result<Self> {
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out })
    }
}

impl<W: Write> BatchWriter for Writer<W> {
    /// Formats the rows on several threads, and writes them in order.
    fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().map(CellWriter::new).collect::<Result<Vec<_>>>()?;
        let starts: Vec<_> = (0..batch.num_rows()).step_by(ROWS_PER_TASK).collect();
        let text_at = |start: usize| rows_as_text(&columns, start..(start + ROWS_PER_TASK).min(batch.num_rows()));
        let threads = parallel::max_threads();
        // The text of a whole batch would take several times the memory of the batch.
        for starts in starts.chunks(TASKS_PER_THREAD * threads) {
            for text in parallel::map(starts.to_vec(), threads, text_at) {
                self.out.write_all(&text?)?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

fn rows_as_text(columns: &[CellWriter<'_>], rows: Range<usize>) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for row in rows {
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            column.write(row, &mut text)?;
        }
        text.push(b'\n');
    }
    Ok(text)
}

/// A column that is written cell by cell.
enum CellWriter<'a> {
    Float32(&'a Float32Array),
    Float64(&'a Float64Array),
    Int32(&'a Int32Array),
    Bool(&'a BooleanArray),
    Text(&'a StringArray),
    Names(&'a Int16Array, &'a StringArray),
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
            other => return Err(Error::new(ErrorKind::Invalid, format!("a CSV cannot represent {other}"))),
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

/// Writes text, in quotes if necessary. Empty text is quoted, because an empty cell is a missing value.
fn write_text(text: &str, out: &mut Vec<u8>) {
    if !text.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// Reads a table of one recording, frames or keys, in this coordinate system.
///
/// Columns may be in any order, separated by commas, semicolons or tabs. Columns that are not curves and a truncated last
/// row are dropped and reported.
///
/// ```
/// use holotape_convert::{Space, csv};
///
/// let (recording, losses) = csv::read(b"time,left.tracked\n0,true\n2,false\n", Space::Unity)?;
/// assert_eq!((recording.duration_secs(), losses.is_empty()), (2.0, true));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`], with row and column, for an invalid cell, or a row with more or fewer cells than the header.
pub fn read(bytes: &[u8], space: Space) -> Result<(Recording, Losses)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let delimiter = table_delimiter(bytes).unwrap_or(b',');
    let mut reader = ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(bytes);
    let names = reader.byte_headers().map_err(csv_error)?.iter();
    let names: Vec<_> = names.map(|name| column_name(&String::from_utf8_lossy(name))).collect();
    if names.len() > MAX_COLUMNS {
        let message = format!("too many columns: {}; the limit is {MAX_COLUMNS}", names.len());
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let schema = schema_for(&names);
    let mut decoder = TableDecoder::new(space).with_header_row();
    let mut columns = ColumnBuffers::new(&schema);
    let mut record = ByteRecord::new();
    // A truncated row is an error unless it is the last.
    let mut truncated_row = None;
    let mut row = 1;
    while reader.read_byte_record(&mut record).map_err(csv_error)? {
        row += 1;
        if let Some(error) = truncated_row.take() {
            return Err(error);
        }
        if record.len() != names.len() {
            let message = format!("row {row}: {} cells, but the header has {}", record.len(), names.len());
            let error = Error::new(ErrorKind::Invalid, message);
            if record.len() > names.len() {
                return Err(error);
            }
            truncated_row = Some(error);
            continue;
        }
        columns.push(&record, row, &names)?;
        if columns.rows == READ_ROWS {
            decoder.push(&columns.take_batch(&schema)?)?;
        }
    }
    decoder.push(&columns.take_batch(&schema)?)?;
    let (recording, mut losses) = decoder.finish()?;
    losses.push_if(truncated_row.is_some(), LossKind::Unusable, || "dropped the last row: it is truncated".to_owned());
    Ok((recording, losses))
}

/// The name in a header cell. With a space before its quotes, a cell has them as part of its text.
fn column_name(cell: &str) -> String {
    let name = cell.trim();
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).to_owned()
}

/// Ten times the number of curves. Bounds the memory that a file can claim.
const MAX_COLUMNS: usize = 4096;

/// Rows per batch.
const READ_ROWS: usize = 4096;

/// Types of columns by name; unknown columns are text.
fn schema_for(names: &[String]) -> SchemaRef {
    let is_keys = names.iter().any(|name| name == "curve");
    let table = if is_keys { TableKind::Keys } else { TableKind::Frames };
    let known = table::schema(&TableOptions::new().with_table(table));
    let field = |name: &String| {
        let known = known.field_with_name(name).ok().map(Field::data_type);
        let known = known.filter(|data_type| !matches!(data_type, DataType::Dictionary(..)));
        Field::new(name, known.cloned().unwrap_or(DataType::Utf8), true)
    };
    Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()))
}

/// The cells of a batch that is read.
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
                let (number, name, expected) = (number + 1, &names[number], column.expected());
                Error::new(
                    ErrorKind::Invalid,
                    format!("row {row}, column {number} ({name}): {cell:?} is not {expected}"),
                )
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
    /// Adds a cell; `None` if it does not have the type of the column.
    fn push(&mut self, cell: &[u8]) -> Option<()> {
        let text = str::from_utf8(cell).ok()?;
        match self {
            Self::Float32(cells) => cells.append_option(parse(text, |number| number.parse().ok())?),
            Self::Float64(cells) => cells.append_option(parse(text, |number| number.parse().ok())?),
            Self::Int32(cells) => cells.append_option(parse(text, |number| number.parse().ok())?),
            Self::Bool(cells) => cells.append_option(parse(text, parse_bool)?),
            Self::Text(cells) => cells.append_value(text),
        }
        Some(())
    }

    const fn expected(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int32(_) => "an integer",
            Self::Text(_) => "valid UTF-8",
            _ => "a number",
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

/// The value of a cell: `Some(None)` if it is empty, `None` if it is invalid.
fn parse<T>(cell: &str, value: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    let cell = cell.trim();
    if cell.is_empty() { Some(None) } else { value(cell).map(Some) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_in_order_for_any_number_of_tasks() {
        for row_count in [0, 1, ROWS_PER_TASK, 9 * ROWS_PER_TASK + 7] {
            let numbers: Vec<i32> = (0..).take(row_count).collect();
            let lines: String = numbers.iter().map(|number| format!("{number}\n")).collect();
            let column: ArrayRef = Arc::new(Int32Array::from(numbers));
            let batch = RecordBatch::try_from_iter([("number", column)]).unwrap();
            let mut text = Vec::new();
            Writer::new(&mut text, &batch.schema()).unwrap().push(batch).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), format!("number\n{lines}"));
        }
    }
}
