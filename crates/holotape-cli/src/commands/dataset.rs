//! `holotape dataset build | info`

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use holotape_corpus::{BuildOptions, BuildReport, Dataset, Progress, SCHEMA_VERSION, Table as Of, build};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::parse_positive;
use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::table::{TextTable, bytes, group_digits, plural};

/// Make tables of thousands of recordings, and keep them up to date
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct DatasetArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(BuildArgs),
    Info(InfoArgs),
}

/// Build a dataset, or bring it up to date
///
/// All recordings that are found become rows of the tables recordings, frames and events: Parquet files in folders of OUT, for
/// DuckDB, Polars, pandas, Spark and whatever else reads Parquet. A second run reads only what has changed since; one that was
/// ended early goes on where it was. Broken recordings have a row that says so, and stop nothing.
///
/// Exit code 3 if there are broken ones.
#[derive(Debug, Args)]
#[command(override_usage = "holotape dataset build [OPTIONS] IN... OUT")]
struct BuildArgs {
    /// Folders, patterns such as 'study/**/*.bin', or recordings; and last the folder to write, which has to be new, empty or a
    /// dataset
    #[arg(required = true, num_args = 2.., value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Frames a second in the table of frames
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = parse_positive)]
    rate: f64,

    /// Make the table of keys as well: all that is in the recordings, and about as large
    #[arg(long)]
    keys: bool,

    /// Read all recordings to see which have changed, whatever size and time of their files say
    #[arg(long)]
    verify: bool,

    /// Print what was done as one JSON object
    #[arg(long)]
    json: bool,

    /// Print nothing but errors
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// Show what is in a dataset
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
        Action::Info(args) => run_info(args),
    }
}

fn run_build(args: &BuildArgs) -> Result<Outcome, Failure> {
    let Some((out, inputs)) = args.paths.split_last() else {
        return Err(Failure::Usage("no folder to write".to_owned()));
    };
    let options = BuildOptions::new()
        .with_rate_hz(args.rate)
        .with_keys(args.keys)
        .with_verify(args.verify)
        .with_jobs(args.jobs.count());
    let bar = progress_bar(args.quiet);
    let report = build(inputs, out, &options, |progress| {
        show(&bar, progress);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let report = report?;
    if let Some(reason) = &report.rebuild_reason {
        output::print_labelled("note", &format_args!("{}: all of it was made anew: {reason}", out.display()));
    }
    print_broken(&report);
    let mut stdout = output::stdout();
    if args.json {
        serde_json::to_writer(&mut stdout, &report)?;
        writeln!(stdout)?;
    } else if !args.quiet {
        write_report(&mut stdout, out, &report)?;
    }
    stdout.flush()?;
    Ok(if report.broken.is_empty() { Outcome::Done } else { Outcome::Lossy })
}

/// On stderr, and hidden where that is no terminal.
fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} takes, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, Progress { done, total }: Progress) {
    if bar.length() != Some(total as u64) {
        bar.set_length(total as u64);
        bar.reset_eta();
    }
    // From several threads, whose numbers may come in any order.
    bar.set_position(bar.position().max(done as u64));
}

/// So many broken recordings are told of by name.
const MAX_REPORTED: usize = 10;

fn print_broken(report: &BuildReport) {
    for broken in report.broken.iter().take(MAX_REPORTED) {
        output::print_labelled("lost", &format_args!("{}: {}", broken.take, broken.error));
    }
    if let Some(more @ 1..) = report.broken.len().checked_sub(MAX_REPORTED) {
        let more = plural(more, "other", "others");
        output::print_labelled("lost", &format_args!("{more}: the column error of the table recordings has them all"));
    }
}

fn write_report(out: &mut impl Write, folder: &Path, report: &BuildReport) -> io::Result<()> {
    let takes = plural(report.takes, "take", "takes");
    let parts = plural(report.parts, "part", "parts");
    writeln!(out, "{}", folder.display())?;
    writeln!(out, "  {takes} in {parts}, of which {} made now", group_digits(report.written_partition_count as u64))?;
    if report.changed_recording_count + report.removed_recording_count > 0 {
        let [changed, removed] =
            [report.changed_recording_count, report.removed_recording_count].map(|count| group_digits(count as u64));
        writeln!(out, "  {changed} new or changed, {removed} removed")?;
    }
    writeln!(out)?;
    let rows = [report.rows.recordings, report.rows.frames, report.rows.events].into_iter().chain(report.rows.keys);
    let sizes =
        [report.bytes.recordings, report.bytes.frames, report.bytes.events].into_iter().chain(report.bytes.keys);
    let tables = Of::ALL.into_iter().zip(rows.zip(sizes)).map(|(table, (rows, bytes))| TableSize {
        table: table.name(),
        rows,
        bytes,
    });
    write_tables(out, &tables.collect::<Vec<_>>())
}

#[derive(Serialize)]
struct TableSize {
    table: &'static str,
    rows: u64,
    bytes: u64,
}

fn write_tables(out: &mut impl Write, sizes: &[TableSize]) -> io::Result<()> {
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
    takes: usize,
    broken: usize,
    /// Of all recordings that it was made of.
    source_bytes: u64,
    parts: usize,
    tables: Vec<TableSize>,
}

fn run_info(args: &InfoArgs) -> Result<Outcome, Failure> {
    let dataset = Dataset::open(&args.folder)?;
    let size = |table: Of| {
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
        takes: dataset.takes().count(),
        broken: dataset.takes().filter(|take| take.error.is_some()).count(),
        source_bytes: dataset.takes().filter_map(|take| take.bytes).sum(),
        parts: dataset.partition_count(),
        tables: dataset.tables().into_iter().map(size).collect::<Result<_, Failure>>()?,
    };
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &info)?;
        writeln!(out)?;
    } else {
        write_info(&mut out, &info)?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn write_info(out: &mut impl Write, info: &Info<'_>) -> io::Result<()> {
    let takes = plural(info.takes, "take", "takes");
    let parts = plural(info.parts, "part", "parts");
    writeln!(out, "{}", info.dataset.display())?;
    writeln!(out, "  {takes}, {}, in {parts}; {} broken", bytes(info.source_bytes), group_digits(info.broken as u64))?;
    writeln!(out, "  {} frames a second, tables of version {}\n", info.rate_hz, info.schema_version)?;
    write_tables(out, &info.tables)
}
