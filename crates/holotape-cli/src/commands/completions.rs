//! `holotape completions SHELL`

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::failure::{Failure, Outcome};
use crate::output;
use std::io::Write;

pub fn run(args: &CompletionsArgs) -> Result<Outcome, Failure> {
    // Into memory first: the generator does not take no for an answer from a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "holotape", &mut script);
    let mut out = output::data_stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Outcome::Done)
}
