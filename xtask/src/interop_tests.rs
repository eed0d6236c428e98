//! Installs the programs that the tests in `interop-tests/` need.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::run::{command, download, is_available, root, target};
use crate::tools::{self, debian_package, debian_program, install_if_stale, is_root, python_packages, venv_python};

/// Installs Blender, Chromium, strace, Monado, and the npm and Python packages of `interop-tests/`.
pub fn install() -> Result {
    debian_program("blender", "blender")?;
    // Blender's glTF importer needs it, but the package does not depend on it.
    debian_package("python3-numpy", "numpy in Blender's Python", blender_has_numpy)?;
    debian_program("chromium", "chromium")?;
    if cfg!(target_os = "linux") {
        debian_program("strace", "strace")?;
        install_monado()?;
    }
    tools::node()?;
    install_if_stale(&package_dir(), "package-lock.json", "node_modules", install_node_modules)?;
    python_packages(&package_dir())?;
    install_if_stale(&package_dir(), "packages-no-deps.txt", "packages-no-deps", install_without_dependencies)
}

/// Installs Python packages without their dependencies, which are gigabytes that reading files does not need.
fn install_without_dependencies(target: &Path) -> Result {
    // pip does not replace existing files.
    let _ = fs::remove_dir_all(target);
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"];
    let list = package_dir().join("packages-no-deps.txt");
    let python = venv_python(&package_dir());
    download(command(&python.to_string_lossy()).args(pip).arg(target).arg("--requirement").arg(list))
}

fn blender_has_numpy() -> bool {
    is_available(command("blender").args(["--background", "--python-exit-code", "1", "--python-expr", "import numpy"]))
}

/// Makes a file system with Monado, an OpenXR runtime that needs no headset.
fn install_monado() -> Result {
    if !is_root() {
        return Err("the tests of the OpenXR layers mount file systems; run `cargo xtask test` as root".to_owned());
    }
    install_root_tools()?;
    let make_root = package_dir().join("scripts/openxr/make-root");
    download(command(&make_root.to_string_lossy()).arg(target().join("openxr-root")))
}

/// Installs what scripts need that make the file system of a Debian release.
pub fn install_root_tools() -> Result {
    debian_program("mmdebstrap", "mmdebstrap")?;
    let keyring = Path::new("/usr/share/keyrings/debian-archive-keyring.gpg");
    debian_package("debian-archive-keyring", "Debian's keyring", || keyring.exists())?;
    let has_pip = || is_available(command("python3").args(["-m", "pip", "--version"]));
    debian_package("python3-pip", "pip", has_pip)
}

fn install_node_modules(_: &Path) -> Result {
    download(tools::npm(&package_dir()).args(["ci", "--no-audit", "--no-fund"]))
}

fn package_dir() -> PathBuf {
    root().join("interop-tests")
}
