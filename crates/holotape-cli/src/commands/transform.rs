//! `holotape transform IN OUT`

use clap::{ArgGroup, Args};
use holotape::edit::{self, Transform};

use crate::args::parse_finite;
use crate::failure::{Failure, Outcome};
use crate::rewrite::{RewriteArgs, usage};

/// Rotate and move recordings in space
///
/// Applies the rotation first, then the translation. Coordinates are those of Unity: x right, y up, z forward.
#[derive(Debug, Args)]
#[command(
    override_usage = usage("transform"),
    group(ArgGroup::new("change").required(true).multiple(true).args(["translate", "yaw", "head_to_origin"]))
)]
pub struct TransformArgs {
    /// Translation in metres
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = parse_vector)]
    translate: Option<[f64; 3]>,

    /// Rotation to the right about the vertical axis through the origin
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = parse_finite)]
    yaw: Option<f64>,

    /// Move the first head pose to the origin, facing forward
    #[arg(long, conflicts_with_all = ["translate", "yaw"])]
    head_to_origin: bool,

    /// With --head-to-origin: keep heights, so that the floor stays at the same height
    #[arg(long, requires = "head_to_origin", conflicts_with_all = ["translate", "yaw"])]
    keep_height: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

fn parse_vector(text: &str) -> Result<[f64; 3], String> {
    let numbers = text.split(',').map(parse_finite).collect::<Result<Vec<_>, _>>();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| "must be three numbers: X,Y,Z".to_owned())
}

pub fn run(args: &TransformArgs) -> Result<Outcome, Failure> {
    args.rewrite.edit(|recording, _| {
        let transform = if args.keep_height {
            Transform::head_above_origin(&recording)?
        } else if args.head_to_origin {
            Transform::head_to_origin(&recording)?
        } else {
            Transform::new()
                .with_yaw_deg(args.yaw.unwrap_or(0.0))
                .with_translation_m(args.translate.unwrap_or([0.0; 3]))
        };
        Ok(edit::transform(&recording, &transform)?)
    })
}
