//! A table as a stream, for whoever takes Arrow's batches one after the other.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use holotape::{Recording, Result};

use super::{Metadata, TableOptions, batches, schema};

/// The batches of a table, with the schema and the metadata that its [Parquet file](crate::parquet) would have.
///
/// ```
/// use arrow_array::RecordBatchReader;
/// use holotape_convert::table::{TableOptions, TableReader};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let reader = TableReader::new(&take, &TableOptions::new())?;
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
    /// A reader of a recording's table. It keeps what it needs, so the recording may go.
    ///
    /// # Errors
    /// If the times make no sense, as [`Timing::times`](crate::Timing::times) says.
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
