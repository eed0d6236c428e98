//! What the library has to say about recordings, as JSON: `python/holotape` makes objects of it.

use holotape::Tolerance;
use holotape::check::{self, CheckOptions, RepairOptions, SalvageOptions};
use holotape::diff::Diff;
use holotape::stats::{Stats, StatsOptions};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::error::IntoPyResult;
use crate::recording::Recording;

pub(crate) fn json(report: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn check_options(max_speed: f64, max_bone_change: f64) -> CheckOptions {
    CheckOptions::new().with_max_speed_m_per_sec(max_speed).with_max_bone_change(max_bone_change)
}

#[pymethods]
impl Recording {
    fn check(&self, py: Python<'_>, max_speed: f64, max_bone_change: f64) -> PyResult<String> {
        json(&py.detach(|| check::check(&self.inner, &check_options(max_speed, max_bone_change))))
    }

    /// The recording mended, and what was done.
    fn repair(&self, py: Python<'_>) -> PyResult<(Self, String)> {
        let (recording, report) = py.detach(|| {
            let mut recording = holotape::Recording::clone(&self.inner);
            let report = check::repair(&mut recording, &RepairOptions::new());
            (recording, report)
        });
        Ok((recording.into(), json(&report)?))
    }

    fn stats(&self, py: Python<'_>, travel_rate: f64, saccade_speed: f64, fixation: f64) -> PyResult<String> {
        let options = StatsOptions::new()
            .with_path_rate_hz(travel_rate)
            .with_saccade_deg_per_sec(saccade_speed)
            .with_min_fixation_secs(fixation);
        json(&py.detach(|| Stats::from_recording(&self.inner, &options)).into_py()?)
    }
}

/// What is wrong with a file that may be broken.
#[pyfunction]
pub(crate) fn check_bytes(py: Python<'_>, bytes: &[u8], max_speed: f64, max_bone_change: f64) -> PyResult<String> {
    json(&py.detach(|| check::check_slice(bytes, &check_options(max_speed, max_bone_change))))
}

/// What there is of a broken file, mended, and what was done and lost.
#[pyfunction]
pub(crate) fn salvage(py: Python<'_>, bytes: &[u8], headerless: bool) -> PyResult<(Recording, String)> {
    let save = || {
        let mut saved = check::salvage(bytes, &SalvageOptions::new().with_headerless(headerless))?;
        saved.report.merge(check::repair(&mut saved.recording, &RepairOptions::new()));
        Ok((saved.recording, saved.report))
    };
    let (recording, report) = py.detach(save).into_py()?;
    Ok((recording.into(), json(&report)?))
}

/// How two recordings differ, and whether they are the same motion by a tolerance.
#[pyfunction]
pub(crate) fn diff(
    py: Python<'_>,
    first: PyRef<'_, Recording>,
    second: PyRef<'_, Recording>,
    tolerance: Option<(f64, f64)>,
) -> PyResult<(String, Option<bool>)> {
    let (first, second) = (&*first.inner, &*second.inner);
    let diff = py.detach(|| Diff::between(first, second));
    let is_within = tolerance.map(|(position_m, rotation_deg)| diff.is_within(&Tolerance { position_m, rotation_deg }));
    Ok((json(&diff)?, is_within))
}
