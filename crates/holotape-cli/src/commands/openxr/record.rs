//! `holotape openxr record OUT -- APP`

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::record::{Journal, journal_path};
use holotape::{Error, ErrorKind};
use holotape_openxr::{RECORD_LAYER, RecordConfig, Report, SpaceChoice};

use super::application::{self, ApplicationArgs};
use super::layers::LayerFolder;
use super::space::space_parser;
use crate::args::parse_positive;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::table::plural;

/// Record head, hands and gaze of an OpenXR application
///
/// Runs the application with the record layer and passes its exit code on. Each session of the application becomes a
/// recording: OUT, OUT-2 and so on. While a session runs, its frames are in a journal next to the recording; if the application
/// is killed, this command saves the journal as the recording.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Output file (.bin)
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    pub(super) options: RecordOptions,

    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    application: ApplicationArgs,
}

#[derive(Clone, Debug, Args)]
pub(super) struct RecordOptions {
    /// Reference space of the recording
    #[arg(long, default_value = "auto", value_parser = space_parser("STAGE if the runtime has it, otherwise LOCAL"))]
    space: SpaceChoice,

    /// Drop frames above this rate
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    max_rate: Option<f64>,

    /// Add a marker for each line that is written to this file or named pipe
    #[arg(long, value_name = "FILE")]
    markers: Option<PathBuf>,
}

impl RecordOptions {
    /// The configuration of the layer. The application may run in another folder, so all paths are absolute.
    pub(super) fn config(&self, output: &Path, overwrite: bool) -> Result<RecordConfig, Failure> {
        if let Some(markers) = &self.markers {
            output::check_not_existing(markers, true)?;
        }
        let markers = self.markers.as_deref().map(absolute).transpose()?;
        let config = RecordConfig::new(absolute(output)?);
        Ok(RecordConfig { space: self.space, overwrite, max_rate_hz: self.max_rate, markers, ..config })
    }
}

/// Fails unless a path can be that of a recording, as the layer writes it.
pub(super) fn check_output(path: &Path) -> Result<(), Failure> {
    if path.extension().is_some_and(|extension| extension == "bin") {
        return Ok(());
    }
    Err(Failure::Usage(format!("{}: unknown extension; use .bin", path.display())))
}

pub fn run(args: &RecordArgs) -> Result<Outcome, Failure> {
    check_output(&args.output)?;
    output::check_not_existing(&args.output, args.force)?;
    let folder = LayerFolder::new(RECORD_LAYER)?;
    let report = folder.path("report.jsonl");
    let config = RecordConfig { report: Some(report.clone()), ..args.options.config(&args.output, args.force)? };

    let mut command = args.application.command();
    folder.enable(&mut command)?;
    let status = application::run(command.env(RecordConfig::VARIABLE, config.to_json()))?;

    let reports = Report::parse(&fs::read_to_string(report).unwrap_or_default());
    let recorded = print_reports(&reports)?;
    match application::outcome(status) {
        Outcome::Exit(0) if recorded => Ok(Outcome::Done),
        Outcome::Exit(0) => {
            let message = "nothing was recorded: the application did not run an OpenXR session";
            Err(Error::new(ErrorKind::Invalid, message.to_owned()).into())
        }
        other => Ok(other),
    }
}

/// Prints what the layer reports, and saves takes that it could not save. Returns whether there is a take and nothing
/// has failed.
fn print_reports(reports: &[Report]) -> Result<bool, Failure> {
    let mut unsaved = BTreeSet::new();
    let (mut takes, mut has_failed) = (0, false);
    for report in reports {
        match report {
            Report::Started { path } => {
                unsaved.insert(path);
            }
            Report::Saved { path, frames, duration_secs, space, gaze, notes } => {
                unsaved.remove(path);
                takes += 1;
                let frames = plural(usize::try_from(*frames).unwrap_or(usize::MAX), "frame", "frames");
                let summary =
                    format!("{}: {duration_secs:.3} s, {frames}, {space} space, gaze of the {gaze}", shown(path));
                output::print_labelled("recorded", &summary);
                notes.iter().for_each(|note| output::print_labelled("note", note));
            }
            // The layer has printed it already.
            Report::Failed { .. } => has_failed = true,
            Report::Replaying { .. } => {}
        }
    }
    for path in unsaved {
        recover(path)?;
        takes += 1;
    }
    Ok(takes > 0 && !has_failed)
}

/// Saves the journal of an application that ended without closing its session.
fn recover(path: &Path) -> Result<(), Failure> {
    let journal_file = journal_path(path);
    let journal = Journal::open(&journal_file)?;
    let _ = journal.recording.save(path)?;
    let frames = plural(usize::try_from(journal.frame_count).unwrap_or(usize::MAX), "frame", "frames");
    let duration_secs = journal.recording.duration_secs();
    let summary = format!("{}: {duration_secs:.3} s, {frames}, from the journal", shown(path));
    output::print_labelled("recorded", &summary);
    fs::remove_file(&journal_file).map_err(|error| Error::from(error).with_path(journal_file).into())
}

/// A path of the layer as users write it: relative to the current folder, if it is inside.
fn shown(path: &Path) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&folder).unwrap_or(path).display().to_string()
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Error::from(error).with_path(path).into())
}
