//! `holotape trim IN OUT`

use std::ops::Bound;

use clap::{ArgGroup, Args};
use holotape::edit;

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Cut a part out of recordings
///
/// Exact at both ends: curves are split where they are cut and keep their shape, and what began earlier is there at the
/// start. The part begins at time 0.
#[derive(Debug, Args)]
#[command(override_usage = usage("trim"), group(ArgGroup::new("span").required(true).multiple(true).args(["from", "to"])))]
pub struct TrimArgs {
    /// Where the part begins; at 0 unless given
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    from: Option<f64>,

    /// Where it ends; at the end unless given
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    to: Option<f64>,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &TrimArgs) -> Result<Outcome, Failure> {
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Failure::Usage(format!("--from {from} is after --to {to}")));
    }
    let from = args.from.map_or(Bound::Unbounded, Bound::Included);
    // Without its end, so that a marker at a cut is in one part only.
    let to = args.to.map_or(Bound::Unbounded, Bound::Excluded);
    args.rewrite.edit(|recording, _| {
        *recording = edit::trim(recording, (from, to))?;
        Ok(())
    })
}
