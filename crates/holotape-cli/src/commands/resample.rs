//! `holotape resample IN OUT`

use clap::Args;
use holotape::edit;

use crate::args::parse_positive;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Give recordings one key a frame, at a constant rate
///
/// Rotations and directions are normalised, the joints of a hand have keys where it is tracked, and flags change exactly
/// when they did.
#[derive(Debug, Args)]
#[command(override_usage = usage("resample"))]
pub struct ResampleArgs {
    /// Frames a second
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    rate: f64,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &ResampleArgs) -> Result<Outcome, Failure> {
    args.rewrite.edit(|recording, _| {
        *recording = edit::resample(recording, args.rate)?;
        Ok(())
    })
}
