//! `holotape select IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, Selection};

use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Keep some channels, hands or joints, and leave the others out
///
/// Names are camera, gaze, hands, left, right, a joint of a hand (left.IndexTip) or of both (IndexTip). Markers stay.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("select"),
    group(ArgGroup::new("names").required(true).args(["only", "without"]))
)]
pub struct SelectArgs {
    /// What to keep, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// What to leave out, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    without: Vec<String>,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &SelectArgs) -> Result<Outcome, Failure> {
    let names = args.only.iter().chain(&args.without).map(|name| name.trim());
    let selection = Selection::from_names(names).map_err(|error| Failure::Usage(error.to_string()))?;
    let selection = if args.only.is_empty() { selection.inverted() } else { selection };
    args.rewrite.edit(|recording, diagnostics| {
        *recording = edit::select(recording, &selection);
        if recording.curves().all(|(_, curve)| curve.key_count() == 0) {
            diagnostics.note("warning", "nothing of that was recorded: no curve is left");
        }
        Ok(())
    })
}
