//! The selected columns of a scan.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use holotape::{Error, Result};

use super::FileIndexCache;
use super::options::ScanOptions;
use crate::rows::arrow_error;
use crate::{Table, schema};

/// Table, columns and options of a scan.
pub(super) struct ScanPlan {
    pub(super) table: Table,
    pub(super) options: ScanOptions,
    /// The selected columns.
    pub(super) schema: SchemaRef,
    /// Their indices in the table.
    pub(super) indices: Vec<usize>,
    pub(super) index_cache: Option<Arc<FileIndexCache>>,
}

impl ScanPlan {
    pub(super) fn new(table: Table, options: &ScanOptions) -> Result<Self> {
        let all = schema(table);
        let indices = match &options.columns {
            None => (0..all.fields().len()).collect(),
            Some(names) => names.iter().map(|name| index_of(table, &all, name)).collect::<Result<Vec<_>>>()?,
        };
        let schema = Arc::new(all.project(&indices).map_err(arrow_error)?);
        Ok(Self { table, options: options.clone(), schema, indices, index_cache: None })
    }

    /// Selects the columns of a batch with all columns.
    pub(super) fn project(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let columns = self.indices.iter().map(|index| Arc::clone(batch.column(*index))).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows).map_err(arrow_error)
    }

    pub(super) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }
}

fn index_of(table: Table, schema: &Schema, name: &str) -> Result<usize> {
    schema.index_of(name).map_err(|_| {
        let message = format!("table {table} has no column {name:?}; docs/corpus.md lists its columns");
        Error::invalid_argument(message)
    })
}
