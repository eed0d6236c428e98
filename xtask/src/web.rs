//! The viewer's page: checks, and tests in a browser.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::run::{self, cargo, root};
use crate::tools::{self, debian_program};

/// Installs what the page's tests need: also a browser, and all npm packages.
pub fn install() -> Result {
    tools::node()?;
    debian_program("chromium", "chromium")?;
    if is_installed() {
        return Ok(());
    }
    println!("installing the packages of web/package-lock.json");
    // The lock of the viewer's build script.
    let lock = File::create(package_dir().join(".build-lock")).and_then(|lock| lock.lock().map(|()| lock));
    let _lock = lock.map_err(|error| format!("web/.build-lock: {error}"))?;
    run::download(npm().args(["ci", "--ignore-scripts", "--prefer-offline"]))
}

/// The steps of the test run, in order.
pub fn steps() -> Vec<(&'static str, Command)> {
    let mut check = npm();
    check.args(["run", "--silent", "check"]);
    let mut workflows = npm();
    workflows.args(["run", "--silent", "workflows"]);
    vec![
        ("page", check),
        ("workflows", workflows),
        ("program for the browser tests", build_viewer_binary()),
        ("page in the browser", e2e(&program("debug"))),
    ]
}

/// Builds the program for browser tests. Tests of the command need it as well; `cargo build` would recompile the dependencies
/// without the features that only tests enable.
pub fn build_viewer_binary() -> Command {
    let mut program = cargo();
    program.args(["test", "--workspace", "--all-features", "--no-run", "--test", "integration"]);
    program
}

/// Writes the TypeScript files that are generated from the Rust types.
pub fn generate() -> Result {
    let mut test = cargo();
    test.args(["test", "--package", "holotape-viewer", "--lib", "generated_typescript_is_current"]);
    run::run(test.env("HOLOTAPE_GENERATE", "1"))
}

/// Measures the page in a browser.
pub fn bench() -> Result {
    install()?;
    run::run(cargo().args(["build", "--release", "--package", "holotape-cli"]))?;
    run::run(e2e(&program("release")).env("SPEED", "1"))
}

/// Runs the browser tests that need the server most, with another build of the program: edits, saving, downloads, access.
pub fn check_viewer(program: &Path) -> Result {
    install()?;
    run::run(e2e(program).args(["--", "edit.spec", "download.spec", "token.spec"]))
}

/// The browser tests of a program.
fn e2e(program: &Path) -> Command {
    let mut e2e = npm();
    e2e.args(["run", "--silent", "e2e"]).env("HOLOTAPE", program);
    e2e
}

/// The program of a build profile.
fn program(profile: &str) -> PathBuf {
    run::target().join(profile).join("holotape")
}

/// Whether all packages were installed since the lock file changed; the viewer's build script installs only a part.
fn is_installed() -> bool {
    let changed = |path: &str| package_dir().join(path).metadata().and_then(|file| file.modified());
    let is_newer =
        |path| changed(path).is_ok_and(|installed| changed("package-lock.json").is_ok_and(|lock| installed >= lock));
    is_newer("node_modules/.package-lock.json") && package_dir().join("node_modules/@playwright/test").exists()
}

fn npm() -> Command {
    tools::npm(&package_dir())
}

fn package_dir() -> PathBuf {
    root().join("web")
}
