//! `holotape stats FILE…`

use std::io::{self, Write};

use clap::Args;
use holotape::stats::{GazeStats, HandStats, MovementStats, Stats, StatsOptions};
use serde::Serialize;

use crate::args::parse_positive;
use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::table::{TextTable, escape_for_terminal, plural};

/// Measure the motion in recordings
///
/// Path, rotation and speed of the head and of each palm while the hand is tracked, tracked fraction, pinches, fixations and
/// saccades. Several recordings give a table.
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Positions per second that make a path (default: 15); a higher rate adds more sensor noise
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    path_rate: Option<f64>,

    /// Gaze speed above which it is a saccade, in degrees per second
    #[arg(long, value_name = "DEG_PER_SEC", default_value_t = 30.0, value_parser = parse_positive)]
    saccade_speed: f64,

    /// Minimum duration of a fixation, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.06, value_parser = parse_positive)]
    min_fixation: f64,

    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct StatsJson<'a> {
    file: &'a str,
    #[serde(flatten)]
    stats: &'a Stats,
}

pub fn run(args: &StatsArgs) -> Result<Outcome, Failure> {
    let mut options =
        StatsOptions::new().with_saccade_deg_per_sec(args.saccade_speed).with_min_fixation_secs(args.min_fixation);
    if let Some(rate_hz) = args.path_rate {
        options = options.with_path_rate_hz(rate_hz);
    }
    let mut table = TextTable::default();
    table.push(COLUMN_HEADERS.map(str::to_owned));
    let outcome = args.input.each_file(
        |path| {
            input::stats(path, &options).map_err(|error| Failure::from(error).with_rate("--path-rate", args.path_rate))
        },
        |mut out, file, stats| {
            if args.input.json {
                output::write_json(out, &StatsJson { file, stats: &stats })?;
            } else if args.input.files.len() == 1 {
                show(&mut out, file, &stats)?;
            } else {
                table.push(row(file, &stats));
            }
            Ok(())
        },
    );
    if !args.input.json && args.input.files.len() > 1 {
        let mut out = output::stdout();
        table.write(&mut out, 0)?;
        out.flush()?;
    }
    outcome
}

fn show(out: &mut impl Write, name: &str, stats: &Stats) -> io::Result<()> {
    writeln!(out, "{}", escape_for_terminal(name, usize::MAX))?;
    let markers = plural(stats.marker_count, "marker", "markers");
    writeln!(out, "  {:.3} s, {markers}\n", stats.duration_secs)?;
    let mut table = TextTable::default();
    table.push(["", "tracked", "path", "rotation", "mean speed", "max speed"].map(str::to_owned));
    let hands = [("left", &stats.left), ("right", &stats.right)];
    if let Some(head) = &stats.head {
        table.push(movement_row("head", "-".to_owned(), head));
    }
    for (name, hand) in hands {
        let Some(hand) = hand else { continue };
        table.push(movement_row(name, percent(hand.tracked_fraction), &hand.movement));
    }
    table.write(out, 2)?;
    writeln!(out)?;
    for (name, hand) in hands {
        let Some(HandStats { pinches, tracked_span_count, .. }) = hand else { continue };
        let durations = match pinches.count {
            0 => String::new(),
            1 => format!(", {:.2} s", pinches.total_secs),
            _ => format!(
                ", {:.2} s total, {:.2} to {:.2} s, {:.2} s mean",
                pinches.total_secs, pinches.min_secs, pinches.max_secs, pinches.mean_secs
            ),
        };
        let spans = plural(*tracked_span_count, "span", "spans");
        let pinches = plural(pinches.count, "pinch", "pinches");
        writeln!(out, "  {name:<5}  tracked in {spans}, {pinches}{durations}")?;
    }
    stats.gaze.as_ref().map_or(Ok(()), |gaze| show_gaze(out, gaze))
}

fn show_gaze(out: &mut impl Write, gaze: &GazeStats) -> io::Result<()> {
    writeln!(
        out,
        "  gaze   {} fixations, {:.2} s total, {:.2} s mean\n         {} saccades, {:.1}° mean, up to {:.0}°/s",
        gaze.fixation_count,
        gaze.fixation_secs,
        gaze.mean_fixation_secs,
        gaze.saccade_count,
        gaze.mean_saccade_deg,
        gaze.max_speed_deg_per_sec
    )?;
    if gaze.follows_head {
        writeln!(out, "         no eye tracker: the gaze is the forward ray of the head")?;
    }
    Ok(())
}

fn movement_row(name: &str, tracked: String, movement: &MovementStats) -> [String; 6] {
    [
        name.to_owned(),
        tracked,
        metres(movement),
        format!("{:.0}°", movement.rotation_deg),
        format!("{:.2} m/s", movement.mean_speed_m_per_sec),
        format!("{:.2} m/s", movement.max_speed_m_per_sec),
    ]
}

const COLUMN_HEADERS: [&str; 12] = [
    "file",
    "duration",
    "head path",
    "left tracked",
    "left path",
    "left max",
    "left pinches",
    "right tracked",
    "right path",
    "right max",
    "right pinches",
    "fixations",
];

fn row(name: &str, stats: &Stats) -> Vec<String> {
    let missing = || "-".to_owned();
    let hand = |hand: Option<HandStats>| {
        hand.map_or([(); 4].map(|()| missing()), |hand| {
            [
                percent(hand.tracked_fraction),
                metres(&hand.movement),
                format!("{:.2} m/s", hand.movement.max_speed_m_per_sec),
                hand.pinches.count.to_string(),
            ]
        })
    };
    let mut row = vec![escape_for_terminal(name, 60), format!("{:.2} s", stats.duration_secs)];
    row.push(stats.head.as_ref().map_or_else(missing, metres));
    row.extend(hand(stats.left));
    row.extend(hand(stats.right));
    row.push(stats.gaze.map_or_else(missing, |gaze| gaze.fixation_count.to_string()));
    row
}

fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

fn metres(movement: &MovementStats) -> String {
    format!("{:.2} m", movement.path_m)
}
