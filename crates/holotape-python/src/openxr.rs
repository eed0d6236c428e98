//! The OpenXR layers: the environment of an application, and what a layer reports.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::{fs, io};

use holotape::{Error, ErrorKind};
use holotape_openxr::{RECORD_LAYER, REPLAY_LAYER, RecordConfig, ReplayConfig, Report, launch};
use pyo3::prelude::*;

use crate::error::IntoPyResult;

type Environment = BTreeMap<String, OsString>;

/// Returns the path of the library of the layers, which may be in one of these folders.
#[pyfunction]
pub(crate) fn openxr_library(folders: Vec<PathBuf>) -> PyResult<PathBuf> {
    let missing = |message| Error::from(io::Error::new(io::ErrorKind::NotFound, message));
    launch::find_library(&folders).map_err(missing).into_py()
}

/// Adds the variables of the record layer to an environment. The options are JSON.
#[pyfunction]
pub(crate) fn openxr_record_env(
    options: &str,
    library: PathBuf,
    folder: PathBuf,
    env: Environment,
) -> PyResult<Environment> {
    let config = RecordConfig::from_json(options).map_err(Error::invalid_argument).into_py()?;
    enabled(RECORD_LAYER, library, folder, env, (RecordConfig::VARIABLE, config.to_json()))
}

/// Adds the variables of the replay layer to an environment. The options are JSON.
#[pyfunction]
pub(crate) fn openxr_replay_env(
    options: &str,
    library: PathBuf,
    folder: PathBuf,
    env: Environment,
) -> PyResult<Environment> {
    let config = ReplayConfig::from_json(options).map_err(Error::invalid_argument).into_py()?;
    enabled(REPLAY_LAYER, library, folder, env, (ReplayConfig::VARIABLE, config.to_json()))
}

fn enabled(
    layer: &str,
    library: PathBuf,
    folder: PathBuf,
    mut env: Environment,
    (variable, options): (&str, String),
) -> PyResult<Environment> {
    let variables = launch::enable(layer, &library, &folder, |name| env.get(name).cloned());
    let variables = variables.map_err(|error| Error::from(error).with_path(&folder)).into_py()?;
    env.extend(variables.map(|(name, value)| (name.to_owned(), value)));
    env.insert(variable.to_owned(), options.into());
    Ok(env)
}

/// Returns the reports of the layers in a file as a JSON array. A file that does not exist has none.
#[pyfunction]
pub(crate) fn openxr_reports(path: PathBuf) -> PyResult<String> {
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|error| Error::from(error).with_path(&path)).into_py()?,
    };
    let json = serde_json::to_string(&Report::parse(&text));
    json.map_err(|error| Error::new(ErrorKind::Invalid, error.to_string())).into_py()
}
