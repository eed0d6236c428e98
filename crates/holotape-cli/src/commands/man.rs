//! `holotape man`

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Print the manual page, or write one page per command
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page per command to this folder
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

pub fn run(args: &ManArgs) -> Result<Outcome, Failure> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.out_dir {
        output::create_out_dir(folder)?;
        clap_mangen::generate_to(command, folder).map_err(|error| holotape::Error::from(error).with_path(folder))?;
        return Ok(Outcome::Done);
    }
    let mut out = output::data_stdout();
    Man::new(command).render(&mut out)?;
    out.flush()?;
    Ok(Outcome::Done)
}
