//! Recording of live frames.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use holotape::format::Channels;
use holotape::record::{self, FinishedRecording, Journal, PushOutcome, RecorderOptions, RecorderStatus};
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

    fn with_recorder<T>(&self, act: impl FnOnce(&mut record::Recorder) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.state() {
            State::Recording(recorder) => act(recorder),
            State::Stopped(_) | State::Discarded => Err(PyRuntimeError::new_err("recorder is stopped")),
        }
    }

    /// Stops the recorder if it is running, and calls `act` with the finished recording.
    fn with_finished<T>(&self, act: impl FnOnce(&mut FinishedRecording) -> PyResult<T>) -> PyResult<T> {
        let mut state = self.state();
        if let State::Recording(recorder) = std::mem::replace(&mut *state, State::Discarded) {
            *state = State::Stopped(Box::new(recorder.stop()));
        }
        match &mut *state {
            State::Stopped(finished) => act(finished),
            _ => Err(PyRuntimeError::new_err("recording was discarded")),
        }
    }
}

#[pymethods]
impl Recorder {
    #[new]
    fn new(
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
        let recorder = record::Recorder::start(options).into_py()?;
        Ok(Self(Mutex::new(State::Recording(Box::new(recorder)))))
    }

    fn push(&self, frame: &Bound<'_, PyAny>) -> PyResult<bool> {
        let frame = frame::from_python(frame)?;
        self.with_recorder(|recorder| Ok(recorder.push(&frame).into_py()? == PushOutcome::Accepted))
    }

    fn add_marker(&self, time: f64, name: &str) -> PyResult<()> {
        self.with_recorder(|recorder| recorder.add_marker(time, name).into_py())
    }

    fn status(&self) -> PyResult<StatusTuple> {
        self.with_recorder(|recorder| {
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
    fn stop(&self) -> PyResult<Recording> {
        self.with_finished(|finished| Ok(finished.recording.clone().into()))
    }

    /// Saves the recording, then removes the journal.
    fn save(&self, path: PathBuf) -> PyResult<Vec<LossTuple>> {
        self.with_finished(|finished| finished.save(path).into_py().map(|losses| loss_tuples(losses.into())))
    }

    /// Discards the recording, and removes the journal.
    fn discard(&self) -> PyResult<()> {
        match std::mem::replace(&mut *self.state(), State::Discarded) {
            State::Recording(recorder) => recorder.discard().into_py(),
            State::Stopped(finished) => finished.discard().into_py(),
            State::Discarded => Ok(()),
        }
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
