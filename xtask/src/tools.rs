//! Installs missing tools, or reports them if they cannot be installed. Checks are never skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::run::{cargo, command, download, is_available, root, run};

/// Installs a component of the Rust toolchain if its cargo command is missing.
pub fn rust_component(component: &str, cargo_command: &str) -> Result {
    if is_available(cargo().args([cargo_command, "--version"])) {
        return Ok(());
    }
    println!("installing {component}");
    download(command("rustup").args(["component", "add", component]))
        .map_err(|error| format!("{component} is missing and could not be installed: {error}"))
}

/// Installs a C++ compiler, for libFuzzer. On Windows the Rust toolchain requires one anyway.
pub fn cpp_compiler() -> Result {
    if cfg!(windows) { Ok(()) } else { debian_program("c++", "g++") }
}

/// Installs the Debian package of a program if the program is missing.
pub fn debian_program(program: &str, package: &str) -> Result {
    debian_package(package, program, || is_available(command(program).arg("--version")))
}

/// Installs Node and npm.
pub fn node() -> Result {
    debian_program("node", "nodejs")?;
    debian_package("npm", "npm", || is_available(npm(&root()).arg("--version")))
}

/// npm in a folder. On Windows it is a script, which is only found with its extension.
pub fn npm(folder: &Path) -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder);
    npm
}

/// Installs a Debian package unless `is_installed`.
pub fn debian_package(package: &str, what: &str, is_installed: impl Fn() -> bool) -> Result {
    if is_installed() {
        return Ok(());
    }
    let missing = format!("{what} is missing; install it (Debian: apt-get install {package})");
    if !is_root() || !is_available(command("apt-get").arg("--version")) {
        return Err(missing);
    }
    println!("installing {package}");
    download(command("apt-get").arg("update"))?;
    download(command("apt-get").args(["install", "--yes", "--no-install-recommends", package]))?;
    if is_installed() { Ok(()) } else { Err(missing) }
}

/// Installs a cargo command from its crate if it is missing. Without optimization, which would take longer than the command runs.
pub fn cargo_command(name: &str) -> Result {
    if is_available(cargo().args([name, "--version"])) {
        return Ok(());
    }
    let package = format!("cargo-{name}");
    println!("installing {package}");
    download(cargo().args(["install", "--locked", "--debug", &package]))
}

/// Installs the packages of a lock file into a folder, unless they were installed from the same file before.
pub fn install_if_stale(folder: &Path, list: &str, target: &str, install: impl Fn(&Path) -> Result) -> Result {
    let (list, target) = (folder.join(list), folder.join(target));
    let stamp = target.join(".installed");
    let required = fs::read(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == required) {
        return Ok(());
    }
    println!("installing the packages of {}", list.display());
    install(&target)?;
    fs::write(&stamp, required).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Installs the Python packages of a folder's `requirements.txt` into its environment `venv`.
pub fn python_packages(folder: &Path) -> Result {
    debian_program("python3", "python3")?;
    install_if_stale(folder, "requirements.txt", "venv", |venv| {
        let has_venv = || is_available(command("python3").args(["-c", "import ensurepip, venv"]));
        debian_package("python3-venv", "Python's venv", has_venv)?;
        run(command("python3").args(["-m", "venv", "--clear"]).arg(venv))?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
        download(command(&venv_python(folder).to_string_lossy()).args(pip).arg(folder.join("requirements.txt")))
    })
}

/// The Python interpreter of a folder's environment.
pub fn venv_python(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" })
}

/// Whether this process runs as root.
pub fn is_root() -> bool {
    crate::run::output(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{read, rust_files};

    #[test]
    fn npm_is_started_only_by_its_helper() {
        let files = rust_files(&root().join("xtask/src")).expect("readable");
        assert!(files.len() > 30, "{files:?}");
        for path in files {
            let text = read(&path).expect("readable");
            for start in ["command(", "debian_program(", "Command::new("] {
                for program in ["npm", "npx"] {
                    let call = format!("{start}\"{program}\"");
                    assert!(!text.contains(&call), "{}: {call} finds no script on Windows", path.display());
                }
            }
        }
    }
}
