//! `holotape trim IN OUT`

use std::ops::Bound;

use clap::{ArgGroup, Args};
use holotape::edit;

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};
use crate::span::{self, SpanLimit};

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
    span::check_order(args.from, args.to)?;
    let from = args.from.map_or(Bound::Unbounded, Bound::Included);
    // Exclude the end, so that a marker at the cut belongs to only one of two neighbouring spans.
    let to = args.to.map_or(Bound::Unbounded, Bound::Excluded);
    args.rewrite.edit(|recording, _| {
        span::resolve(args.from, args.to, recording.duration_secs(), SpanLimit::Recording)?;
        Ok(edit::trim(&recording, (from, to))?)
    })
}
