//! `holotape concat IN… OUT`

use std::path::PathBuf;

use clap::Args;
use holotape::Recording;
use holotape::edit::{self, ConcatOptions};

use crate::args::parse_non_negative;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::rewrite::WriteArgs;

/// Join recordings one after the other
///
/// Each one starts where the previous one ends. Markers are kept.
#[derive(Debug, Args)]
#[command(override_usage = "holotape concat [OPTIONS] IN... OUT")]
pub struct ConcatArgs {
    /// Recordings to read, in order, and the file to write; - for standard input or output
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Time between two recordings, in which nothing is tracked
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = parse_non_negative)]
    gap: f64,

    #[command(flatten)]
    write: WriteArgs,
}

pub fn run(args: &ConcatArgs) -> Result<Outcome, Failure> {
    let Some((output, inputs)) = args.files.split_last() else {
        return Err(Failure::Usage("missing files: add IN... OUT".to_owned()));
    };
    args.write.write_new(output, |_| {
        let recordings = inputs.iter().map(|input| input::recording(input)).collect::<Result<Vec<_>, _>>()?;
        let recordings: Vec<&Recording> = recordings.iter().collect();
        Ok(edit::concat(&recordings, &ConcatOptions::new().with_gap_secs(args.gap))?)
    })
}
