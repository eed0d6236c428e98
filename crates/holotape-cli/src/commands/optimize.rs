//! `holotape optimize IN OUT`

use clap::Args;
use holotape::Tolerance;
use holotape::optimize::{OptimizeOptions, OptimizeReport, optimize};
use serde::Serialize;

use crate::args::parse_tolerance;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::rewrite::{Diagnostics, RewriteArgs, usage};
use crate::table::group_digits;

/// Remove redundant keys
///
/// Keeps the minimal set of keys with which every pose stays within a tolerance at every original key. First and last
/// keys, flags and markers stay. Prints the result to stderr.
#[derive(Debug, Args)]
#[command(override_usage = usage("optimize"))]
pub struct OptimizeArgs {
    /// Tolerance for joints
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "1mm,0.2deg", value_parser = parse_tolerance)]
    joint: Tolerance,

    /// Tolerance for the head
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "2mm,0.2deg", value_parser = parse_tolerance)]
    camera: Tolerance,

    /// Tolerance for gaze origin and direction
    #[arg(long, value_name = "LENGTH[,ANGLE]", default_value = "2mm,0.2deg", value_parser = parse_tolerance)]
    gaze: Tolerance,

    /// Print the result to stdout, as one JSON object per file and line
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
    let options = OptimizeOptions::new().with_joint(args.joint).with_camera(args.camera).with_gaze(args.gaze);
    args.rewrite.rewrite(|job, diagnostics| {
        let mut recording = input::recording(&job.input)?;
        let report = optimize(&mut recording, &options);
        if args.json {
            let file = input::display_path(&job.input).display().to_string();
            diagnostics.json(&ReportJson { file, output: job.output.display().to_string(), report: &report })?;
        } else {
            print_report(&report, diagnostics);
        }
        Ok(recording)
    })
}

/// Adds the result as text.
pub fn print_report(report: &OptimizeReport, diagnostics: &mut Diagnostics) {
    let OptimizeReport { keys_before, keys_after, .. } = *report;
    let fraction = if keys_before == 0 { 100.0 } else { 100.0 * keys_after as f64 / keys_before as f64 };
    diagnostics.note(
        "optimized",
        format!(
            "{} of {} keys left ({fraction:.1} %), at most {:.3} mm and {:.3}° off at any key, directions {:.3}°",
            group_digits(keys_after),
            group_digits(keys_before),
            report.max_position_error_m * 1000.0,
            report.max_rotation_error_deg,
            report.max_direction_error_deg
        ),
    );
    if let Some(first) = report.skipped.first() {
        let others = match report.skipped.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        diagnostics.note("skipped", format!("{}: {}{others}", first.vector, first.reason));
    }
}
