//! `holotape optimize IN OUT`

use clap::Args;
use holotape::optimize::{GazeTolerance, OptimizeOptions, OptimizeReport, Tolerance, optimize};
use serde::Serialize;

use crate::args::{Closeness, closeness};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::rewrite::{RewriteArgs, Said, usage};
use crate::table::grouped;

/// Leave out keys that are not needed
///
/// Finds the fewest keys such that every pose stays within a bound of what it was, at every key that is left out. The
/// ends are kept, and so are the flags and the markers. What was achieved is told on stderr.
#[derive(Debug, Args)]
#[command(override_usage = usage("optimize"))]
pub struct OptimizeArgs {
    /// How far a joint may be from what it was
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "1mm,0.2deg", value_parser = closeness)]
    joint: Closeness,

    /// How far the head may be from what it was
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "2mm,0.2deg", value_parser = closeness)]
    camera: Closeness,

    /// How far the origin and the direction of the eyes may be from what they were
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "2mm,0.2deg", value_parser = closeness)]
    gaze: Closeness,

    /// What was achieved as one JSON object a file and line, on stdout
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

#[derive(Serialize)]
struct ReportJson<'a> {
    file: String,
    output: String,
    #[serde(flatten)]
    report: &'a OptimizeReport,
}

pub fn run(args: &OptimizeArgs) -> Result<Outcome, Failure> {
    let pose = |Closeness { position_m, angle_deg }| Tolerance { position_m, rotation_deg: angle_deg };
    let gaze = GazeTolerance { origin_m: args.gaze.position_m, direction_deg: args.gaze.angle_deg };
    let options = OptimizeOptions::new().with_joint(pose(args.joint)).with_camera(pose(args.camera)).with_gaze(gaze);
    args.rewrite.rewrite(|job, said| {
        let mut take = input::recording(&job.input)?;
        let report = optimize(&mut take, &options);
        if args.json {
            let file = input::shown(&job.input).display().to_string();
            said.json(&ReportJson { file, output: job.output.display().to_string(), report: &report })?;
        } else {
            tell(&report, said);
        }
        Ok(take)
    })
}

/// What was achieved, in words.
pub fn tell(report: &OptimizeReport, said: &mut Said) {
    let OptimizeReport { keys_before, keys_after, .. } = *report;
    let share = if keys_before == 0 { 100.0 } else { 100.0 * keys_after as f64 / keys_before as f64 };
    said.note(
        "done",
        format!(
            "{} of {} keys left ({share:.1} %), at most {:.3} mm and {:.3}° off at any key, directions {:.3}°",
            grouped(keys_after),
            grouped(keys_before),
            report.max_position_error_m * 1000.0,
            report.max_rotation_error_deg,
            report.max_direction_error_deg
        ),
    );
    if let Some(first) = report.untouched.first() {
        let others = match report.untouched.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        said.note("left alone", format!("{} {}{others}", first.bundle, first.reason));
    }
}
