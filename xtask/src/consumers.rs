//! The programs that people open our files with, for the tests in `consumers/`: installed where that can be done.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::run::{answers, command, root, run};
use crate::tools::{debian_package, debian_program};

/// Blender, Chromium, and the packages of npm and Python that `consumers/` names.
pub fn install() -> Result {
    debian_program("blender", "blender")?;
    // Its importer of glTF needs it, and Debian's package does not bring it.
    debian_package("python3-numpy", "numpy in Blender's Python", blender_has_numpy)?;
    debian_program("chromium", "chromium")?;
    debian_program("node", "nodejs")?;
    debian_program("npm", "npm")?;
    debian_program("python3", "python3")?;
    install_once("package-lock.json", "node_modules", install_node_modules)?;
    install_once("requirements.txt", "venv", install_venv)
}

fn blender_has_numpy() -> bool {
    answers(command("blender").args(["--background", "--python-exit-code", "1", "--python-expr", "import numpy"]))
}

/// Installs what a list names into a folder, unless the folder is of that very list.
fn install_once(list: &str, folder: &str, install: impl Fn(&Path) -> Result) -> Result {
    let (list, folder) = (here().join(list), here().join(folder));
    let stamp = folder.join(".installed");
    let wanted = fs::read(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("installing what {} names", list.display());
    install(&folder)?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

fn install_node_modules(_: &Path) -> Result {
    run(command("npm").current_dir(here()).args(["ci", "--no-audit", "--no-fund"]))
}

fn install_venv(venv: &Path) -> Result {
    let has_venv = || answers(command("python3").args(["-c", "import ensurepip, venv"]));
    debian_package("python3-venv", "Python's venv", has_venv)?;
    run(command("python3").args(["-m", "venv", "--clear"]).arg(venv))?;
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = here().join("requirements.txt");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    run(command(&python.to_string_lossy()).args(pip).arg(requirements))
}

fn here() -> PathBuf {
    root().join("consumers")
}
