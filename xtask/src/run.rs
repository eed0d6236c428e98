//! Running other programs from the root of the project.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// The cargo that runs us.
pub fn cargo() -> Command {
    command(&env::var_os("CARGO").map_or_else(|| "cargo".into(), |cargo| cargo.to_string_lossy().into_owned()))
}

pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs to the end; anything but success is an error that shows the command.
pub fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("{}: {error}", display_command(command)))?;
    if status.success() { Ok(()) } else { Err(format!("failed ({status}): {}", display_command(command))) }
}

/// Runs to the end and gives what it printed on stdout.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", display_command(command)))?;
    if !output.status.success() {
        return Err(format!("failed ({}): {}", output.status, display_command(command)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", display_command(command)))
}

/// Whether a program is there and answers.
pub fn is_available(command: &mut Command) -> bool {
    let quiet = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn display_command(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
