//! `holotape openxr install | uninstall | status`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, Subcommand};
use holotape::{Error, ErrorKind, atomic};
use holotape_openxr::{RECORD_LAYER, REPLAY_LAYER, RecordConfig, ReplayConfig, manifest};

use super::layers::{library, write};
use super::record::{RecordOptions, absolute, check_output};
use super::replay::{self, ReplayOptions};
use crate::failure::{Failure, Outcome};
use crate::output;

/// The key under which the loader looks for layers on Windows.
const REGISTRY_KEY: &str = r"HKCU\SOFTWARE\Khronos\OpenXR\1\ApiLayers\Implicit";

/// Install a layer for all OpenXR applications of this user
///
/// For applications that are started elsewhere, such as by a launcher or an engine's editor. The layer is active in every
/// application until `holotape openxr uninstall`. The variable HOLOTAPE_OPENXR_DISABLE=1 disables it in one application.
#[derive(Debug, Args)]
pub struct InstallArgs {
    #[command(subcommand)]
    layer: Layer,
}

#[derive(Debug, Subcommand)]
enum Layer {
    /// Install the record layer
    Record(InstallRecordArgs),
    /// Install the replay layer
    Replay(InstallReplayArgs),
}

#[derive(Debug, Args)]
struct InstallRecordArgs {
    /// Output file (.bin). Further sessions are saved as OUT-2, OUT-3 and so on
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    options: RecordOptions,
}

#[derive(Debug, Args)]
struct InstallReplayArgs {
    /// The recording, in any format. The layer uses a copy
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    options: ReplayOptions,
}

/// Remove the layers that `holotape openxr install` installed
#[derive(Debug, Args)]
pub struct UninstallArgs {}

/// Show which layers are installed
#[derive(Debug, Args)]
pub struct StatusArgs {}

pub fn install(args: &InstallArgs) -> Result<Outcome, Failure> {
    let library = library()?;
    let config_dir = config_dir()?;
    let (layer, file_name, config) = match &args.layer {
        Layer::Record(args) => {
            check_output(&args.output)?;
            // Existing recordings are kept, but the folder must exist.
            output::check_not_existing(&args.output, true)?;
            (RECORD_LAYER, RecordConfig::FILE_NAME, args.options.config(&args.output, false)?.to_json())
        }
        Layer::Replay(args) => {
            let copy = config_dir.join("replay.bin");
            atomic::create_folder(&config_dir).map_err(|error| Error::from(error).with_path(&config_dir))?;
            replay::convert(&args.input, &copy)?;
            (REPLAY_LAYER, ReplayConfig::FILE_NAME, args.options.config(absolute(&copy)?).to_json())
        }
    };
    write(&config_dir.join(file_name), &config)?;
    let manifest = manifest_path(layer)?;
    write(&manifest, &manifest::json(layer, &library))?;
    if cfg!(windows) {
        registry(&["add", REGISTRY_KEY, "/v", &manifest.to_string_lossy(), "/t", "REG_DWORD", "/d", "0", "/f"])?;
    }
    let mut out = output::stdout();
    writeln!(out, "installed {layer}: {}", manifest.display())?;
    out.flush()?;
    Ok(Outcome::Done)
}

pub fn uninstall() -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    if installed()?.iter().all(|(_, is_installed)| !is_installed) {
        writeln!(out, "no layer is installed")?;
    }
    for layer in [RECORD_LAYER, REPLAY_LAYER] {
        let manifest = manifest_path(layer)?;
        if !manifest.is_file() {
            continue;
        }
        if cfg!(windows) {
            registry(&["delete", REGISTRY_KEY, "/v", &manifest.to_string_lossy(), "/f"])?;
        }
        remove(&manifest)?;
        writeln!(out, "uninstalled {layer}")?;
    }
    let config_dir = config_dir()?;
    for file in [RecordConfig::FILE_NAME, ReplayConfig::FILE_NAME, "replay.bin"] {
        let path = config_dir.join(file);
        if path.is_file() {
            remove(&path)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

pub fn status() -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let config_dir = config_dir()?;
    for (layer, file) in [(RECORD_LAYER, RecordConfig::FILE_NAME), (REPLAY_LAYER, ReplayConfig::FILE_NAME)] {
        if manifest_path(layer)?.is_file() {
            let config = fs::read_to_string(config_dir.join(file)).unwrap_or_default();
            writeln!(out, "{layer}: installed\n  {config}")?;
        } else {
            writeln!(out, "{layer}: not installed")?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// The layers, and whether each is installed.
pub(super) fn installed() -> Result<[(&'static str, bool); 2], Failure> {
    let is_installed = |layer| manifest_path(layer).map(|path| (layer, path.is_file()));
    Ok([is_installed(RECORD_LAYER)?, is_installed(REPLAY_LAYER)?])
}

fn config_dir() -> Result<PathBuf, Failure> {
    manifest::config_dir().ok_or_else(|| {
        let variable = if cfg!(windows) { "APPDATA" } else { "HOME" };
        Error::new(ErrorKind::Invalid, format!("the folder of the user is unknown: {variable} is not set")).into()
    })
}

/// Where the manifest of an installed layer is.
fn manifest_path(layer: &str) -> Result<PathBuf, Failure> {
    let name = manifest::file_name(layer);
    if cfg!(windows) {
        return Ok(config_dir()?.join(name));
    }
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")));
    let data = data.map_or_else(config_dir, Ok)?;
    Ok(data.join("openxr/1/api_layers/implicit.d").join(name))
}

fn registry(arguments: &[&str]) -> Result<(), Failure> {
    let failed = |message: String| Failure::from(Error::new(ErrorKind::Invalid, format!("registry: {message}")));
    let result = Command::new("reg").args(arguments).output().map_err(|error| failed(error.to_string()))?;
    if result.status.success() {
        return Ok(());
    }
    Err(failed(String::from_utf8_lossy(&result.stderr).trim().to_owned()))
}

fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| Error::from(error).with_path(path).into())
}
