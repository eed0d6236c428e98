//! `holotape retime IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, RetimeOptions};

use crate::args::{parse_finite, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Move recordings in time, or make them faster or slower
///
/// First the speed, then the shift. What a shift moves before time 0 stays in the file, but is before the start.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("retime"),
    group(ArgGroup::new("change").required(true).multiple(true).args(["shift", "speed"]))
)]
pub struct RetimeArgs {
    /// How much later everything happens; earlier below 0
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_hyphen_values = true, value_parser = parse_finite)]
    shift: f64,

    /// How many times as fast everything happens
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = parse_positive)]
    speed: f64,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &RetimeArgs) -> Result<Outcome, Failure> {
    let options = RetimeOptions::new().with_shift_secs(args.shift).with_speed(args.speed);
    args.rewrite.edit(|recording, diagnostics| {
        *recording = edit::retime(recording, &options)?;
        if args.shift < 0.0 && recording.curves().any(|(_, curve)| curve.start_secs().is_some_and(|start| start < 0.0))
        {
            diagnostics.note("note", "some of it is before 0 now: it is in the file, but nothing plays it");
        }
        Ok(())
    })
}
