//! Runs other programs on files that holotape writes.
//!
//! `cargo xtask test` installs them: Blender, Chromium and strace from Debian, npm packages in `interop-tests/node_modules`, Python
//! packages in `interop-tests/venv` and, without their dependencies, in `interop-tests/packages-no-deps`, Monado in
//! `target/openxr-root`. Scripts in `interop-tests/scripts` run them and print one JSON value each.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Python with the packages of `requirements.txt`, running a script of this crate.
#[must_use]
pub fn python(script: &str) -> Command {
    python_at(&script_path(script))
}

/// Like [`python`], for a script at any path.
#[must_use]
pub fn python_at(script: &Path) -> Command {
    let name = if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" };
    let mut command = Command::new(installed(name));
    command.arg(script);
    command
}

/// The holotape program: `HOLOTAPE` if it is set, otherwise the binary next to these tests.
///
/// # Panics
/// If the program does not exist.
#[must_use]
pub fn holotape() -> Command {
    let built = || {
        let tests = std::env::current_exe().ok()?;
        let program = tests.parent()?.parent()?.join(format!("holotape{}", std::env::consts::EXE_SUFFIX));
        program.exists().then_some(program)
    };
    let program = std::env::var_os("HOLOTAPE").map(PathBuf::from).or_else(built);
    Command::new(program.expect("holotape is missing; build it with `cargo build --package holotape-cli`"))
}

/// Node with the packages of `package.json`, running a script of this crate.
#[must_use]
pub fn node(script: &str) -> Command {
    installed("node_modules");
    let mut command = Command::new("node");
    command.arg(script_path(script));
    command
}

/// Blender in background mode, running a script of this crate. Append its arguments.
#[must_use]
pub fn blender(script: &str) -> Command {
    let mut command = Command::new("blender");
    command.args(["--background", "--factory-startup", "--python-exit-code", "1", "--python"]);
    command.arg(script_path(script)).arg("--");
    command
}

/// Runs a command and parses the last line of JSON that it prints.
///
/// # Panics
/// If the program is missing, fails, or prints no JSON.
#[must_use]
pub fn json_output(command: &mut Command) -> Value {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; `cargo xtask test` installs it"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed\n{out}\n{err}");
    // Blender prints another line at exit.
    let line = out.lines().rev().find(|line| line.starts_with(['{', '[']));
    let line = line.unwrap_or_else(|| panic!("{command:?} printed no JSON\n{out}\n{err}"));
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{command:?}: {error} in {line}"))
}

fn installed(name: &str) -> PathBuf {
    let path = package_dir().join(name);
    assert!(path.exists(), "{} is missing; `cargo xtask test` installs it", path.display());
    path
}

fn script_path(script: &str) -> PathBuf {
    package_dir().join("scripts").join(script)
}

fn package_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
