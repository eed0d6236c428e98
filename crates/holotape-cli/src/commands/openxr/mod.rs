//! `holotape openxr`

mod application;
mod doctor;
mod install;
mod layers;
mod record;
mod replay;
mod space;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};

/// Record and replay OpenXR applications
///
/// An OpenXR API layer records head, hands and gaze of any application, or replays a recording into it. docs/guides/openxr.md
/// shows how to test an application without a headset.
#[derive(Debug, Args)]
pub struct OpenxrArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    Status(install::StatusArgs),
    Doctor(doctor::DoctorArgs),
}

pub fn run(args: &OpenxrArgs) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Record(args) => record::run(args),
        Action::Replay(args) => replay::run(args),
        Action::Install(args) => install::install(args),
        Action::Uninstall(_) => install::uninstall(),
        Action::Status(_) => install::status(),
        Action::Doctor(args) => doctor::run(args),
    }
}
