//! Converts errors of the library to Python exceptions, whose classes are in `python/holotape/_errors.py`.

use std::error::Error as _;
use std::io;

use holotape::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Converts the error of a result to an exception.
pub(crate) trait IntoPyResult<T> {
    fn into_py(self) -> PyResult<T>;
}

impl<T> IntoPyResult<T> for holotape::Result<T> {
    fn into_py(self) -> PyResult<T> {
        self.map_err(|error| Python::attach(|py| exception(py, &error).unwrap_or_else(|failure| failure)))
    }
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKE.get_or_try_init(py, || py.import("holotape._errors")?.getattr("make").map(Bound::unbind))?;
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    let arguments = (
        error.kind().name(),
        error.to_string(),
        error.offset(),
        error.location().map(|location| location.to_string()),
        error.path().map(|path| path.to_path_buf()),
        source.map(|source| os_error(py, source)),
        source.and_then(io::Error::raw_os_error),
    );
    Ok(PyErr::from_value(make.bind(py).call1(arguments)?))
}

/// Returns Python's class for an error of the operating system.
fn os_error<'py>(py: Python<'py>, source: &io::Error) -> Bound<'py, PyType> {
    let fresh = source.raw_os_error().map_or_else(|| source.kind().into(), io::Error::from_raw_os_error);
    PyErr::from(fresh).get_type(py)
}
