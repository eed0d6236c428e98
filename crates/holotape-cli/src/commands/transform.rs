//! `holotape transform IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, Transform};

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Move and turn recordings in space
///
/// First the turn, then the move. Space is Unity's: x right, y up, z forward.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("transform"),
    group(ArgGroup::new("change").required(true).multiple(true).args(["translate", "yaw", "head_to_origin"]))
)]
pub struct TransformArgs {
    /// Move by this, in metres
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    translate: Option<[f64; 3]>,

    /// Turn by this about the vertical axis through the origin, to the right
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = parse_finite)]
    yaw: Option<f64>,

    /// Put the first pose of the head at the origin, facing forward
    #[arg(long, conflicts_with_all = ["translate", "yaw"])]
    head_to_origin: bool,

    /// With --head-to-origin: leave heights as they are, so that the floor stays the floor
    #[arg(long, requires = "head_to_origin")]
    keep_height: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

fn vector(text: &str) -> Result<[f64; 3], String> {
    let numbers = text.split(',').map(parse_finite).collect::<Result<Vec<_>, _>>();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| "not three numbers: X,Y,Z".to_owned())
}

pub fn run(args: &TransformArgs) -> Result<Outcome, Failure> {
    args.rewrite.edit(|recording, _| {
        let transform = if args.keep_height {
            Transform::head_above_origin(recording)?
        } else if args.head_to_origin {
            Transform::head_to_origin(recording)?
        } else {
            Transform::new()
                .with_yaw_deg(args.yaw.unwrap_or(0.0))
                .with_translation_m(args.translate.unwrap_or([0.0; 3]))
        };
        *recording = edit::transform(recording, &transform)?;
        Ok(())
    })
}
