//! `holotape diff A B`

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use holotape::diff::{Diff, MaxDifference, PoseDiff};
use holotape::{Hand, PoseId, Tolerance};
use serde::Serialize;

use crate::args::parse_tolerance;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::table::{TextTable, escape_for_terminal};

/// Show how two recordings differ
///
/// First compares format, channels, duration, keys, flags and markers. Then prints the maximum difference in position,
/// rotation and direction of each body part, and its time. Poses are compared at the key times of both recordings.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// First recording; - for standard input
    #[arg(value_name = "A")]
    first: PathBuf,

    /// Second recording; - for standard input
    #[arg(value_name = "B")]
    second: PathBuf,

    /// Exit with code 1 if a difference exceeds this, or if flags or markers differ. In metres and degrees: 0.001,0.2 or
    /// 1mm,0.2deg. Without an angle: 0.2 degrees per millimetre, as in MRTK's own thresholds
    #[arg(long, value_name = "LENGTH[,ANGLE]", value_parser = parse_tolerance)]
    tolerance: Option<Tolerance>,

    /// Print one row per joint, instead of one per hand
    #[arg(long)]
    joints: bool,

    /// Print one JSON object, with all joints
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct DiffJson<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    within_tolerance: Option<bool>,
    #[serde(flatten)]
    diff: &'a Diff,
}

pub fn run(args: &DiffArgs) -> Result<Outcome, Failure> {
    let diff = Diff::between(&input::recording(&args.first)?, &input::recording(&args.second)?);
    let within_tolerance = args.tolerance.map(|tolerance| diff.is_within(&tolerance));
    let [first, second] = [&args.first, &args.second].map(|path| input::display_path(path).display().to_string());
    let mut out = output::stdout();
    if args.json {
        output::write_json(&mut out, &DiffJson { first: &first, second: &second, within_tolerance, diff: &diff })?;
    } else {
        show(&mut out, &diff, args.joints)?;
    }
    out.flush()?;
    match (within_tolerance, args.tolerance) {
        (Some(false), Some(Tolerance { position_m, rotation_deg })) => {
            let limit = format!("{} or {rotation_deg}°", millimetres(position_m));
            output::print_labelled(
                "error",
                &format_args!("{first} and {second} differ by more than {limit}, or in flags or markers"),
            );
            Err(Failure::AlreadyReported)
        }
        _ => Ok(Outcome::Done),
    }
}

fn show(out: &mut impl Write, diff: &Diff, all_joints: bool) -> io::Result<()> {
    for difference in &diff.differences {
        writeln!(out, "{}", escape_for_terminal(&difference.to_string(), usize::MAX))?;
    }
    let rows = if all_joints { all_rows(diff) } else { max_per_body_part(diff) };
    if rows.is_empty() {
        return writeln!(out, "no common motion to compare");
    }
    let is_same = |row: &Row| row.position.0.value == 0.0 && row.angle.0.value == 0.0;
    if rows.iter().all(is_same) {
        return writeln!(out, "no difference in motion");
    }
    if !diff.differences.is_empty() {
        writeln!(out)?;
    }
    let mut table = TextTable::default();
    table.push(["", "position", "at", "", "rotation", "at", ""].map(str::to_owned));
    for row in rows {
        let time = |max: &MaxDifference| {
            if max.value > 0.0 { format!("{:.3} s", max.time_secs) } else { "-".to_owned() }
        };
        table.push([
            row.name,
            millimetres(row.position.0.value),
            time(&row.position.0),
            row.position.1,
            format!("{:.3}°", row.angle.0.value),
            time(&row.angle.0),
            row.angle.1,
        ]);
    }
    table.write(out, 0)
}

/// The maximum differences of a body part or joint, each with the name of the joint if the row covers several.
struct Row {
    name: String,
    position: (MaxDifference, String),
    angle: (MaxDifference, String),
}

fn all_rows(diff: &Diff) -> Vec<Row> {
    let row = |pose: &PoseDiff| Row {
        name: pose.id.to_string(),
        position: (pose.max_position_m, String::new()),
        angle: (pose.max_rotation_deg, String::new()),
    };
    diff.poses.iter().map(row).chain(gaze_row(diff)).collect()
}

fn gaze_row(diff: &Diff) -> Option<Row> {
    diff.gaze.map(|gaze| Row {
        name: "gaze".to_owned(),
        position: (gaze.max_origin_m, String::new()),
        angle: (gaze.max_direction_deg, String::new()),
    })
}

fn max_per_body_part(diff: &Diff) -> Vec<Row> {
    let camera = all_rows(diff).into_iter().filter(|row| row.name == "camera");
    let hand = |hand: Hand| {
        let joints: Vec<_> = diff
            .poses
            .iter()
            .filter_map(|pose| match pose.id {
                PoseId::Joint(of, joint) if of == hand => Some((pose, joint)),
                _ => None,
            })
            .collect();
        let max = |of: fn(&PoseDiff) -> MaxDifference| {
            let (pose, joint) = joints.iter().max_by(|(a, _), (b, _)| of(a).value.total_cmp(&of(b).value))?;
            let differs = of(pose).value > 0.0;
            Some((of(pose), if differs { joint.to_string() } else { String::new() }))
        };
        let name = hand.to_string();
        Some(Row { name, position: max(|pose| pose.max_position_m)?, angle: max(|pose| pose.max_rotation_deg)? })
    };
    camera.chain(Hand::ALL.into_iter().filter_map(hand)).chain(gaze_row(diff)).collect()
}

fn millimetres(metres: f64) -> String {
    if metres < 1.0 { format!("{:.3} mm", metres * 1000.0) } else { format!("{metres:.3} m") }
}
