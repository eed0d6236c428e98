//! `holotape dataset lerobot`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use holotape_convert::Space;
use holotape_corpus::{ActionSource, FeatureSet, LerobotOptions, LerobotReport, TaskSource, build_lerobot};

use super::{RunArgs, print_broken, print_rebuild, split_paths, write_changes};
use crate::args::{Choice, SPACES, choice, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::table::{bytes, group_digits, plural};

/// Build or update a LeRobot dataset (version 3.0), for training robots
///
/// One episode per recording, sorted by name, at a fixed rate: joints of both hands, head, gaze, pinches, and what was tracked. A
/// second run reads only what has changed, and an interrupted run resumes. Broken recordings are left out and do not stop the
/// build.
///
/// The exit code is 3 if there are broken recordings.
#[derive(Debug, Args)]
#[command(override_usage = "holotape dataset lerobot [OPTIONS] IN... OUT")]
pub struct LerobotArgs {
    /// Folders, patterns such as 'study/**/*.bin', or files; last, the folder to write: new, empty or a LeRobot dataset
    #[arg(required = true, num_args = 2.., value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 30)]
    fps: u32,

    /// Features of each frame
    #[arg(long, value_name = "SET", default_value = "full", value_parser = choice(FEATURES))]
    features: FeatureSet,

    /// Contents of the feature action: wrist poses and pinches of both hands
    #[arg(long, value_name = "FRAME", default_value = "next", value_parser = choice(ACTIONS))]
    action: ActionSource,

    /// The task, or with --tasks-from that of frames without another
    #[arg(long, value_name = "TEXT", default_value = LerobotOptions::DEFAULT_TASK)]
    task: String,

    /// Where tasks come from (default: the text of --task)
    #[arg(long, value_name = "SOURCE", value_parser = choice(TASKS))]
    tasks_from: Option<TaskSource>,

    /// Coordinate system
    #[arg(long, default_value = "right-handed", value_parser = choice(SPACES))]
    space: Space,

    /// Robot type in meta/info.json
    #[arg(long, value_name = "TEXT", default_value = LerobotOptions::DEFAULT_ROBOT_TYPE)]
    robot_type: String,

    /// Size of data files; a file ends with the episode that reaches it
    #[arg(long, value_name = "MB", default_value_t = 100.0, value_parser = parse_positive)]
    file_size: f64,

    #[command(flatten)]
    run: RunArgs,
}

const FEATURES: &[Choice<FeatureSet>] = &[
    ("full", FeatureSet::Full, "26 joints per hand with position and quaternion, head, gaze"),
    ("compact", FeatureSet::Compact, "Per hand: wrist position, its rotation as six numbers, fingertip positions"),
];

const ACTIONS: &[Choice<ActionSource>] = &[
    ("next", ActionSource::Next, "Those of the next frame; the last frame repeats its own"),
    ("same", ActionSource::Same, "Those of the same frame"),
    ("none", ActionSource::None, "No feature action"),
];

const TASKS: &[Choice<TaskSource>] = &[
    ("markers", TaskSource::Markers, "Each marker starts a task with its name"),
    ("folders", TaskSource::Folders, "The name of the folder that contains the recording"),
];

impl LerobotArgs {
    fn options(&self) -> LerobotOptions {
        LerobotOptions::new()
            .with_fps(self.fps)
            .with_features(self.features)
            .with_action(self.action)
            .with_task(&self.task)
            .with_tasks(self.tasks_from.unwrap_or(TaskSource::Text))
            .with_space(self.space)
            .with_robot_type(&self.robot_type)
            .with_file_mb(self.file_size)
            .with_verify(self.run.verify)
            .with_jobs(self.run.jobs.count())
    }
}

pub(super) fn run(args: &LerobotArgs) -> Result<Outcome, Failure> {
    let (inputs, out) = split_paths(&args.paths)?;
    let report = args.run.with_progress(|show| build_lerobot(inputs, out, &args.options(), show))?;
    print_rebuild(out, report.rebuild_reason.as_deref());
    if !args.run.quiet {
        report.notes.iter().for_each(|note| output::print_labelled("note", note));
    }
    print_broken(&report.broken, "--json lists all");
    args.run.print_report(&report, |stdout| write_report(stdout, out, args.fps, &report))?;
    Ok(if report.broken.is_empty() { Outcome::Done } else { Outcome::Lossy })
}

fn write_report(out: &mut dyn Write, folder: &Path, fps: u32, report: &LerobotReport) -> io::Result<()> {
    let episodes = plural(usize::try_from(report.episode_count).unwrap_or(usize::MAX), "episode", "episodes");
    let tasks = plural(report.task_count, "task", "tasks");
    let files = plural(report.file_count, "data file", "data files");
    let (frames, size) = (group_digits(report.frame_count), bytes(report.data_bytes));
    writeln!(out, "{}", folder.display())?;
    writeln!(out, "  {episodes}, {frames} frames at {fps} frames per second, {tasks}")?;
    writeln!(out, "  {files}, {size}, {} written", group_digits(report.written_file_count as u64))?;
    write_changes(out, report.changed_recording_count, report.removed_recording_count)
}
