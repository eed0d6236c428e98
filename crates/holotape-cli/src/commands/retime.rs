//! `holotape retime IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, RetimeOptions};

use crate::args::{parse_finite, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Shift recordings in time, or change their speed
///
/// Applies the speed first, then the shift. Keys that are shifted before time 0 stay in the file, but are not played.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("retime"),
    group(ArgGroup::new("change").required(true).multiple(true).args(["shift", "speed"]))
)]
pub struct RetimeArgs {
    /// Shift everything later by this time; earlier if negative
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_hyphen_values = true, value_parser = parse_finite)]
    shift: f64,

    /// Speed factor; 0.5 is half speed
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_positive)]
    speed: f64,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &RetimeArgs) -> Result<Outcome, Failure> {
    let options = RetimeOptions::new().with_shift_secs(args.shift).with_speed(args.speed);
    args.rewrite.edit(|recording, diagnostics| {
        let recording = edit::retime(&recording, &options)?;
        if args.shift < 0.0 && recording.curves().any(|(_, curve)| curve.start_secs().is_some_and(|start| start < 0.0))
        {
            diagnostics.note("note", "some keys are before time 0 now: they stay in the file, but are not played");
        }
        Ok(recording)
    })
}
