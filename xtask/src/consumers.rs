//! The programs that people open our files with, for the tests in `consumers/`: installed where that can be done.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::run::{command, is_available, root, run};
use crate::tools::{debian_package, debian_program, install_if_stale, python_packages};

/// Blender, Chromium, and the packages of npm and Python that `consumers/` names.
pub fn install() -> Result {
    debian_program("blender", "blender")?;
    // Its importer of glTF needs it, and Debian's package does not bring it.
    debian_package("python3-numpy", "numpy in Blender's Python", blender_has_numpy)?;
    debian_program("chromium", "chromium")?;
    debian_program("node", "nodejs")?;
    debian_program("npm", "npm")?;
    install_if_stale(&package_dir(), "package-lock.json", "node_modules", install_node_modules)?;
    python_packages(&package_dir())
}

fn blender_has_numpy() -> bool {
    is_available(command("blender").args(["--background", "--python-exit-code", "1", "--python-expr", "import numpy"]))
}

fn install_node_modules(_: &Path) -> Result {
    run(command("npm").current_dir(package_dir()).args(["ci", "--no-audit", "--no-fund"]))
}

fn package_dir() -> PathBuf {
    root().join("consumers")
}
