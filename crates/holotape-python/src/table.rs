//! Tables for Arrow consumers such as pyarrow, Polars and DuckDB. Batches are created on demand and passed without a copy.

use std::sync::Arc;

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use holotape_convert::table;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::IntoPyResult;
use crate::recording::Recording;
use crate::write::WriteOptions;

/// A table of a recording, which can be read repeatedly.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct TableStream {
    recording: Arc<holotape::Recording>,
    options: holotape_convert::WriteOptions,
}

#[pymethods]
impl TableStream {
    #[new]
    fn new(recording: PyRef<'_, Recording>, options: &WriteOptions) -> Self {
        Self { recording: Arc::clone(&recording.inner), options: options.inner.clone() }
    }

    /// Returns the names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = table::schema(&self.options.table_options());
        schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// How many rows it has.
    fn row_count(&self, py: Python<'_>) -> PyResult<usize> {
        let count = || -> holotape::Result<usize> {
            let batches = table::batches(&self.recording, &self.options.table_options())?;
            batches.map(|batch| batch.map(|batch| batch.num_rows())).sum()
        };
        py.detach(count).into_py()
    }

    /// Implements Arrow's PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows ignoring the requested schema.
        drop(requested_schema);
        let read = || table::reader(&self.recording, &self.options.table_options());
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(py.detach(read).into_py()?);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }
}
