//! The viewer's page: its checks, and its tests in a real browser.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::run::{self, cargo, command, root};
use crate::tools::debian_program;

/// Node and npm: what building the page takes.
pub fn install_node() -> Result {
    debian_program("node", "nodejs")?;
    debian_program("npm", "npm")
}

/// What the page's tests take besides: a browser, and its packages, those for tests included.
pub fn install() -> Result {
    install_node()?;
    debian_program("chromium", "chromium")?;
    if is_installed() {
        return Ok(());
    }
    println!("installing what web/package-lock.json names");
    // The same lock as the viewer's build script takes.
    let lock = File::create(package_dir().join(".build-lock")).and_then(|lock| lock.lock().map(|()| lock));
    let _lock = lock.map_err(|error| format!("web/.build-lock: {error}"))?;
    run::run(npm().args(["ci", "--ignore-scripts", "--prefer-offline"]))
}

/// The steps of the test run, in order.
pub fn steps() -> Vec<(&'static str, Command)> {
    let mut check = npm();
    check.args(["run", "--silent", "check"]);
    vec![("page", check), ("the program for the browser", build_viewer_binary()), ("page in the browser", e2e("debug"))]
}

/// Builds the program for tests in a browser, with the features of the test run before, so that it is there already.
pub fn build_viewer_binary() -> Command {
    let mut program = cargo();
    program.args(["build", "--workspace", "--all-features", "--bin", "holotape"]);
    program
}

/// How fast the page is, in a real browser.
pub fn bench() -> Result {
    install()?;
    run::run(cargo().args(["build", "--release", "--package", "holotape-cli"]))?;
    run::run(e2e("release").env("SPEED", "1"))
}

/// The tests in the browser, of the program as it was built for this profile.
fn e2e(profile: &str) -> Command {
    let mut e2e = npm();
    e2e.args(["run", "--silent", "e2e"]).env("HOLOTAPE", run::target().join(profile).join("holotape"));
    e2e
}

/// Whether all was installed since the lock file changed; the viewer's build script installs no more than it needs.
fn is_installed() -> bool {
    let changed = |path: &str| package_dir().join(path).metadata().and_then(|file| file.modified());
    let is_newer = |path| changed(path).is_ok_and(|there| changed("package-lock.json").is_ok_and(|lock| there >= lock));
    is_newer("node_modules/.package-lock.json") && package_dir().join("node_modules/@playwright/test").exists()
}

fn npm() -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(package_dir());
    npm
}

fn package_dir() -> PathBuf {
    root().join("web")
}
