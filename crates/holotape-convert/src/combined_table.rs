//! Tables of many recordings in one file, with a column `recording`.

use std::io::Write;

use arrow_array::RecordBatch;
use holotape::{Error, ErrorKind, Recording, Result};

use crate::table::{self, Metadata, TableOptions};
use crate::{FileFormat, Losses, arrow, csv, parquet};

/// Writes a table of many recordings. Rows can be made on any thread and added in any order.
///
/// ```
/// use holotape_convert::FileFormat;
/// use holotape_convert::combined_table::{CombinedTableRows, CombinedTableWriter};
/// use holotape_convert::table::TableOptions;
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let options = TableOptions::new();
/// let mut file = Vec::new();
/// let mut table = CombinedTableWriter::create(FileFormat::Parquet, &options, &mut file)?;
/// for name in ["p01/reach.bin", "p02/reach.bin"] {
///     table.push(CombinedTableRows::new(name, &recording, &options)?)?;
/// }
/// table.finish()?;
/// assert!(file.starts_with(b"PAR1"));
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct CombinedTableWriter<W: Write + Send>(Writer<W>);

enum Writer<W: Write + Send> {
    Csv(csv::Writer<W>),
    Parquet(Box<parquet::Writer<W>>),
    Arrow(Box<arrow::Writer<W>>),
}

impl<W: Write + Send> CombinedTableWriter<W> {
    /// Starts a table as CSV, Parquet or Arrow.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for other file formats, [`ErrorKind::Io`] if `out` cannot be written to.
    pub fn create(file_format: FileFormat, options: &TableOptions, out: W) -> Result<Self> {
        let schema = table::combined_schema(options.table());
        let metadata = Metadata::new(options);
        Ok(Self(match file_format {
            FileFormat::Csv => Writer::Csv(csv::Writer::new(out, &schema)?),
            FileFormat::Parquet => Writer::Parquet(Box::new(parquet::Writer::new(out, schema, metadata)?)),
            FileFormat::Arrow => Writer::Arrow(Box::new(arrow::Writer::new(out, &schema, metadata)?)),
            other => {
                let message = format!("{} cannot represent several recordings", other.name_with_article());
                return Err(Error::new(ErrorKind::Invalid, message));
            }
        }))
    }

    /// Adds the rows of a recording.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn push(&mut self, rows: CombinedTableRows) -> Result<()> {
        for batch in rows.batches {
            match &mut self.0 {
                Writer::Csv(writer) => writer.push(&batch)?,
                Writer::Parquet(writer) => writer.push(batch)?,
                Writer::Arrow(writer) => writer.push(&batch)?,
            }
        }
        Ok(())
    }

    /// Writes the end of the table.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        match self.0 {
            Writer::Csv(writer) => writer.finish(),
            Writer::Parquet(writer) => writer.finish(),
            Writer::Arrow(writer) => writer.finish(),
        }
    }
}

/// The rows of one recording, and the losses.
pub struct CombinedTableRows {
    batches: Vec<RecordBatch>,
    /// What the rows cannot represent.
    pub losses: Losses,
}

impl CombinedTableRows {
    /// Makes the rows of a recording with this name.
    ///
    /// # Errors
    /// As [`Timing::times`](crate::Timing::times).
    pub fn new(name: &str, recording: &Recording, options: &TableOptions) -> Result<Self> {
        let schema = table::combined_schema(options.table());
        let batches = table::batches(recording, options)?;
        let batches = batches.map(|batch| table::combined_batch(name, &batch?, &schema)).collect::<Result<_>>()?;
        Ok(Self { batches, losses: table::losses(recording, options, false)? })
    }
}
