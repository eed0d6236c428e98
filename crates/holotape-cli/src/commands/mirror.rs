//! `holotape mirror IN OUT`

use clap::Args;
use holotape::edit;

use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Swap left and right
///
/// Mirrors everything through the plane of up and forward. The left hand becomes the right one.
#[derive(Debug, Args)]
#[command(override_usage = usage("mirror"))]
pub struct MirrorArgs {
    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &MirrorArgs) -> Result<Outcome, Failure> {
    args.rewrite.edit(|recording, _| Ok(edit::mirror(&recording)))
}
