//! The command for Windows under Wine, used from Linux.

use std::path::{Path, PathBuf};

use super::wine::Wine;
use crate::Result;
use crate::run::{command, output, root, run};
use crate::web;

/// A build of the command.
pub struct Program {
    pub command: PathBuf,
    /// The library with the OpenXR layers, if the command does not find it.
    pub layers: Option<PathBuf>,
}

impl Program {
    /// The command of a test run, and the library, which cargo does not put beside it.
    pub fn of_tests(folder: &Path, command: &str, layers: &str) -> Self {
        Self { command: folder.join(command), layers: Some(folder.join("deps").join(layers)) }
    }

    /// Runs the command as a new user would. Returns the checksum of the demo recording.
    fn demo_sum(&self, script: &Path) -> Result<String> {
        output(python_script("command.py").arg(script).args(&self.layers))
    }
}

/// Runs the command as a new user would, kills it while it records and while it builds a dataset, and drives its viewer with
/// a browser. Fails if something does not work, or if `demo` writes other bytes than on Linux.
pub fn check(windows: &Program, linux: &Program, wine: &Wine) -> Result {
    let script = wine.write_script(&windows.command)?;
    if windows.demo_sum(&script)? != linux.demo_sum(&linux.command)? {
        return Err("`holotape demo` writes other bytes on Windows than on Linux".to_owned());
    }
    println!("`holotape demo` writes the same bytes on Windows and on Linux");
    run(python_script("killed.py").arg(&script))?;
    web::check_viewer(&script)
}

fn python_script(name: &str) -> std::process::Command {
    let mut python = command("python3");
    python.arg(root().join("interop-tests/scripts/dist").join(name));
    python
}
