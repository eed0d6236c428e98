//! Runs an application with a layer.

use std::ffi::OsString;
use std::process::{Command, ExitStatus};

use clap::Args;
use holotape::Error;

use crate::failure::{Failure, Outcome};
use crate::signals;

#[derive(Debug, Args)]
pub(super) struct ApplicationArgs {
    /// The application and its arguments, after --
    #[arg(value_name = "APP", required = true, last = true, num_args = 1..)]
    application: Vec<OsString>,
}

impl ApplicationArgs {
    /// The application, as a command to which variables can be added.
    pub(super) fn command(&self) -> Command {
        let mut words = self.application.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_default());
        command.args(words);
        command
    }
}

/// Runs the application until it ends. Ctrl-C is left to the application, so that its take can be saved.
pub(super) fn run(command: &mut Command) -> Result<ExitStatus, Failure> {
    // Another handler may exist already; then it decides.
    let _ = signals::set_handler(|| {});
    command.status().map_err(|error| Error::from(error).with_path(command.get_program()).into())
}

/// The exit code of the application as that of this command; 128 and the number of the signal that ended it, as in
/// shells.
pub(super) fn outcome(status: ExitStatus) -> Outcome {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    // Windows has no signals: what ends a process gives it an exit code.
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().or_else(|| signal.map(|signal| 128 + signal)).unwrap_or(1);
    Outcome::Exit(u8::try_from(code).unwrap_or(1))
}
