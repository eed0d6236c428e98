//! Edits. Each returns a new recording.

use std::ops::Bound as TimeBound;
use std::sync::Arc;

use holotape::Tolerance;
use holotape::edit::{self, ConcatOptions, MergeOptions, RetimeOptions, Selection, Transform};
use holotape::optimize::{OptimizeOptions, optimize};
use pyo3::prelude::*;

use crate::error::IntoPyResult;
use crate::recording::Recording;
use crate::report::json;

#[pymethods]
impl Recording {
    /// Excludes the end, so that a marker at a cut belongs to only one of two neighbouring spans.
    fn trim(&self, py: Python<'_>, start: Option<f64>, end: Option<f64>) -> PyResult<Self> {
        let span = (
            start.map_or(TimeBound::Unbounded, TimeBound::Included),
            end.map_or(TimeBound::Unbounded, TimeBound::Excluded),
        );
        py.detach(|| edit::trim(&self.inner, span)).into_py().map(Self::from)
    }

    fn retime(&self, py: Python<'_>, speed: f64, shift: f64) -> PyResult<Self> {
        let options = RetimeOptions::new().with_speed(speed).with_shift_secs(shift);
        py.detach(|| edit::retime(&self.inner, &options)).into_py().map(Self::from)
    }

    fn resample(&self, py: Python<'_>, rate: f64) -> PyResult<Self> {
        py.detach(|| edit::resample(&self.inner, rate)).into_py().map(Self::from)
    }

    fn mirror(&self, py: Python<'_>) -> Self {
        py.detach(|| edit::mirror(&self.inner)).into()
    }

    fn transform(&self, py: Python<'_>, yaw: f64, translation: [f64; 3]) -> PyResult<Self> {
        let transform = Transform::new().with_yaw_deg(yaw).with_translation_m(translation);
        py.detach(|| edit::transform(&self.inner, &transform)).into_py().map(Self::from)
    }

    fn head_to_origin(&self, py: Python<'_>, keep_height: bool) -> PyResult<Self> {
        let transform = match keep_height {
            true => Transform::head_above_origin(&self.inner),
            false => Transform::head_to_origin(&self.inner),
        };
        let transform = transform.into_py()?;
        py.detach(|| edit::transform(&self.inner, &transform)).into_py().map(Self::from)
    }

    fn select(&self, py: Python<'_>, names: Vec<String>, invert: bool) -> PyResult<Self> {
        let selection = Selection::from_names(names.iter().map(String::as_str)).into_py()?;
        let selection = if invert { selection.inverted() } else { selection };
        Ok(py.detach(|| edit::select(&self.inner, &selection)).into())
    }

    /// Returns the optimized recording, and the report as JSON.
    fn optimize(
        &self,
        py: Python<'_>,
        joint: (f64, f64),
        camera: (f64, f64),
        gaze: (f64, f64),
    ) -> PyResult<(Self, String)> {
        let tolerance = |(position_m, rotation_deg)| Tolerance { position_m, rotation_deg };
        let options = OptimizeOptions::new()
            .with_joint(tolerance(joint))
            .with_camera(tolerance(camera))
            .with_gaze(tolerance(gaze));
        let (recording, report) = py.detach(|| {
            let mut recording = holotape::Recording::clone(&self.inner);
            let report = optimize(&mut recording, &options);
            (recording, report)
        });
        Ok((recording.into(), json(&report)?))
    }
}

/// Joins recordings one after the other.
#[pyfunction]
pub(crate) fn concat(py: Python<'_>, recordings: Vec<PyRef<'_, Recording>>, gap: f64) -> PyResult<Recording> {
    let shared: Vec<_> = recordings.iter().map(|recording| Arc::clone(&recording.inner)).collect();
    let concat = || {
        let recordings: Vec<_> = shared.iter().map(|recording| &**recording).collect();
        edit::concat(&recordings, &ConcatOptions::new().with_gap_secs(gap))
    };
    py.detach(concat).into_py().map(Recording::from)
}

/// Combines channels of several recordings.
#[pyfunction]
pub(crate) fn merge(
    camera: Option<PyRef<'_, Recording>>,
    left: Option<PyRef<'_, Recording>>,
    right: Option<PyRef<'_, Recording>>,
    gaze: Option<PyRef<'_, Recording>>,
    markers: Option<Vec<PyRef<'_, Recording>>>,
) -> Recording {
    let mut options = MergeOptions::new();
    options = camera.iter().fold(options, |options, recording| options.with_camera(&recording.inner));
    options = left.iter().fold(options, |options, recording| options.with_hand(holotape::Hand::Left, &recording.inner));
    options =
        right.iter().fold(options, |options, recording| options.with_hand(holotape::Hand::Right, &recording.inner));
    options = gaze.iter().fold(options, |options, recording| options.with_gaze(&recording.inner));
    let markers: Option<Vec<_>> =
        markers.as_ref().map(|recordings| recordings.iter().map(|recording| &*recording.inner).collect());
    options = markers.iter().fold(options, |options, recordings| options.with_markers(recordings));
    edit::merge(&options).into()
}
