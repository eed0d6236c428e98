//! Installs the programs that the tests in `interop-tests/` need.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::run::{command, download, is_available, root};
use crate::tools::{debian_package, debian_program, install_if_stale, python_packages};

/// Installs Blender, Chromium, strace, and the npm and Python packages of `interop-tests/`.
pub fn install() -> Result {
    debian_program("blender", "blender")?;
    // Blender's glTF importer needs it, but the package does not depend on it.
    debian_package("python3-numpy", "numpy in Blender's Python", blender_has_numpy)?;
    debian_program("chromium", "chromium")?;
    if cfg!(target_os = "linux") {
        debian_program("strace", "strace")?;
    }
    debian_program("node", "nodejs")?;
    debian_program("npm", "npm")?;
    install_if_stale(&package_dir(), "package-lock.json", "node_modules", install_node_modules)?;
    python_packages(&package_dir())
}

fn blender_has_numpy() -> bool {
    is_available(command("blender").args(["--background", "--python-exit-code", "1", "--python-expr", "import numpy"]))
}

fn install_node_modules(_: &Path) -> Result {
    download(command("npm").current_dir(package_dir()).args(["ci", "--no-audit", "--no-fund"]))
}

fn package_dir() -> PathBuf {
    root().join("interop-tests")
}
