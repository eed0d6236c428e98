//! Playback.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::frame;
use crate::report::json;

/// Plays a recording: turns time into frames and events.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct Player(Mutex<holotape::Player>);

impl Player {
    pub(crate) fn new(player: holotape::Player) -> Self {
        Self(Mutex::new(player))
    }

    fn player(&self) -> MutexGuard<'_, holotape::Player> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Player {
    fn set_span(&self, start: f64, end: f64) {
        let mut player = self.player();
        *player = player.clone().with_span_secs(start..=end);
    }

    fn set_include_untracked(&self, include_untracked: bool) {
        let mut player = self.player();
        *player = player.clone().with_untracked_poses(include_untracked);
    }

    #[getter]
    fn state(&self) -> &'static str {
        self.player().state().name()
    }

    #[getter]
    fn time(&self) -> f64 {
        self.player().time_secs()
    }

    #[getter]
    fn span(&self) -> (f64, f64) {
        self.player().span_secs().into_inner()
    }

    #[getter]
    fn speed(&self) -> f64 {
        self.player().speed()
    }

    #[setter]
    fn set_speed(&self, speed: f64) {
        self.player().set_speed(speed);
    }

    #[getter]
    fn looping(&self) -> bool {
        self.player().is_looping()
    }

    #[setter]
    fn set_looping(&self, looping: bool) {
        self.player().set_looping(looping);
    }

    fn play(&self) {
        self.player().play();
    }

    fn pause(&self) {
        self.player().pause();
    }

    fn stop(&self) {
        self.player().stop();
    }

    fn seek(&self, time: f64) {
        self.player().seek(time);
    }

    /// Advances the clock, and returns the events as a JSON array.
    fn advance(&self, seconds: f64) -> PyResult<String> {
        json(&self.player().advance(seconds).collect::<Vec<_>>())
    }

    fn frame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        frame::to_python(py, self.player().frame())
    }
}
