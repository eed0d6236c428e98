//! The programs that people open our files with, to be asked in tests what they see.
//!
//! `cargo xtask test` installs them: Debian's Blender and Chromium, packages of npm into `consumers/node_modules`, packages of
//! Python into `consumers/venv`. Each is asked by a script in `consumers/scripts` that prints one JSON value.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Python with the packages of `consumers/requirements.txt`, running one of our scripts.
#[must_use]
pub fn python(script: &str) -> Command {
    python_at(&script_path(script))
}

/// The same, running a script from anywhere.
#[must_use]
pub fn python_at(script: &Path) -> Command {
    let name = if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" };
    let mut command = Command::new(installed(name));
    command.arg(script);
    command
}

/// holotape itself: the program that `HOLOTAPE` names, or the one that was built beside these tests.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn holotape() -> Command {
    let beside = || {
        let tests = std::env::current_exe().ok()?;
        let program = tests.parent()?.parent()?.join(format!("holotape{}", std::env::consts::EXE_SUFFIX));
        program.exists().then_some(program)
    };
    let program = std::env::var_os("HOLOTAPE").map(PathBuf::from).or_else(beside);
    Command::new(program.expect("no holotape: `cargo build --package holotape-cli` builds it"))
}

/// Node with the packages of `consumers/package.json`, running one of our scripts.
#[must_use]
pub fn node(script: &str) -> Command {
    installed("node_modules");
    let mut command = Command::new("node");
    command.arg(script_path(script));
    command
}

/// Blender without a window, running one of our scripts, whose arguments follow.
#[must_use]
pub fn blender(script: &str) -> Command {
    let mut command = Command::new("blender");
    command.args(["--background", "--factory-startup", "--python-exit-code", "1", "--python"]);
    command.arg(script_path(script)).arg("--");
    command
}

/// Runs to the end and reads the last line that was printed, as JSON.
///
/// # Panics
/// If the program is missing, fails, or prints something else.
#[must_use]
pub fn answer(command: &mut Command) -> Value {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; `cargo xtask test` installs it"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed\n{out}\n{err}");
    // Blender says good-bye after everything else.
    let line = out.lines().rev().find(|line| line.starts_with(['{', '[']));
    let line = line.unwrap_or_else(|| panic!("{command:?} printed no JSON\n{out}\n{err}"));
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{command:?}: {error} in {line}"))
}

fn installed(name: &str) -> PathBuf {
    let path = here().join(name);
    assert!(path.exists(), "{} is missing; `cargo xtask test` installs it", path.display());
    path
}

fn script_path(script: &str) -> PathBuf {
    here().join("scripts").join(script)
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
