//! The library of the layers, and the variables by which the loader finds it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holotape::Error;
use holotape_openxr::{RECORD_LAYER, manifest};

use crate::failure::Failure;

/// Names a library in another place.
const LIBRARY_VARIABLE: &str = "HOLOTAPE_OPENXR_LIBRARY";

/// Finds the library: beside the program, or in the `lib` folder of an installation.
pub(super) fn library() -> Result<PathBuf, Failure> {
    let name = manifest::library_name();
    let chosen = std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from);
    let folder =
        std::env::current_exe().ok().and_then(|program| Some(program.canonicalize().ok()?.parent()?.to_owned()));
    let beside = folder.iter().flat_map(|folder| {
        [folder.join(&name), folder.join("../lib").join(&name), folder.join("../lib/holotape").join(&name)]
    });
    let mut places: Vec<_> = chosen.into_iter().chain(beside).collect();
    if let Some(found) = places.iter().find(|path| path.is_file()) {
        return found.canonicalize().map_err(|error| Error::from(error).with_path(found).into());
    }
    places.truncate(1);
    let place = places.pop().unwrap_or_default();
    let message = format!(
        "{}: no such file; build it with `cargo build --release --package holotape-openxr`, or name it in {LIBRARY_VARIABLE}",
        place.display()
    );
    Err(Failure::Usage(message))
}

/// A temporary folder with the manifest of a layer and its report. It is removed when dropped.
pub(super) struct LayerFolder {
    layer: &'static str,
    folder: tempfile::TempDir,
}

impl LayerFolder {
    /// Has no manifest of the other layer: with one command inside the other, the loader would find that twice.
    pub(super) fn new(layer: &'static str) -> Result<Self, Failure> {
        let library = library()?;
        let temporary = || Error::from(std::io::Error::other("cannot create a temporary folder"));
        let folder = tempfile::Builder::new().prefix("holotape-openxr-").tempdir().map_err(|_| temporary())?;
        let path = folder.path().join("layers").join(manifest::file_name(layer));
        write(&path, &manifest::json(layer, &library))?;
        Ok(Self { layer, folder })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Enables the layer for a program. A recorder is nearest to the application and a replayer nearest to the runtime,
    /// so that a recorder records what is replayed.
    pub(super) fn enable(&self, command: &mut Command) {
        let mut paths = vec![self.path("layers")];
        // This variable replaces the standard places, where other layers are.
        match std::env::var_os("XR_API_LAYER_PATH").filter(|value| !value.is_empty()) {
            Some(value) => paths.extend(std::env::split_paths(&value)),
            None => paths.extend(standard_folders()),
        }
        let enabled = std::env::var_os("XR_ENABLE_API_LAYERS").filter(|value| !value.is_empty());
        let mut layers: Vec<PathBuf> = enabled.iter().flat_map(std::env::split_paths).collect();
        layers.insert(if self.layer == RECORD_LAYER { 0 } else { layers.len() }, self.layer.into());
        command.env("XR_API_LAYER_PATH", join(paths)).env("XR_ENABLE_API_LAYERS", join(layers));
    }
}

/// Writes a file, and creates its folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    };
    write().map_err(|error| Error::from(error).with_path(path).into())
}

fn join(paths: Vec<PathBuf>) -> OsString {
    // Fails only if a path contains the separator; such a folder cannot be named in these variables at all.
    std::env::join_paths(paths.into_iter().filter(|path| std::env::join_paths([path]).is_ok())).unwrap_or_default()
}

/// Where the loader looks for explicit layers without its variable. On Windows it uses the registry, which it reads
/// only without the variable, so layers that are registered there are not found.
fn standard_folders() -> Vec<PathBuf> {
    if cfg!(windows) {
        return Vec::new();
    }
    let list = |variable: &str, default: &str| -> Vec<PathBuf> {
        let value = std::env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or_else(|| default.into());
        std::env::split_paths(&value).collect()
    };
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let mut folders = list("XDG_CONFIG_DIRS", "/etc/xdg");
    folders.push("/etc".into());
    folders.extend(list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
    folders.extend(list("XDG_DATA_HOME", &home.join(".local/share").to_string_lossy()));
    folders.iter().map(|folder| folder.join("openxr/1/api_layers/explicit.d")).collect()
}
