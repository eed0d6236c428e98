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
    /// Shell to print the script for
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> Result<Outcome, Failure> {
    // Generate in memory first: the generator panics if the pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "holotape", &mut script);
    let mut out = output::data_stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Outcome::Done)
}
