//! `holotape dataset build | lerobot | info`

mod lerobot;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use holotape_corpus::{BrokenRecording, BuildOptions, BuildReport, Dataset, Progress, SCHEMA_VERSION, Table, build};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::parse_positive;
use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::table::{TextTable, bytes, group_digits, plural};

/// Build tables from many recordings, and keep them up to date
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct DatasetArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(BuildArgs),
    Lerobot(lerobot::LerobotArgs),
    Info(InfoArgs),
}

/// Build or update a dataset
///
/// Writes the tables recordings, frames and events as Parquet files, for DuckDB, Polars, pandas, Spark and other readers. A
/// second run reads only what has changed, and an interrupted run resumes. Broken recordings have a row with their error and
/// do not stop the build.
///
/// The exit code is 3 if there are broken recordings.
#[derive(Debug, Args)]
#[command(override_usage = "holotape dataset build [OPTIONS] IN... OUT")]
struct BuildArgs {
    /// Folders, patterns such as 'study/**/*.bin', or files; last, the folder to write: new, empty or a dataset
    #[arg(required = true, num_args = 2.., value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Frames per second in the table frames
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = parse_positive)]
    rate: f64,

    /// Also build the table keys: the complete data, about as large as the recordings
    #[arg(long)]
    with_keys: bool,

    #[command(flatten)]
    run: RunArgs,
}

/// Options of all commands that build a dataset.
#[derive(Debug, Args)]
struct RunArgs {
    /// Detect changes by content instead of by file size and time
    #[arg(long)]
    verify: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,

    /// Print only errors
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// Describe a dataset
#[derive(Debug, Args)]
struct InfoArgs {
    /// The folder of a dataset
    #[arg(value_name = "DATASET")]
    folder: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &DatasetArgs) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Build(args) => run_build(args),
        Action::Lerobot(args) => lerobot::run(args),
        Action::Info(args) => run_info(args),
    }
}

fn run_build(args: &BuildArgs) -> Result<Outcome, Failure> {
    let (inputs, out) = split_paths(&args.paths)?;
    let options = BuildOptions::new()
        .with_rate_hz(args.rate)
        .with_keys(args.with_keys)
        .with_verify(args.run.verify)
        .with_jobs(args.run.jobs.count());
    let report = args.run.with_progress(|show| build(inputs, out, &options, show))?;
    print_rebuild(out, report.rebuild_reason.as_deref());
    print_broken(&report.broken, "the column error of the table recordings lists all");
    args.run.print_report(&report, |stdout| write_report(stdout, out, &report))?;
    Ok(if report.broken.is_empty() { Outcome::Done } else { Outcome::Lossy })
}

/// Splits paths into those to read and the folder to write.
fn split_paths(paths: &[PathBuf]) -> Result<(&[PathBuf], &Path), Failure> {
    let split = paths.split_last().map(|(out, inputs)| (inputs, out.as_path()));
    split.ok_or_else(|| Failure::Usage("no folder to write".to_owned()))
}

impl RunArgs {
    /// Runs a build with a progress bar.
    fn with_progress<R>(
        &self,
        build: impl FnOnce(&(dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> holotape::Result<R>,
    ) -> Result<R, Failure> {
        let bar = progress_bar(self.quiet);
        let report = build(&|progress| {
            show(&bar, progress);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        Ok(report?)
    }

    /// Prints the report as JSON or as text, unless the output is quiet.
    fn print_report(
        &self,
        report: &impl Serialize,
        write_text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut stdout = output::stdout();
        if self.json {
            output::write_json(&mut stdout, report)?;
        } else if !self.quiet {
            write_text(&mut stdout)?;
        }
        Ok(stdout.flush()?)
    }
}

fn print_rebuild(out: &Path, reason: Option<&str>) {
    if let Some(reason) = reason {
        output::print_labelled("note", &format_args!("{}: rebuilt completely: {reason}", out.display()));
    }
}

/// A bar on stderr, hidden unless that is a terminal.
fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} recordings, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, Progress { done, total }: Progress) {
    if bar.length() != Some(total as u64) {
        bar.set_length(total as u64);
        bar.reset_eta();
    }
    // Several threads report, so counts may arrive out of order.
    bar.set_position(bar.position().max(done as u64));
}

/// Maximum number of broken recordings that are listed.
const MAX_REPORTED: usize = 10;

fn print_broken(broken: &[BrokenRecording], advice: &str) {
    for broken in broken.iter().take(MAX_REPORTED) {
        output::print_labelled("lost", &format_args!("{}: {}", broken.recording, broken.message));
    }
    if let Some(more @ 1..) = broken.len().checked_sub(MAX_REPORTED) {
        let more = plural(more, "other", "others");
        output::print_labelled("lost", &format_args!("{more}; {advice}"));
    }
}

fn write_report(out: &mut dyn Write, folder: &Path, report: &BuildReport) -> io::Result<()> {
    let recordings = plural(report.recording_count, "recording", "recordings");
    let partitions = plural(report.partition_count, "partition", "partitions");
    let written = plural(report.written_partition_count, "partition", "partitions");
    writeln!(out, "{}", folder.display())?;
    writeln!(out, "  {recordings} in {partitions}, {written} written")?;
    write_changes(out, report.changed_recording_count, report.removed_recording_count)?;
    writeln!(out)?;
    let rows = [report.rows.recordings, report.rows.frames, report.rows.events].into_iter().chain(report.rows.keys);
    let sizes =
        [report.bytes.recordings, report.bytes.frames, report.bytes.events].into_iter().chain(report.bytes.keys);
    let tables = Table::ALL.into_iter().zip(rows.zip(sizes)).map(|(table, (rows, bytes))| TableSize {
        table: table.name(),
        rows,
        bytes,
    });
    write_tables(out, &tables.collect::<Vec<_>>())
}

fn write_changes(out: &mut dyn Write, changed: usize, removed: usize) -> io::Result<()> {
    if changed + removed > 0 {
        let [changed, removed] = [changed, removed].map(|count| group_digits(count as u64));
        writeln!(out, "  {changed} new or changed, {removed} removed")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct TableSize {
    table: &'static str,
    rows: u64,
    bytes: u64,
}

fn write_tables(out: &mut dyn Write, sizes: &[TableSize]) -> io::Result<()> {
    let mut table = TextTable::default();
    table.push(["table", "rows", "size"].map(str::to_owned));
    for size in sizes {
        table.push([size.table.to_owned(), group_digits(size.rows), bytes(size.bytes)]);
    }
    table.write(out, 2)
}

#[derive(Serialize)]
struct Info<'a> {
    dataset: &'a Path,
    schema_version: u32,
    rate_hz: f64,
    recording_count: usize,
    broken: Vec<BrokenRecording>,
    /// Total size of the recordings.
    source_bytes: u64,
    partition_count: usize,
    tables: Vec<TableSize>,
}

fn run_info(args: &InfoArgs) -> Result<Outcome, Failure> {
    let dataset = Dataset::open(&args.folder)?;
    let size = |table: Table| {
        let files = dataset.files(table)?;
        let sizes = files.iter().map(|file| file.metadata().map(|file| file.len()));
        let bytes = sizes.zip(&files).try_fold(0, |sum, (size, file)| {
            let missing = |error: io::Error| holotape::Error::from(error).with_path(file);
            size.map(|size| sum + size).map_err(missing)
        })?;
        Ok(TableSize { table: table.name(), rows: dataset.rows(table), bytes })
    };
    let info = Info {
        dataset: &args.folder,
        schema_version: SCHEMA_VERSION,
        rate_hz: dataset.rate_hz(),
        recording_count: dataset.recordings().count(),
        broken: dataset.recordings().filter_map(BrokenRecording::from_entry).collect(),
        source_bytes: dataset.recordings().filter_map(|entry| entry.file_bytes).sum(),
        partition_count: dataset.partition_count(),
        tables: dataset.tables().into_iter().map(size).collect::<Result<_, Failure>>()?,
    };
    let mut out = output::stdout();
    if args.json {
        output::write_json(&mut out, &info)?;
    } else {
        write_info(&mut out, &info)?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn write_info(out: &mut dyn Write, info: &Info<'_>) -> io::Result<()> {
    let recordings = plural(info.recording_count, "recording", "recordings");
    let partitions = plural(info.partition_count, "partition", "partitions");
    writeln!(out, "{}", info.dataset.display())?;
    let (size, broken) = (bytes(info.source_bytes), group_digits(info.broken.len() as u64));
    writeln!(out, "  {recordings}, {size}, in {partitions}; {broken} broken")?;
    writeln!(out, "  {} frames per second, table version {}\n", info.rate_hz, info.schema_version)?;
    write_tables(out, &info.tables)
}
