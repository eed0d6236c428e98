//! Which columns are asked for, and what that takes.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use holotape::{Error, ErrorKind, Result};

use super::FileIndexCache;
use super::options::ScanOptions;
use crate::rows::arrow_error;
use crate::{Table, schema};

/// Which columns of which table, and everything else that was asked for.
pub(super) struct ScanPlan {
    pub(super) table: Table,
    pub(super) options: ScanOptions,
    /// The columns that are asked for.
    pub(super) schema: SchemaRef,
    /// Their places in the table.
    pub(super) indices: Vec<usize>,
    /// What is known from other scans.
    pub(super) outlines: Option<Arc<FileIndexCache>>,
}

impl ScanPlan {
    pub(super) fn new(table: Table, options: &ScanOptions) -> Result<Self> {
        let all = schema(table);
        let indices = match &options.columns {
            None => (0..all.fields().len()).collect(),
            Some(names) => names.iter().map(|name| index_of(table, &all, name)).collect::<Result<Vec<_>>>()?,
        };
        let schema = Arc::new(all.project(&indices).map_err(arrow_error)?);
        Ok(Self { table, options: options.clone(), schema, indices, outlines: None })
    }

    /// The columns that are asked for of a batch with all of them.
    pub(super) fn project(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let columns = self.indices.iter().map(|index| Arc::clone(batch.column(*index))).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows).map_err(arrow_error)
    }

    /// The names of the columns that are asked for.
    pub(super) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }
}

fn index_of(table: Table, schema: &Schema, name: &str) -> Result<usize> {
    schema.index_of(name).map_err(|_| {
        let message = format!("the table {table} has no column {name:?}; docs/corpus.md lists those that it has");
        Error::new(ErrorKind::Invalid, message)
    })
}
