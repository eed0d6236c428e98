//! `holotape completions SHELL`

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> Result<Outcome, Failure> {
    // Into memory first: the generator does not take no for an answer from a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "holotape", &mut script);
    let mut out = output::data_stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Outcome::Done)
}
