//! Frames by way of the table that `convert` makes: all columns, of any recording. What [`scan`](crate::scan()) does faster
//! is tested against this.

use std::iter;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use holotape::{Recording, Result};
use holotape_convert::Timing;
use holotape_convert::table::{self, TableOptions};

use super::{RowOptions, arrow_error};
use crate::{Table, schema};

pub(super) fn frames<'a>(
    take: &'a str,
    recording: &Recording,
    options: &RowOptions,
) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + 'a> {
    let schema = schema(Table::Frames);
    match table::batches(recording, &TableOptions::new().with_timing(Timing::Rate(options.rate_hz()))) {
        Ok(batches) => Box::new(batches.map(move |batch| with_recording_column(take, &batch?, &schema))),
        Err(error) => Box::new(iter::once(Err(error))),
    }
}

/// A batch with the name of the take before all other columns.
fn with_recording_column(take: &str, batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let takes: ArrayRef = Arc::new(StringArray::from_iter_values(iter::repeat_n(take, batch.num_rows())));
    let columns = iter::once(takes).chain(batch.columns().iter().cloned()).collect();
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(arrow_error)
}
