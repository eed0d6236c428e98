//! The library of the layers, and the folder of a layer for one application.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use holotape::Error;
use holotape::paths::canonicalize;
use holotape_openxr::launch;

use crate::failure::Failure;

/// Finds the library: beside the program, or in the `lib` folder of an installation.
pub(super) fn library() -> Result<PathBuf, Failure> {
    let folder =
        std::env::current_exe().ok().and_then(|program| Some(canonicalize(program).ok()?.parent()?.to_owned()));
    launch::find_library(folder.as_slice()).map_err(Failure::Usage)
}

/// A temporary folder with the manifest of a layer and its report. It is removed when dropped.
pub(super) struct LayerFolder {
    layer: &'static str,
    library: PathBuf,
    folder: tempfile::TempDir,
}

impl LayerFolder {
    pub(super) fn new(layer: &'static str) -> Result<Self, Failure> {
        let library = library()?;
        let temporary = || Error::from(std::io::Error::other("cannot create a temporary folder"));
        let folder = tempfile::Builder::new().prefix("holotape-openxr-").tempdir().map_err(|_| temporary())?;
        Ok(Self { layer, library, folder })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Enables the layer for a program.
    pub(super) fn enable(&self, command: &mut Command) -> Result<(), Failure> {
        let folder = self.path("layers");
        let variables = launch::enable(self.layer, &self.library, &folder, |name| std::env::var_os(name));
        command.envs(variables.map_err(|error| Error::from(error).with_path(&folder))?);
        Ok(())
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
