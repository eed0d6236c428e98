//! The test bed: a folder with the layers, in which an application runs on Monado.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use holotape::Recording;
use holotape_openxr::{RECORD_LAYER, REPLAY_LAYER, RecordConfig, ReplayConfig, Report, manifest};
use tempfile::TempDir;

use crate::client::ClientRun;

/// The folder with the manifests of Debian's layers.
const SYSTEM_LAYERS: &str = "/usr/share/openxr/1/api_layers/explicit.d";

/// A device of Monado.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// A moving head, no hands and no eyes.
    Simulated,
    /// A head and hands that `remote.py` moves; it logs them to `packets.jsonl`.
    Remote,
}

/// A folder, visible to the application at the same path.
pub(crate) struct Bed(TempDir);

impl Bed {
    pub(crate) fn new() -> Self {
        let bed = Self(tempfile::tempdir().expect("a folder"));
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/openxr");
        for script in ["monado", "client.py", "remote.py", "button.py", "teleop.py"] {
            fs::copy(scripts.join(script), bed.path(script)).expect("a script");
        }
        let library = bed.path(&manifest::library_name());
        fs::copy(built_library(), &library).expect("the library");
        for layer in [RECORD_LAYER, REPLAY_LAYER] {
            fs::write(bed.path(&manifest::file_name(layer)), manifest::json(layer, &library)).expect("a manifest");
        }
        bed
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Saves a recording as `in.bin`.
    pub(crate) fn save_input(&self, recording: &Recording) {
        let losses = recording.save(self.path("in.bin")).expect("saved");
        assert!(losses.iter().next().is_none(), "{losses:?}");
    }

    /// The options of a recording `out.bin`, with reports to `report`.
    pub(crate) fn record_config(&self) -> RecordConfig {
        RecordConfig { report: Some(self.path("report")), ..RecordConfig::new(self.path("out.bin")) }
    }

    /// The options of the replay of `in.bin`, with reports to `report`.
    pub(crate) fn replay_config(&self) -> ReplayConfig {
        ReplayConfig { report: Some(self.path("report")), ..ReplayConfig::new(self.path("in.bin")) }
    }

    pub(crate) fn reports(&self) -> Vec<Report> {
        Report::parse(&fs::read_to_string(self.path("report")).unwrap_or_default())
    }

    /// Runs an application with layers, the first of them nearest to it.
    pub(crate) fn run(&self, device: Device, layers: &[Layer<'_>], application: &[&str]) -> Output {
        let in_root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/openxr/in-root");
        let mut command = Command::new(in_root);
        command.arg("--bind").arg(self.0.path()).arg(root()).arg(self.path("monado"));
        match device {
            Device::Simulated => command.arg("simulated"),
            Device::Remote => {
                command.arg("remote").arg(self.path("remote.py")).arg("--log").arg(self.path("packets.jsonl"))
            }
        };
        command.args(application);
        command.env("XR_API_LAYER_PATH", format!("{}:{SYSTEM_LAYERS}", self.0.path().display()));
        let names: Vec<_> = layers.iter().map(Layer::name).collect();
        command.env("XR_ENABLE_API_LAYERS", names.join(":"));
        for layer in layers {
            match layer {
                Layer::Record(Some(config)) => command.env(RecordConfig::VARIABLE, config.to_json()),
                Layer::Replay(Some(config)) => command.env(ReplayConfig::VARIABLE, config.to_json()),
                _ => &mut command,
            };
        }
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    /// Runs `client.py` with layers.
    pub(crate) fn run_client(&self, device: Device, layers: &[Layer<'_>], args: &[&str]) -> ClientRun {
        let client = self.path("client.py");
        let application: Vec<_> = [client.to_str().expect("UTF-8")].iter().chain(args).copied().collect();
        ClientRun::new(self.run(device, layers, &application))
    }
}

/// A layer with its options; without them, its variable is not set.
pub(crate) enum Layer<'a> {
    Record(Option<&'a RecordConfig>),
    Replay(Option<&'a ReplayConfig>),
    /// Khronos' layer that checks all calls.
    Validation,
}

impl Layer<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Record(_) => RECORD_LAYER,
            Self::Replay(_) => REPLAY_LAYER,
            Self::Validation => "XR_APILAYER_LUNARG_core_validation",
        }
    }
}

/// The library of the layers. This package depends on its crate, so cargo builds it next to the tests.
fn built_library() -> PathBuf {
    let tests = std::env::current_exe().expect("a path");
    tests.with_file_name(manifest::library_name())
}

/// The file system with Monado.
fn root() -> PathBuf {
    let made = || std::env::current_exe().ok()?.ancestors().nth(3).map(|target| target.join("openxr-root"));
    let root = std::env::var_os("HOLOTAPE_OPENXR_ROOT").map(PathBuf::from).or_else(made).expect("a path");
    assert!(root.exists(), "{} is missing; `cargo xtask test` makes it", root.display());
    root
}
