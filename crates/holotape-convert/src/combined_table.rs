//! Many recordings in one table, with a column that says which one a row is of.

use std::io::Write;

use arrow_array::RecordBatch;
use holotape::{Error, ErrorKind, Recording, Result};

use crate::table::{self, Metadata, TableOptions};
use crate::{FileFormat, Losses, arrow, csv, parquet};

/// A table of many recordings as it grows. Rows can be made on any thread, and are added in whatever order is wanted.
///
/// ```
/// use holotape_convert::Kind;
/// use holotape_convert::dataset::{Dataset, Rows};
/// use holotape_convert::table::TableOptions;
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let options = TableOptions::new();
/// let mut file = Vec::new();
/// let mut dataset = Dataset::create(Kind::Parquet, &options, &mut file)?;
/// for name in ["anna", "berta"] {
///     dataset.push(Rows::new(name, &take, &options)?)?;
/// }
/// dataset.finish()?;
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
    /// Begins a table as CSV, Parquet or Arrow.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any other kind, [`ErrorKind::Io`] if `out` cannot be written to.
    pub fn create(file_format: FileFormat, options: &TableOptions, out: W) -> Result<Self> {
        let schema = table::schema_with_recording(&table::schema(options));
        let metadata = Metadata::new(options);
        Ok(Self(match file_format {
            FileFormat::Csv => Writer::Csv(csv::Writer::new(out, &schema)?),
            FileFormat::Parquet => Writer::Parquet(Box::new(parquet::Writer::new(out, schema, metadata)?)),
            FileFormat::Arrow => Writer::Arrow(Box::new(arrow::Writer::new(out, &schema, metadata)?)),
            other => {
                let message = format!("{} holds one recording; tables hold many", other.name_with_article());
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

/// The rows of one recording, and what they could not hold of it.
pub struct CombinedTableRows {
    batches: Vec<RecordBatch>,
    /// What these rows could not hold.
    pub losses: Losses,
}

impl CombinedTableRows {
    /// Makes the rows of a recording, under a name.
    ///
    /// # Errors
    /// If the times make no sense, as [`Timing::times`](crate::Timing::times) says.
    pub fn new(name: &str, recording: &Recording, options: &TableOptions) -> Result<Self> {
        let schema = table::schema_with_recording(&table::schema(options));
        let batches = table::batches(recording, options)?;
        let batches = batches.map(|batch| table::with_recording(&batch?, &schema, name)).collect::<Result<_>>()?;
        Ok(Self { batches, losses: table::losses(recording, options, false)? })
    }
}
