//! `holotape concat IN… OUT`

use std::path::PathBuf;

use clap::Args;
use holotape::Recording;
use holotape::edit::{self, ConcatOptions};

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::rewrite::WriteArgs;

/// Put recordings together, one after the other
///
/// Each begins where the one before ends, and its markers come along.
#[derive(Debug, Args)]
#[command(override_usage = "holotape concat [OPTIONS] IN... OUT")]
pub struct ConcatArgs {
    /// Recordings, in order, and last the file to write; - for standard input or output
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Time between one and the next, in which nobody recorded anything
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = parse_finite)]
    gap: f64,

    #[command(flatten)]
    write: WriteArgs,
}

pub fn run(args: &ConcatArgs) -> Result<Outcome, Failure> {
    let Some((output, inputs)) = args.files.split_last() else {
        return Err(Failure::Usage("no files".to_owned()));
    };
    args.write.write_new(output, |_| {
        let recordings = inputs.iter().map(|input| input::recording(input)).collect::<Result<Vec<_>, _>>()?;
        let recordings: Vec<&Recording> = recordings.iter().collect();
        Ok(edit::concat(&recordings, &ConcatOptions::new().with_gap_secs(args.gap))?)
    })
}
