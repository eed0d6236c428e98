//! The npm package `holotape-webxr`: checks, and tests in a browser.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::run::{self, root};
use crate::tools::{self, debian_program, install_if_stale};
use crate::web;

/// Installs Node, a browser, and the npm packages.
pub fn install() -> Result {
    tools::node()?;
    debian_program("chromium", "chromium")?;
    install_if_stale(&package_dir(), "package-lock.json", "node_modules", |_| {
        run::download(npm().args(["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]))
    })
}

/// The steps of the test run, in order. They test the built package.
pub fn steps() -> Vec<(&'static str, Command)> {
    let script = |name: &str| {
        let mut script = npm();
        script.args(["run", "--silent", name]).env("HOLOTAPE", run::target().join("debug/holotape"));
        script
    };
    vec![
        ("WebXR package", script("build")),
        ("WebXR package: types and style", script("check")),
        ("program for the WebXR tests", web::build_viewer_binary()),
        ("WebXR package: tests", script("test")),
        ("WebXR package in the browser", script("e2e")),
    ]
}

fn npm() -> Command {
    tools::npm(&package_dir())
}

fn package_dir() -> PathBuf {
    root().join("packages/holotape-webxr")
}
