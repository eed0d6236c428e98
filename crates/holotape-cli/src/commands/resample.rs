//! `holotape resample IN OUT`

use clap::Args;
use holotape::edit;

use crate::args::parse_positive;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Write one key per frame, at a constant rate
///
/// Normalizes rotations and directions. Joints get keys only while the hand is tracked. Flags keep their exact change
/// times.
#[derive(Debug, Args)]
#[command(override_usage = usage("resample"))]
pub struct ResampleArgs {
    /// Frames per second
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    rate: f64,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &ResampleArgs) -> Result<Outcome, Failure> {
    args.rewrite.edit(|recording, _| {
        edit::resample(&recording, args.rate).map_err(|error| Failure::from(error).with_rate("--rate", Some(args.rate)))
    })
}
