//! `holotape trim IN OUT`

use std::ops::Bound;

use clap::{ArgGroup, Args};
use holotape::edit;

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Extract a span of recordings
///
/// Splits curves exactly at both ends; they keep their shape. A state that began earlier is present at the start. The
/// output starts at time 0.
#[derive(Debug, Args)]
#[command(override_usage = usage("trim"), group(ArgGroup::new("span").required(true).multiple(true).args(["from", "to"])))]
pub struct TrimArgs {
    /// Start of the span (default: 0)
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    from: Option<f64>,

    /// End of the span (default: end of the recording)
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
    // Exclude the end, so that a marker at the cut belongs to only one of two neighbouring spans.
    let to = args.to.map_or(Bound::Unbounded, Bound::Excluded);
    args.rewrite.edit(|recording, _| Ok(edit::trim(&recording, (from, to))?))
}
