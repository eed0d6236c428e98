//! `holotape play FILE`

mod broadcast;
mod client;
mod sink;
mod status;
mod ticker;

use std::path::PathBuf;

use clap::Args;
use holotape::{Event, EventKind, PlayState, Player, Recording};

use self::broadcast::Broadcast;
use self::sink::{PlaybackSink, StdoutSink};
use self::status::PlaybackProgress;
use self::ticker::Ticker;
use crate::args::{parse_finite, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;

/// Play a recording in real time, as lines of JSON
///
/// One frame a line, as `sample` prints them, and a line for each marker as it is passed. With --ws the same lines go
/// to everybody who connects to a WebSocket on this machine; playing begins with the first of them. Those who ask for the
/// subprotocol holotape.binary get records of bytes instead: docs/stream.md describes them.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// A recording; - for standard input
    file: PathBuf,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = parse_positive)]
    rate: f64,

    /// How many seconds of the recording pass in one second
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_positive)]
    speed: f64,

    /// Begin again at the end, for ever
    #[arg(long = "loop")]
    looping: bool,

    /// Begin here instead of at 0
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    from: Option<f64>,

    /// End here instead of at the end of the recording
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    to: Option<f64>,

    /// Lines for events, too: hands found and lost, pinches begun and ended, started, looped, ended
    #[arg(long)]
    events: bool,

    /// Poses of hands where they were not tracked, too: nobody recorded them, they are interpolated
    #[arg(long)]
    untracked: bool,

    /// Serve the lines on ws://127.0.0.1:PORT/ instead of printing them; 0 for any port that is free
    #[arg(long, value_name = "PORT")]
    ws: Option<u16>,

    /// With --ws: let pages of this origin in, such as https://example.org; those of this machine are, and programs
    #[arg(long, value_name = "ORIGIN", requires = "ws")]
    allow_origin: Vec<String>,
}

/// No machine prints more.
const MAX_RATE_HZ: f64 = 1e6;

pub fn run(args: &PlayArgs) -> Result<Outcome, Failure> {
    if args.rate > MAX_RATE_HZ {
        return Err(Failure::Usage(format!("--rate {} is more than {MAX_RATE_HZ} frames a second", args.rate)));
    }
    let recording = input::recording(&args.file)?;
    let player = player(args, &recording)?;
    note_unplayed_markers(&recording);
    let Some(port) = args.ws else {
        return play(args, player, &mut StdoutSink::new());
    };
    let mut broadcast = Broadcast::open(port, &args.allow_origin)?;
    output::print_labelled("serving", &broadcast.url());
    broadcast.wait_for_client();
    let outcome = play(args, player, &mut broadcast)?;
    broadcast.close();
    Ok(outcome)
}

fn player(args: &PlayArgs, take: &Recording) -> Result<Player, Failure> {
    let end = f64::from(take.duration_secs());
    let from = args.from.unwrap_or(0.0);
    let to = args.to.unwrap_or(end);
    if !(0.0..=end).contains(&from) {
        return Err(Failure::Usage(format!("--from {from} is outside of the recording, which ends at {end}")));
    }
    if to < from {
        return Err(Failure::Usage(format!("--from {from} is after --to {to}")));
    }
    Ok(take
        .player()
        .with_span_secs(from..=to)
        .with_speed(args.speed)
        .with_looping(args.looping)
        .with_untracked_poses(args.untracked))
}

/// Nothing is lost silently: a marker that is never passed is not in what is printed.
fn note_unplayed_markers(recording: &Recording) {
    let end = recording.duration_secs();
    let count = recording.markers.iter().filter(|marker| !(0.0..=end).contains(&marker.time)).count();
    if count > 0 {
        let markers = if count == 1 { "1 marker is" } else { &format!("{count} markers are") };
        output::print_labelled("note", &format_args!("{markers} before 0 or after the end, {end} s, and not played"));
    }
}

fn play(args: &PlayArgs, mut player: Player, sink: &mut impl PlaybackSink) -> Result<Outcome, Failure> {
    let span = player.span_secs();
    let end_secs = if args.looping { f64::INFINITY } else { (span.end() - span.start()) / args.speed };
    let mut pace = Ticker::new(args.rate, end_secs);
    let status = PlaybackProgress::new(args.ws.is_none());
    player.play();
    while player.state() == PlayState::Playing {
        let events = player.advance_to(pace.wait());
        let mut events: Vec<Event> = events.filter(|event| args.events || is_marker(event)).collect();
        let ended = events.pop_if(|event| event.kind == EventKind::Ended);
        events.iter().try_for_each(|event| sink.event(event))?;
        sink.frame(player.frame())?;
        ended.iter().try_for_each(|event| sink.event(event))?;
        status.show(&player);
    }
    status.clear();
    if pace.skipped() == 0 {
        return Ok(Outcome::Done);
    }
    output::print_labelled("lost", &format_args!("{} frames, to keep up with real time", pace.skipped()));
    Ok(Outcome::Lossy)
}

fn is_marker(event: &Event) -> bool {
    matches!(event.kind, EventKind::MarkerPassed { .. })
}
