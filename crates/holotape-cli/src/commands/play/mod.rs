//! `holotape play FILE`

mod broadcast;
mod clock;
mod listener;
mod sink;
mod status;
#[cfg(test)]
mod tests;
mod ticker;

use std::path::PathBuf;

use clap::Args;
use holotape::{Event, EventKind, PlayState, Player, Recording};

use self::broadcast::Broadcast;
use self::clock::{Clock, SystemClock};
use self::sink::{PlaybackSink, StdoutSink};
use self::status::PlaybackProgress;
use self::ticker::Ticker;
use crate::args::{parse_finite, parse_origin, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::span::{self, SpanLimit};
use crate::table::plural;

/// Play a recording in real time as lines of JSON
///
/// Prints one frame per line, as `sample` does, and one line per marker when it is passed. With --ws, all clients of a local
/// WebSocket receive the same lines; playback starts when the first one connects. Clients that request the subprotocol
/// holotape.binary receive binary records instead; docs/stream.md specifies them.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Recording to play; - for standard input
    file: PathBuf,

    /// Frames per second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = parse_positive)]
    rate: f64,

    /// Playback speed
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_positive)]
    speed: f64,

    /// Restart at the end, forever
    #[arg(long = "loop")]
    looping: bool,

    /// Start at this time [default: 0]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    from: Option<f64>,

    /// End at this time [default: end of the recording]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    to: Option<f64>,

    /// Print events, too: hand_found, hand_lost, pinch_start, pinch_end, started, looped, ended
    #[arg(long)]
    events: bool,

    /// Include interpolated poses of hands that are not tracked
    #[arg(long)]
    include_untracked: bool,

    /// Serve a WebSocket at ws://127.0.0.1:PORT/ instead of printing (0: any free port)
    #[arg(long, value_name = "PORT")]
    ws: Option<u16>,

    /// With --ws: accept web pages from this origin, e.g. https://example.org. Local pages and non-browser clients are always
    /// accepted
    #[arg(long, value_name = "ORIGIN", requires = "ws", value_parser = parse_origin)]
    allow_origin: Vec<String>,
}

const MAX_RATE_HZ: f64 = 1e6;

pub fn run(args: &PlayArgs) -> Result<Outcome, Failure> {
    if args.rate > MAX_RATE_HZ {
        return Err(Failure::Usage(format!("invalid --rate {} Hz; the limit is {MAX_RATE_HZ} Hz", args.rate)));
    }
    let recording = input::recording(&args.file)?;
    let player = player(args, &recording)?;
    note_unplayed_markers(&recording);
    let Some(port) = args.ws else {
        return play(args, player, &mut StdoutSink::new()).map(report_skipped);
    };
    let mut broadcast = Broadcast::open(port, &args.allow_origin)?;
    output::print_labelled("serving", &broadcast.url());
    broadcast.wait_for_client();
    let skipped = play(args, player, &mut broadcast)?;
    broadcast.close();
    Ok(report_skipped(skipped))
}

fn player(args: &PlayArgs, recording: &Recording) -> Result<Player, Failure> {
    let (from, to) = span::resolve(args.from, args.to, recording.duration_secs(), SpanLimit::Recording)?;
    if from < 0.0 {
        return Err(Failure::Usage(format!("--from {from} is before the start at 0 s")));
    }
    Ok(recording
        .player()
        .with_span_secs(from..=to)
        .with_speed(args.speed)
        .with_looping(args.looping)
        .with_untracked_poses(args.include_untracked))
}

/// Reports markers that playback never passes.
fn note_unplayed_markers(recording: &Recording) {
    let end = recording.duration_secs();
    let count = recording.markers.iter().filter(|marker| !(0.0..=end).contains(&marker.time)).count();
    if count > 0 {
        let markers = plural(count, "marker", "markers");
        output::print_labelled("note", &format_args!("skipping {markers} before 0 s or after the end at {end} s"));
    }
}

/// Plays in real time. Returns the number of skipped frames.
fn play(args: &PlayArgs, player: Player, sink: &mut impl PlaybackSink) -> Result<u64, Failure> {
    play_with_clock(args, player, sink, SystemClock::start())
}

fn play_with_clock(
    args: &PlayArgs,
    mut player: Player,
    sink: &mut impl PlaybackSink,
    clock: impl Clock,
) -> Result<u64, Failure> {
    let span = player.span_secs();
    let end_secs = if args.looping { f64::INFINITY } else { (span.end() - span.start()) / args.speed };
    let mut ticker = Ticker::new(clock, args.rate, end_secs);
    let status = PlaybackProgress::new(args.ws.is_none());
    player.play();
    while player.state() == PlayState::Playing {
        let events = player.advance_to(ticker.wait());
        let mut events: Vec<Event> = events.filter(|event| args.events || is_marker(event)).collect();
        let ended = events.pop_if(|event| event.kind == EventKind::Ended);
        events.iter().try_for_each(|event| sink.event(event))?;
        sink.frame(player.frame())?;
        ended.iter().try_for_each(|event| sink.event(event))?;
        status.show(&player);
    }
    status.clear();
    Ok(ticker.skipped())
}

fn report_skipped(skipped: u64) -> Outcome {
    if skipped == 0 {
        return Outcome::Done;
    }
    let frames = plural(usize::try_from(skipped).unwrap_or(usize::MAX), "frame", "frames");
    output::print_labelled("lost", &format_args!("dropped {frames} to keep up with real time"));
    Outcome::Lossy
}

fn is_marker(event: &Event) -> bool {
    matches!(event.kind, EventKind::MarkerPassed { .. })
}
