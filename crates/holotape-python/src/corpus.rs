//! Scans, which pass Arrow batches without a copy, and datasets. All work runs without the interpreter lock.

use std::num::NonZeroUsize;
use std::ops::{self, ControlFlow};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use holotape_corpus::{
    ActionSource, BuildOptions, Dataset, FeatureSet, HandFilter, LerobotOptions, Progress, RecordingFile, RowOptions,
    ScanCounts, ScanOptions, Table, TaskSource,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde::Serialize;

use crate::error::IntoPyResult;
use crate::parse;
use crate::report::json;

/// A time, and whether it is included.
type TimeBound = Option<(f64, bool)>;

/// Returns names and paths of the recordings in folders, patterns and files.
#[pyfunction]
pub(crate) fn find_recordings(py: Python<'_>, inputs: Vec<PathBuf>) -> PyResult<Vec<(String, PathBuf)>> {
    let files = py.detach(|| holotape_corpus::find_recordings(inputs)).into_py()?;
    Ok(files.into_iter().map(|file| (file.name, file.path)).collect())
}

/// A cache of file indexes, which is kept on disk for the user.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct FileIndexCache(Arc<holotape_corpus::FileIndexCache>);

#[pymethods]
impl FileIndexCache {
    #[new]
    fn new() -> Self {
        Self(Arc::new(holotape_corpus::FileIndexCache::for_user()))
    }
}

/// A scan that can be read once.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct Scan {
    scan: Mutex<Option<holotape_corpus::Scan>>,
    counts: Box<dyn Fn() -> ScanCounts + Send + Sync>,
}

#[pymethods]
impl Scan {
    #[new]
    #[pyo3(signature = (recordings, table, *, columns=None, start=None, end=None, hands=None, rate=60.0, jobs=None, errors="skip", index_cache=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        recordings: Vec<(String, PathBuf)>,
        table: &str,
        columns: Option<Vec<String>>,
        start: TimeBound,
        end: TimeBound,
        hands: Option<(bool, bool, bool)>,
        rate: f64,
        jobs: Option<usize>,
        errors: &str,
        index_cache: Option<&FileIndexCache>,
    ) -> PyResult<Self> {
        let bound = |bound: TimeBound| match bound {
            Some((secs, true)) => ops::Bound::Included(secs),
            Some((secs, false)) => ops::Bound::Excluded(secs),
            None => ops::Bound::Unbounded,
        };
        let hands = hands.map_or(HandFilter::ALL, |(left, right, none)| HandFilter { left, right, none });
        let mut options = ScanOptions::new()
            .with_rows(RowOptions::new().with_rate_hz(rate).into_py()?)
            .with_times_secs((bound(start), bound(end)))
            .with_hands(hands)
            .with_on_error(parse::on_error(errors)?);
        if let Some(columns) = columns {
            options = options.with_columns(columns);
        }
        if let Some(jobs) = jobs {
            options = options.with_jobs(jobs);
        }
        let files = recordings.into_iter().map(|(name, path)| RecordingFile::new(name, path)).collect();
        let mut scan = holotape_corpus::scan(files, table.parse::<Table>().into_py()?, &options).into_py()?;
        if let Some(cache) = index_cache {
            scan = scan.with_index_cache(&cache.0);
        }
        Ok(Self { counts: Box::new(scan.count_reader()), scan: Mutex::new(Some(scan)) })
    }

    /// Returns the numbers of opened and skipped recordings, and of curves and bytes read.
    fn counts(&self) -> (u64, u64, u64, u64) {
        let ScanCounts { recordings, skipped, curves, bytes, .. } = (self.counts)();
        (recordings, skipped, curves, bytes)
    }

    /// Implements Arrow's PyCapsule interface; fails on the second call.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows ignoring the requested schema.
        drop(requested_schema);
        let scan = self.scan.lock().ok().and_then(|mut scan| scan.take());
        let scan = scan.ok_or_else(|| PyRuntimeError::new_err("scan was already read; open another one"))?;
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(ScanReader(scan));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }
}

/// A scan with Arrow errors.
struct ScanReader(holotape_corpus::Scan);

impl Iterator for ScanReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for ScanReader {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

/// The columns of a table.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct TableSchema(SchemaRef);

#[pymethods]
impl TableSchema {
    #[new]
    fn new(table: &str) -> PyResult<Self> {
        Ok(Self(holotape_corpus::schema(table.parse::<Table>().into_py()?)))
    }

    /// Returns the names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Implements Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.0).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// The name of a table, and its files.
type TableFiles = (&'static str, Vec<PathBuf>);

/// Returns the files of each table of a dataset and its rate in Hz; `None` if the folder is not a dataset.
#[pyfunction]
pub(crate) fn dataset_files(folder: PathBuf) -> PyResult<Option<(Vec<TableFiles>, f64)>> {
    if !Dataset::is_at(&folder) {
        return Ok(None);
    }
    let dataset = Dataset::open(folder).into_py()?;
    let files = dataset.tables().into_iter().map(|table| Ok((table.name(), dataset.files(table).into_py()?)));
    Ok(Some((files.collect::<PyResult<_>>()?, dataset.rate_hz())))
}

/// Builds a dataset, and returns the report as JSON. Calls `progress` with the numbers of finished and of all recordings.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn build_dataset(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    out: PathBuf,
    rate: f64,
    keys: bool,
    verify: bool,
    jobs: Option<NonZeroUsize>,
    progress: Py<PyAny>,
) -> PyResult<String> {
    let options = BuildOptions::new().with_rate_hz(rate).with_keys(keys).with_verify(verify).with_jobs(jobs);
    run_build(py, &progress, |progress| holotape_corpus::build(inputs, out, &options, progress))
}

/// Builds a LeRobot dataset, and returns the report as JSON. Calls `progress` as [`build_dataset`] does.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub(crate) fn build_lerobot(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    out: PathBuf,
    fps: u32,
    features: &str,
    action: &str,
    task: &str,
    tasks_from: Option<&str>,
    space: &str,
    robot_type: &str,
    file_size: f64,
    verify: bool,
    jobs: Option<NonZeroUsize>,
    progress: Py<PyAny>,
) -> PyResult<String> {
    let options = LerobotOptions::new()
        .with_fps(fps)
        .with_features(features.parse::<FeatureSet>().into_py()?)
        .with_action(action.parse::<ActionSource>().into_py()?)
        .with_task(task)
        .with_tasks(tasks_from.map_or(Ok(TaskSource::Text), str::parse).into_py()?)
        .with_space(parse::space(space)?)
        .with_robot_type(robot_type)
        .with_file_mb(file_size)
        .with_verify(verify)
        .with_jobs(jobs);
    run_build(py, &progress, |progress| holotape_corpus::build_lerobot(inputs, out, &options, progress))
}

/// Called after each recording, from several threads.
type OnProgress<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Runs a build in a thread, with progress and Ctrl-C, and returns its report as JSON.
fn run_build<R: Serialize + Send>(
    py: Python<'_>,
    progress: &Py<PyAny>,
    build: impl FnOnce(OnProgress<'_>) -> holotape::Result<R> + Send,
) -> PyResult<String> {
    // The first exception of Python cancels the build, and is raised afterwards.
    let raised = OnceLock::new();
    let report_progress = |Progress { done, total }: Progress| {
        if let Err(error) = Python::attach(|py| progress.call1(py, (done, total))) {
            raised.set(error).ok();
        }
        if raised.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    let report = thread::scope(|scope| {
        let report_progress = &report_progress;
        scope.spawn(move || drop(sender.send(build(report_progress))));
        // Python handles signals only in its main thread, so this one waits and checks for Ctrl-C.
        loop {
            let wait = || {
                receiver.lock().map_or(Err(RecvTimeoutError::Disconnected), |it| it.recv_timeout(SIGNAL_CHECK_INTERVAL))
            };
            match py.detach(wait) {
                Ok(report) => return Some(report),
                Err(RecvTimeoutError::Timeout) => drop(py.check_signals().map_err(|error| raised.set(error))),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    });
    if let Some(error) = raised.into_inner() {
        return Err(error);
    }
    let report = report.ok_or_else(|| PyRuntimeError::new_err("build failed: the worker thread panicked"))?;
    json(&report.into_py()?)
}

const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(100);
