//! `holotape record [OUT]`

mod input;
mod status;
mod stdin;
mod websocket;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use holotape::format::Channels;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::record::{FinishedRecording, RecorderOptions, journal_path, mrtk_file_name};

use self::stdin::StdinRecorder;
use crate::args::{parse_origin, parse_positive};
use crate::commands::optimize as optimize_command;
use crate::failure::{Failure, Outcome};
use crate::input::is_stdio;
use crate::output;
use crate::rewrite::WriteArgs;
use crate::table::plural;

/// Record frames from standard input or over a WebSocket
///
/// Reads frames as sample and play print them, one JSON object per line, and markers such as
/// {"time":1.5,"marker":"grabbed the cup"}; other events are ignored. The recording starts at the first frame. It is saved
/// at the end of the input or on Ctrl-C. Until then it is in a journal next to OUT; if the process is killed, recover it
/// with `holotape repair`.
///
/// With --ws, a client sends one take over a local WebSocket; docs/stream.md specifies the protocol. A client that loses its
/// connection can reconnect without losing frames. The recording is saved when the client stops it, or 2 minutes after the
/// connection was lost.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Output file (.bin or .json, also .bin.gz or .bin.zst), - for standard output, or a folder for a file named as by MRTK
    #[arg(value_name = "OUT", default_value = ".")]
    output: PathBuf,

    /// Drop frames above this rate
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    max_rate: Option<f64>,

    /// Keep only the last SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    keep_last: Option<f64>,

    /// Channels to record, separated by commas [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    channels: Vec<Channel>,

    /// Record no gaze for frames without gaze, instead of the camera's forward direction
    #[arg(long)]
    no_gaze_fallback: bool,

    /// Remove redundant keys before saving, as `holotape optimize` does
    #[arg(long)]
    optimize: bool,

    /// Receive frames over a WebSocket at ws://127.0.0.1:PORT/ instead of standard input (0: any free port)
    #[arg(long, value_name = "PORT")]
    ws: Option<u16>,

    /// With --ws: accept web pages from this origin, e.g. https://example.org. Local pages and non-browser clients are always
    /// accepted
    #[arg(long, value_name = "ORIGIN", requires = "ws", value_parser = parse_origin)]
    allow_origin: Vec<String>,

    #[command(flatten)]
    write: WriteArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Channel {
    /// Head pose
    Camera,
    /// Both hands
    Hands,
    /// Gaze ray
    Gaze,
}

pub fn run(args: &RecordArgs) -> Result<Outcome, Failure> {
    let output = args.output_path();
    let journal = journal_path_for(&output)?;
    let (mut finished, mut notifier) = (None, None);
    let written = args.write.write_new(&output, |diagnostics| {
        let options = args.options(journal.as_deref());
        let take = match args.ws {
            None => StdinRecorder::start(options)?.record(diagnostics)?,
            Some(port) => websocket::record(port, &args.allow_origin, options, &name_of(&output), diagnostics)?,
        };
        notifier = take.notifier;
        let finished = finished.insert(take.finished);
        diagnostics.note("recorded", summary(&output, finished));
        if args.optimize {
            optimize_command::print_report(&optimize(&mut finished.recording, &OptimizeOptions::new()), diagnostics);
        }
        Ok(std::mem::take(&mut finished.recording))
    });
    if let Some(notifier) = notifier {
        notifier.notify(written.is_ok());
    }
    match (written, finished) {
        // The journal is needed until the recording is saved.
        (Ok(outcome), Some(finished)) => finished.discard().map(|()| outcome).map_err(Failure::from),
        (Err(failure), Some(_)) if failure.is_broken_pipe() => Err(failure),
        (Err(failure), Some(finished)) => {
            failure.report();
            if let Some(journal) = journal {
                let contents =
                    if finished.is_journal_complete() { "the complete recording" } else { "only the beginning" };
                output::print_labelled("hint", &format_args!("{} has {contents}", journal.display()));
            }
            Err(Failure::AlreadyReported)
        }
        (written, None) => written,
    }
}

fn summary(output: &Path, finished: &FinishedRecording) -> String {
    let FinishedRecording { recording, frame_count, .. } = finished;
    let name = if is_stdio(output) { "standard output".into() } else { output.to_string_lossy() };
    let duration_secs = recording.duration_secs();
    let frames = plural(usize::try_from(*frame_count).unwrap_or(usize::MAX), "frame", "frames");
    let markers = plural(recording.markers.len(), "marker", "markers");
    format!("{name}: {duration_secs:.3} s, {frames}, {markers}")
}

/// The file name that the client receives.
fn name_of(output: &Path) -> String {
    if is_stdio(output) {
        return "standard output".to_owned();
    }
    output.file_name().unwrap_or(output.as_os_str()).to_string_lossy().into_owned()
}

impl RecordArgs {
    fn output_path(&self) -> PathBuf {
        if !self.output.is_dir() {
            return self.output.clone();
        }
        let name = mrtk_file_name(SystemTime::now());
        if self.output == Path::new(".") { name.into() } else { self.output.join(name) }
    }

    fn options(&self, journal: Option<&Path>) -> RecorderOptions {
        let has = |channel| self.channels.is_empty() || self.channels.contains(&channel);
        let channels = Channels { camera: has(Channel::Camera), hands: has(Channel::Hands), gaze: has(Channel::Gaze) };
        let options = RecorderOptions::new()
            .with_max_rate_hz(self.max_rate)
            .with_keep_last_secs(self.keep_last)
            .with_channels(channels)
            .with_gaze_fallback(!self.no_gaze_fallback);
        match journal {
            Some(journal) => options.with_journal(journal),
            None => options,
        }
    }
}

/// The path of the journal; `None` if the output is not a regular file.
fn journal_path_for(output: &Path) -> Result<Option<PathBuf>, Failure> {
    let journal = journal_path(output);
    if journal == output {
        return Err(Failure::Usage(format!(
            "cannot write to {}: the journal needs this path; choose another extension",
            output.display()
        )));
    }
    let is_file = fs::metadata(output).map_or(!is_stdio(output), |present| present.is_file());
    Ok(is_file.then_some(journal))
}
