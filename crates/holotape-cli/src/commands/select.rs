//! `holotape select IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, Selection};

use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Keep or drop body parts and joints
///
/// Names are camera, gaze, hands, left, right, a joint of one hand (left.IndexTip) or of both (IndexTip). Markers stay.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("select"),
    group(ArgGroup::new("names").required(true).args(["keep", "drop"]))
)]
pub struct SelectArgs {
    /// Keep only these, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    keep: Vec<String>,

    /// Drop these, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    drop: Vec<String>,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

pub fn run(args: &SelectArgs) -> Result<Outcome, Failure> {
    let names = args.keep.iter().chain(&args.drop).map(|name| name.trim());
    let selection = Selection::from_names(names)?;
    let selection = if args.keep.is_empty() { selection.inverted() } else { selection };
    args.rewrite.edit(|recording, diagnostics| {
        let recording = edit::select(&recording, &selection);
        if recording.curves().all(|(_, curve)| curve.key_count() == 0) {
            diagnostics.note("warning", "no curve is left: the recording has none of these");
        }
        Ok(recording)
    })
}
