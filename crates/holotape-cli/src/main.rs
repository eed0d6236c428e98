//! The `holotape` command: parses arguments, runs a command and sets the exit code.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod args;
mod batch;
mod commands;
mod failure;
mod input;
mod output;
mod rewrite;
mod signals;
mod socket;
mod span;
mod table;
mod wildcards;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use failure::{Failure, Outcome};

fn main() -> ExitCode {
    // Otherwise, clap reports the -1 of `--speed -1` as an unknown option.
    let command = Cli::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    let cli = Cli::from_arg_matches(&command.get_matches_from(wildcards::args())).unwrap_or_else(|error| error.exit());
    match run(cli.command) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Lossy) => ExitCode::from(3),
        Ok(Outcome::Exit(code)) => ExitCode::from(code),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Info(args) => commands::info::run(&args),
        Command::Sample(args) => commands::sample::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Record(args) => commands::record::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Optimize(args) => commands::optimize::run(&args),
        Command::Trim(args) => commands::trim::run(&args),
        Command::Concat(args) => commands::concat::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Retime(args) => commands::retime::run(&args),
        Command::Resample(args) => commands::resample::run(&args),
        Command::Mirror(args) => commands::mirror::run(&args),
        Command::Transform(args) => commands::transform::run(&args),
        Command::Select(args) => commands::select::run(&args),
        Command::Markers(args) => commands::markers::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Repair(args) => commands::repair::run(&args),
        Command::Diff(args) => commands::diff::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        #[cfg(feature = "plot")]
        Command::Plot(args) => commands::plot::run(&args),
        #[cfg(feature = "viewer")]
        Command::View(args) => commands::view::run(&args),
        #[cfg(feature = "viewer")]
        Command::Devices(args) => commands::devices::run(&args),
        Command::Openxr(args) => commands::openxr::run(&args),
        #[cfg(feature = "dataset")]
        Command::Dataset(args) => commands::dataset::run(&args),
        #[cfg(feature = "dataset")]
        Command::Report(args) => commands::report::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    }
}
