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
use crate::table::{TextTable, escape_for_terminal};

/// Show what somebody did, in numbers
///
/// Path and speed of the head and of each hand's palm while it was tracked, tracked share, pinches and how long they
/// were, fixations and saccades of the eyes. Several recordings make a table.
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// How many positions a second make a path; more of them count more of the device's tremor
    #[arg(long, value_name = "HZ", default_value_t = 15.0, value_parser = parse_positive)]
    travel_rate: f64,

    /// Eyes faster than this, in degrees a second, jump
    #[arg(long, value_name = "DEG_PER_SEC", default_value_t = 30.0, value_parser = parse_positive)]
    saccade_speed: f64,

    /// Eyes slower than that for so many seconds fixate something
    #[arg(long, value_name = "SECONDS", default_value_t = 0.06, value_parser = parse_positive)]
    fixation: f64,

    #[command(flatten)]
    look: InputArgs,
}

#[derive(Serialize)]
struct StatsJson<'a> {
    file: &'a str,
    #[serde(flatten)]
    stats: &'a Stats,
}

pub fn run(args: &StatsArgs) -> Result<Outcome, Failure> {
    let options = StatsOptions::new()
        .with_path_rate_hz(args.travel_rate)
        .with_saccade_deg_per_sec(args.saccade_speed)
        .with_min_fixation_secs(args.fixation);
    let mut table = TextTable::default();
    table.push(COLUMN_HEADERS.map(str::to_owned));
    let outcome = args.look.each_file(
        |path| {
            let recording = input::recording(path)?;
            Stats::from_recording(&recording, &options).map_err(|error| Failure::from(error).with_path(path))
        },
        |path, stats| {
            let file = input::display_path(path).display().to_string();
            let mut out = output::stdout();
            if args.look.json {
                serde_json::to_writer(&mut out, &StatsJson { file: &file, stats: &stats })?;
                writeln!(out)?;
            } else if args.look.files.len() == 1 {
                show(&mut out, &file, &stats)?;
            } else {
                table.push(row(&file, &stats));
            }
            Ok(out.flush()?)
        },
    );
    if !args.look.json && args.look.files.len() > 1 {
        let mut out = output::stdout();
        table.write(&mut out, 0)?;
        out.flush()?;
    }
    outcome
}

fn show(out: &mut impl Write, name: &str, stats: &Stats) -> io::Result<()> {
    writeln!(out, "{}", escape_for_terminal(name, usize::MAX))?;
    let markers = if stats.marker_count == 1 { "marker" } else { "markers" };
    writeln!(out, "  {:.3} s, {} {markers}\n", stats.duration_secs, stats.marker_count)?;
    let mut table = TextTable::default();
    table.push(["", "tracked", "path", "turned", "mean speed", "top speed"].map(str::to_owned));
    let hands = [("left", &stats.left), ("right", &stats.right)];
    if let Some(head) = &stats.head {
        table.push(travel_row("head", "-".to_owned(), head));
    }
    for (name, hand) in hands {
        let Some(hand) = hand else { continue };
        table.push(travel_row(name, percent(hand.tracked_fraction), &hand.travel));
    }
    table.write(out, 2)?;
    writeln!(out)?;
    for (name, hand) in hands {
        let Some(HandStats { pinches, tracked_span_count: spells, .. }) = hand else { continue };
        let lengths = match pinches.count {
            0 => String::new(),
            1 => format!(", {:.2} s", pinches.total_secs),
            _ => format!(
                ", {:.2} s in all, {:.2} to {:.2} s, {:.2} s on average",
                pinches.total_secs, pinches.min_secs, pinches.max_secs, pinches.mean_secs
            ),
        };
        let pinched = if pinches.count == 1 { "pinch" } else { "pinches" };
        let found = if *spells == 1 { "once" } else { &format!("{spells} times") };
        writeln!(out, "  {name:<5}  found {found}, {} {pinched}{lengths}", pinches.count)?;
    }
    stats.gaze.as_ref().map_or(Ok(()), |gaze| show_gaze(out, gaze))
}

fn show_gaze(out: &mut impl Write, gaze: &GazeStats) -> io::Result<()> {
    writeln!(
        out,
        "  gaze   {} fixations, {:.2} s in all, {:.2} s on average\n         {} saccades, {:.1}° on average, up to \
         {:.0}°/s",
        gaze.fixation_count,
        gaze.fixation_secs,
        gaze.mean_fixation_secs,
        gaze.saccade_count,
        gaze.mean_saccade_deg,
        gaze.max_speed_deg_per_sec
    )?;
    if gaze.follows_head {
        writeln!(out, "         there was no eye tracker: this is where the head faced")?;
    }
    Ok(())
}

fn travel_row(name: &str, tracked: String, travel: &MovementStats) -> [String; 6] {
    [
        name.to_owned(),
        tracked,
        metres(travel),
        format!("{:.0}°", travel.rotation_deg),
        format!("{:.2} m/s", travel.mean_speed_m_per_sec),
        format!("{:.2} m/s", travel.max_speed_m_per_sec),
    ]
}

const COLUMN_HEADERS: [&str; 12] = [
    "file",
    "length",
    "head path",
    "left tracked",
    "left path",
    "left top",
    "left pinches",
    "right tracked",
    "right path",
    "right top",
    "right pinches",
    "fixations",
];

fn row(name: &str, stats: &Stats) -> [String; 12] {
    let hand = |hand: &Option<HandStats>| {
        hand.map_or(["-"; 4].map(str::to_owned), |hand| {
            [
                percent(hand.tracked_fraction),
                metres(&hand.travel),
                format!("{:.2} m/s", hand.travel.max_speed_m_per_sec),
                hand.pinches.count.to_string(),
            ]
        })
    };
    let [lt, lp, ls, lc] = hand(&stats.left);
    let [rt, rp, rs, rc] = hand(&stats.right);
    let fixations = stats.gaze.map_or("-".to_owned(), |gaze| gaze.fixation_count.to_string());
    let head = stats.head.as_ref().map_or("-".to_owned(), metres);
    [
        escape_for_terminal(name, 60),
        format!("{:.2} s", stats.duration_secs),
        head,
        lt,
        lp,
        ls,
        lc,
        rt,
        rp,
        rs,
        rc,
        fixations,
    ]
}

fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

fn metres(travel: &MovementStats) -> String {
    format!("{:.2} m", travel.path_m)
}
