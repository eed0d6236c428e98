//! Recording of live frames.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use holotape::Result;
use holotape::atomic::{self, IfExists};
use holotape::format::Channels;
use holotape::record::{self, FinishedRecording, Journal, PushOutcome, RecorderOptions, RecorderStatus};
use holotape_convert::compression::Compression;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::IntoPyResult;
use crate::frame;
use crate::recording::Recording;
use crate::write::{LossTuple, loss_tuples};

/// Records live frames.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct Recorder(Mutex<State>);

/// Numbers of frames and markers, duration, last time, and numbers of dropped items: over rate, out of order, not finite.
type StatusTuple = (u64, u64, f64, Option<f64>, u64, u64, u64);

enum State {
    Recording(Box<record::Recorder>),
    Stopped(Box<FinishedRecording>),
    Discarded,
}

impl Recorder {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` with the running recorder. Writing to the journal can wait for the disk, so the interpreter lock is
    /// released before the state is locked.
    fn with_recorder<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut record::Recorder) -> Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| match &mut *self.state() {
            State::Recording(recorder) => Some(act(recorder)),
            State::Stopped(_) | State::Discarded => None,
        });
        result.ok_or_else(|| PyRuntimeError::new_err("recorder is stopped"))?.into_py()
    }

    /// Stops the recorder if it is running, and calls `act` with the finished recording, without the interpreter lock.
    fn with_finished<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut FinishedRecording) -> Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| {
            let mut state = self.state();
            *state = match std::mem::replace(&mut *state, State::Discarded) {
                State::Recording(recorder) => State::Stopped(Box::new(recorder.stop())),
                other => other,
            };
            match &mut *state {
                State::Stopped(finished) => Some(act(finished)),
                _ => None,
            }
        });
        result.ok_or_else(|| PyRuntimeError::new_err("recording was discarded"))?.into_py()
    }
}

#[pymethods]
impl Recorder {
    #[new]
    fn new(
        py: Python<'_>,
        max_rate: Option<f64>,
        keep_last: Option<f64>,
        channels: (bool, bool, bool),
        gaze_fallback: bool,
        journal: Option<PathBuf>,
    ) -> PyResult<Self> {
        let (camera, hands, gaze) = channels;
        let options = RecorderOptions::new()
            .with_max_rate_hz(max_rate)
            .with_keep_last_secs(keep_last)
            .with_channels(Channels { camera, hands, gaze })
            .with_gaze_fallback(gaze_fallback);
        let options = journal.into_iter().fold(options, RecorderOptions::with_journal);
        let recorder = py.detach(|| record::Recorder::start(options)).into_py()?;
        Ok(Self(Mutex::new(State::Recording(Box::new(recorder)))))
    }

    fn push(&self, py: Python<'_>, frame: &Bound<'_, PyAny>) -> PyResult<bool> {
        let frame = frame::from_python(frame)?;
        self.with_recorder(py, |recorder| Ok(recorder.push(&frame)? == PushOutcome::Accepted))
    }

    fn add_marker(&self, py: Python<'_>, time: f64, name: &str) -> PyResult<()> {
        self.with_recorder(py, |recorder| recorder.add_marker(time, name))
    }

    fn status(&self, py: Python<'_>) -> PyResult<StatusTuple> {
        self.with_recorder(py, |recorder| {
            let RecorderStatus {
                frame_count,
                marker_count,
                duration_secs,
                last_secs,
                over_rate,
                out_of_order,
                not_finite,
                ..
            } = recorder.status();
            Ok((frame_count, marker_count, duration_secs, last_secs, over_rate, out_of_order, not_finite))
        })
    }

    /// Stops and returns the recording. The journal stays.
    fn stop(&self, py: Python<'_>) -> PyResult<Recording> {
        self.with_finished(py, |finished| Ok(finished.recording.clone())).map(Recording::from)
    }

    /// Saves the recording, then removes the journal.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<LossTuple>> {
        let save = |recording: &holotape::Recording| {
            atomic::write(&path, IfExists::Replace, |file| {
                Compression::from_path(&path).write(file, |out| recording.write_to(out))
            })
        };
        self.with_finished(py, |finished| finished.save_with(save)).map(|losses| loss_tuples(losses.into()))
    }

    /// Discards the recording, and removes the journal.
    fn discard(&self, py: Python<'_>) -> PyResult<()> {
        let discarded = py.detach(|| match std::mem::replace(&mut *self.state(), State::Discarded) {
            State::Recording(recorder) => recorder.discard(),
            State::Stopped(finished) => finished.discard(),
            State::Discarded => Ok(()),
        });
        discarded.into_py()
    }
}

/// Returns the path of the journal for a recording.
#[pyfunction]
pub(crate) fn journal_path(path: PathBuf) -> PathBuf {
    record::journal_path(path)
}

/// Recovers a recording from a journal. Returns also the numbers of frames and of dropped bytes.
#[pyfunction]
pub(crate) fn recover(py: Python<'_>, path: PathBuf) -> PyResult<(Recording, u64, u64)> {
    let journal = py.detach(|| Journal::open(path)).into_py()?;
    Ok((journal.recording.into(), journal.frame_count, journal.dropped_bytes))
}
