//! Tables of many recordings in one file, with a column `recording`.

use std::io::Write;

use arrow_array::RecordBatch;
use holotape::{Error, ErrorKind, Recording, Result};

use crate::table::{self, BatchWriter, Metadata, TableOptions};
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
pub struct CombinedTableWriter<'w>(Box<dyn BatchWriter + Send + 'w>);

impl<'w> CombinedTableWriter<'w> {
    /// Starts a table as CSV, Parquet or Arrow.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for other file formats, [`ErrorKind::Io`] if `out` cannot be written to.
    pub fn create(file_format: FileFormat, options: &TableOptions, out: impl Write + Send + 'w) -> Result<Self> {
        let schema = table::combined_schema(options.table());
        let metadata = Metadata::new(options);
        Ok(Self(match file_format {
            FileFormat::Csv => Box::new(csv::Writer::new(out, &schema)?),
            FileFormat::Parquet => Box::new(parquet::Writer::new(out, &schema, metadata)?),
            FileFormat::Arrow => Box::new(arrow::Writer::new(out, &schema, metadata)?),
            other => {
                let message = format!("{} cannot represent several recordings", other.name_with_article());
                return Err(Error::new(ErrorKind::InvalidArgument, message));
            }
        }))
    }

    /// Adds the rows of a recording.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn push(&mut self, rows: CombinedTableRows) -> Result<()> {
        rows.batches.into_iter().try_for_each(|batch| self.0.push(batch))
    }

    /// Writes the end of the table.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        self.0.finish()
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
