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

use self::stdin::{RecordedTake, StdinRecorder};
use crate::args::parse_positive;
use crate::commands::optimize as optimize_command;
use crate::failure::{Failure, Outcome};
use crate::input::is_stdio;
use crate::output;
use crate::rewrite::WriteArgs;
use crate::table::plural;

/// Record frames from standard input, or from who connects
///
/// Takes frames as sample and play print them, one JSON object a line, and markers like
/// {"time":1.5,"marker":"grabbed the cup"}; other events of a player are passed over. The first frame is the start.
/// At the end of the input, or when told to stop (Ctrl-C), the recording is saved. Until then all of it is in a journal
/// beside OUT, from which `holotape repair` gets it back if the process is killed.
///
/// With --ws frames come over a WebSocket on this machine instead, one take by the protocol of docs/stream.md: a connection
/// that is lost loses nothing. The recording is saved when whoever sends it says so, and two minutes after the connection
/// is lost if nobody comes back.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// The file to write, .bin or .json, - for standard output; or a folder, for a name like MRTK's in it
    #[arg(value_name = "OUT", default_value = ".")]
    output: PathBuf,

    /// Leave out frames that come faster than this
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    max_rate: Option<f64>,

    /// Keep the last so many seconds only
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    last: Option<f64>,

    /// What to record, separated by commas; everything unless given
    #[arg(long, value_enum, value_delimiter = ',')]
    channels: Vec<Channel>,

    /// Record no gaze where a frame has none, instead of the ray that the camera looks along
    #[arg(long)]
    no_gaze_fallback: bool,

    /// Leave out keys that are not needed before saving, as `holotape optimize` does
    #[arg(long)]
    optimize: bool,

    /// Take frames from who connects to ws://127.0.0.1:PORT/ instead of standard input; 0 for any port that is free
    #[arg(long, value_name = "PORT")]
    ws: Option<u16>,

    /// With --ws: let pages of this origin in, such as https://example.org; those of this machine are, and programs
    #[arg(long, value_name = "ORIGIN", requires = "ws")]
    allow_origin: Vec<String>,

    #[command(flatten)]
    write: WriteArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Channel {
    /// The pose of the head
    Camera,
    /// Both hands
    Hands,
    /// The ray of the eyes
    Gaze,
}

pub fn run(args: &RecordArgs) -> Result<Outcome, Failure> {
    let output = args.output_path();
    let journal = journal_path_for(&output)?;
    let (mut finished, mut waiting) = (None, None);
    let written = args.write.write_new(&output, |diagnostics| {
        let options = args.options(journal.as_deref());
        let RecordedTake { finished: recorded, farewell } = match args.ws {
            None => StdinRecorder::start(options)?.record(diagnostics)?,
            Some(port) => websocket::record(port, &args.allow_origin, options, &name_of(&output), diagnostics)?,
        };
        waiting = farewell;
        let finished = finished.insert(recorded);
        diagnostics.note("recorded", summary(&output, finished));
        if args.optimize {
            optimize_command::print_report(&optimize(&mut finished.recording, &OptimizeOptions::new()), diagnostics);
        }
        Ok(std::mem::take(&mut finished.recording))
    });
    if let Some(farewell) = waiting {
        farewell.say(written.is_ok());
    }
    match (written, finished) {
        // Only now that the recording is safe its journal can go.
        (Ok(outcome), Some(finished)) => finished.discard().map(|()| outcome).map_err(Failure::from),
        (Err(failure), Some(finished)) => {
            failure.report();
            if let Some(journal) = journal {
                let how_much = if finished.is_journal_complete() { "all" } else { "only the beginning" };
                output::print_labelled(
                    "hint",
                    &format_args!("{how_much} of what was recorded is in {}", journal.display()),
                );
            }
            Err(Failure::AlreadyReported)
        }
        (written, None) => written,
    }
}

/// What was recorded, in a few words.
fn summary(output: &Path, finished: &FinishedRecording) -> String {
    let FinishedRecording { recording, frames, .. } = finished;
    let name = if is_stdio(output) { "standard output".into() } else { output.to_string_lossy() };
    let duration_secs = recording.duration_secs();
    let frames = plural(usize::try_from(*frames).unwrap_or(usize::MAX), "frame", "frames");
    let markers = plural(recording.markers.len(), "marker", "markers");
    format!("{name}: {duration_secs:.3} s, {frames}, {markers}")
}

/// What whoever sends the frames is told that they will be saved as.
fn name_of(output: &Path) -> String {
    if is_stdio(output) {
        return "standard output".to_owned();
    }
    output.file_name().unwrap_or(output.as_os_str()).to_string_lossy().into_owned()
}

impl RecordArgs {
    /// The file to write.
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
            .with_keep_last_secs(self.last)
            .with_channels(channels)
            .with_gaze_fallback(!self.no_gaze_fallback);
        match journal {
            Some(journal) => options.with_journal(journal),
            None => options,
        }
    }
}

/// Where the journal goes; nowhere beside what is no file.
fn journal_path_for(output: &Path) -> Result<Option<PathBuf>, Failure> {
    let journal = journal_path(output);
    if journal == output {
        return Err(Failure::Usage(format!("{} is where the journal would be", output.display())));
    }
    let is_file = fs::metadata(output).map_or(!is_stdio(output), |present| present.is_file());
    Ok(is_file.then_some(journal))
}
