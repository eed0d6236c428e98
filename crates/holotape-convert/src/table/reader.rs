//! Tables as an Arrow record batch reader.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use holotape::{Recording, Result};

use super::{Metadata, TableOptions, batches, schema};

/// The batches of a table, with the schema and metadata of its [Parquet file](crate::parquet).
///
/// ```
/// use arrow_array::RecordBatchReader;
/// use holotape_convert::table::{TableOptions, TableReader};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let reader = TableReader::new(&recording, &TableOptions::new())?;
/// assert_eq!(reader.schema().metadata()["holotape.space"], "unity");
/// let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!(rows, 61);
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct TableReader {
    schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
}

impl TableReader {
    /// Creates a reader. It does not borrow the recording.
    ///
    /// # Errors
    /// As [`Timing::times`](crate::Timing::times).
    pub fn new(recording: &Recording, options: &TableOptions) -> Result<Self> {
        let metadata = Metadata::new(options).with_recording(recording, options).into_pairs().collect();
        let schema = Arc::new(Schema::clone(&schema(options)).with_metadata(metadata));
        Ok(Self { schema, batches: batches(recording, options)? })
    }
}

impl Iterator for TableReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?.map_err(|error| ArrowError::ExternalError(Box::new(error)));
        Some(batch.and_then(|batch| batch.with_schema(Arc::clone(&self.schema))))
    }
}

impl RecordBatchReader for TableReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
