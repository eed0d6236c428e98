//! `holotape openxr replay IN -- APP`

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape_convert::OpenOptions;
use holotape_openxr::{REPLAY_LAYER, ReplayConfig, Report, SpaceChoice};

use super::application::{self, ApplicationArgs};
use super::layers::LayerFolder;
use super::space::space_parser;
use crate::args::{parse_finite, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::{input, output};

/// Replay a recording into an OpenXR application
///
/// Runs the application with the replay layer and passes its exit code on. The application gets head, hands, pinches and gaze of
/// the recording; everything else, such as eye offsets and controllers, comes from the runtime. Reads every format that
/// `holotape convert` reads. If the recording cannot be read, the application runs without it, and the exit code is 1.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The recording, in any format
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    pub(super) options: ReplayOptions,

    #[command(flatten)]
    application: ApplicationArgs,
}

const AUTO_SPACE: &str = "STAGE if the recorded head is more than 0.7 m above the origin, otherwise LOCAL";

#[derive(Clone, Debug, Args)]
pub(super) struct ReplayOptions {
    /// Reference space in which the recording is placed
    #[arg(long, default_value = "auto", value_parser = space_parser(AUTO_SPACE))]
    space: SpaceChoice,

    /// Start at this time of the recording
    #[arg(long, value_name = "SECONDS", value_parser = parse_finite, default_value_t = 0.0)]
    start: f64,

    /// Speed
    #[arg(long, value_name = "FACTOR", value_parser = parse_positive, default_value_t = 1.0)]
    speed: f64,

    /// Start again at the end
    #[arg(long = "loop")]
    looping: bool,

    /// Ask the application to end when the recording ends
    #[arg(long, conflicts_with = "looping")]
    exit_at_end: bool,

    /// Advance the recording by this time per frame, so that every run gets the same poses
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive, conflicts_with = "speed")]
    step: Option<f64>,
}

impl ReplayOptions {
    pub(super) fn config(&self, recording: PathBuf) -> ReplayConfig {
        ReplayConfig {
            space: self.space,
            start_secs: self.start,
            speed: self.speed,
            looping: self.looping,
            exit_at_end: self.exit_at_end,
            step_secs: self.step,
            ..ReplayConfig::new(recording)
        }
    }
}

pub fn run(args: &ReplayArgs) -> Result<Outcome, Failure> {
    let mut command = args.application.command();
    let folder = LayerFolder::new(REPLAY_LAYER)?;
    let recording = folder.path("recording.bin");
    if let Err(failure) = convert(&args.input, &recording) {
        failure.report();
        let _ = application::run(&mut command)?;
        return Err(Failure::AlreadyReported);
    }
    let report = folder.path("report.jsonl");
    let config = ReplayConfig { report: Some(report.clone()), ..args.options.config(recording) };
    folder.enable(&mut command)?;
    let status = application::run(command.env(ReplayConfig::VARIABLE, config.to_json()))?;

    let reports = Report::parse(&fs::read_to_string(report).unwrap_or_default());
    if reports.iter().any(|report| matches!(report, Report::Failed { .. })) {
        return Err(Failure::AlreadyReported);
    }
    if reports.is_empty() {
        output::print_labelled("warning", &"nothing was replayed: the application did not run an OpenXR session");
    }
    Ok(application::outcome(status))
}

/// Writes the recording in the format that the layer reads.
pub(super) fn convert(from: &Path, to: &Path) -> Result<(), Failure> {
    let recording = input::open_any(from, &OpenOptions::new())?.recording;
    let _ = recording.save(to)?;
    Ok(())
}
