//! Reports as JSON, which `python/holotape/_reports.py` parses.

use holotape::Tolerance;
use holotape::check::{self, CheckOptions, RepairOptions, SalvageOptions};
use holotape::diff::Diff;
use holotape::format::ReadOptions;
use holotape::stats::{Stats, StatsOptions};
use holotape_convert::compression;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::error::IntoPyResult;
use crate::recording::Recording;

/// Maximum size of a file that may be damaged, after decompression.
const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;

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

    /// Returns the repaired recording and the report.
    fn repair(&self, py: Python<'_>) -> PyResult<(Self, String)> {
        let (recording, report) = py.detach(|| {
            let mut recording = holotape::Recording::clone(&self.inner);
            let report = check::repair(&mut recording, &RepairOptions::new());
            (recording, report)
        });
        Ok((recording.into(), json(&report)?))
    }

    fn stats(&self, py: Python<'_>, path_rate: f64, saccade_speed: f64, min_fixation: f64) -> PyResult<String> {
        let options = StatsOptions::new()
            .with_path_rate_hz(path_rate)
            .with_saccade_deg_per_sec(saccade_speed)
            .with_min_fixation_secs(min_fixation);
        json(&py.detach(|| Stats::from_recording(&self.inner, &options)).into_py()?)
    }
}

/// Checks a file that may be damaged.
#[pyfunction]
pub(crate) fn check_bytes(py: Python<'_>, bytes: &[u8], max_speed: f64, max_bone_change: f64) -> PyResult<String> {
    let check = || {
        let salvaged = compression::salvage(bytes, MAX_BYTES)?;
        match salvaged.error {
            None => Ok(check::check_slice(&salvaged.bytes, &check_options(max_speed, max_bone_change))),
            Some(error) => Err(error),
        }
    };
    json(&py.detach(check).into_py()?)
}

/// Salvages and repairs a damaged file. Returns the recording and the report.
#[pyfunction]
pub(crate) fn salvage(py: Python<'_>, bytes: &[u8], headerless: bool) -> PyResult<(Recording, String)> {
    let salvage = || {
        let decompressed = compression::salvage(bytes, MAX_BYTES)?;
        let options = SalvageOptions::new().with_headerless(headerless);
        let mut salvaged = check::salvage(&decompressed.bytes, &options)?;
        salvaged.report.lost.extend(decompressed.loss());
        salvaged.report.merge(check::repair(&mut salvaged.recording, &RepairOptions::new()));
        Ok((salvaged.recording, salvaged.report))
    };
    let (recording, report) = py.detach(salvage).into_py()?;
    Ok((recording.into(), json(&report)?))
}

/// Compares two recordings. Returns the report, and whether the motion is within the tolerance.
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
