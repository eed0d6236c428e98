//! `holotape repair IN OUT`

use std::path::Path;

use clap::Args;
use holotape::Recording;
use holotape::check::{RepairOptions, RepairReport, SalvageOptions, repair, salvage};
use holotape::record::{JOURNAL_MAGIC, Journal};
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::input::{self, Bytes, is_stdio};
use crate::rewrite::{Diagnostics, RewriteArgs, RewriteJob, usage};
use crate::table::group_digits;

/// Mend recordings, or get one back from a recorder's journal
///
/// Rebuilds rotations whose w was lost, puts keys in order, drops what is no number, brings rotations to length 1 and makes
/// their signs agree. Of a file that is cut, everything before the cut is kept. Tells all that it did; the exit code is 3
/// where something could not be saved.
#[derive(Debug, Args)]
#[command(override_usage = usage("repair"))]
pub struct RepairArgs {
    /// Read a file without a header, from before the first release in 2019, as version 1.0
    #[arg(long)]
    headerless: bool,

    /// What was done and what is lost as one JSON object a file and line, on stdout
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

#[derive(Serialize)]
struct RepairJson<'a> {
    file: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<JournalJson>,
    #[serde(flatten)]
    report: &'a RepairReport,
}

#[derive(Clone, Copy, Serialize)]
struct JournalJson {
    frames: u64,
    bytes_dropped: u64,
}

/// What there is before anything is repaired.
#[derive(Default)]
struct RepairInput {
    take: Recording,
    report: RepairReport,
    journal: Option<JournalJson>,
}

pub fn run(args: &RepairArgs) -> Result<Outcome, Failure> {
    args.rewrite.rewrite(|job, diagnostics| {
        let mut found = load_input(args, &job.input, diagnostics)
            .map_err(|failure| failure.with_path(&input::display_path(&job.input)))?;
        found.report.merge(repair(&mut found.take, &RepairOptions::new()));
        print_report(args, job, &found, diagnostics)?;
        Ok(found.take)
    })
}

fn load_input(args: &RepairArgs, path: &Path, diagnostics: &mut Diagnostics) -> Result<RepairInput, Failure> {
    if !is_stdio(path) && Journal::is_at(path) {
        return Ok(from_journal(Journal::open(path)?, diagnostics));
    }
    match input::bytes(path)? {
        Bytes::Bin(bytes) if bytes.starts_with(&JOURNAL_MAGIC) => {
            Ok(from_journal(Journal::from_reader(&bytes[..])?, diagnostics))
        }
        Bytes::Bin(bytes) => {
            let salvaged = salvage(&bytes, &SalvageOptions::new().with_headerless(args.headerless))?;
            Ok(RepairInput { take: salvaged.recording, report: salvaged.report, ..RepairInput::default() })
        }
        Bytes::Json(recording) => Ok(RepairInput { take: *recording, ..RepairInput::default() }),
    }
}

fn from_journal(journal: Journal, diagnostics: &mut Diagnostics) -> RepairInput {
    let Journal { recording, frames, bytes_dropped } = journal;
    if bytes_dropped > 0 {
        diagnostics.loss(format!("{} bytes of the journal, which are no whole frame", group_digits(bytes_dropped)));
    }
    RepairInput { take: recording, journal: Some(JournalJson { frames, bytes_dropped }), ..RepairInput::default() }
}

fn print_report(
    args: &RepairArgs,
    job: &RewriteJob,
    found: &RepairInput,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failure> {
    let RepairInput { report, journal, .. } = found;
    if args.json {
        let [file, output] =
            [input::display_path(&job.input), job.output.clone()].map(|path| path.display().to_string());
        diagnostics.json(&RepairJson { file, output, journal: *journal, report })?;
        if !report.lost.is_empty() {
            diagnostics.mark_lossy();
        }
        return Ok(());
    }
    if let Some(JournalJson { frames, .. }) = journal {
        diagnostics
            .note("done", format!("{} frames from the journal, which can be removed now", group_digits(*frames)));
    } else if report.is_empty() {
        diagnostics.note("done", "nothing to repair");
    }
    report.repaired.iter().for_each(|entry| diagnostics.note("done", entry));
    report.lost.iter().for_each(|entry| diagnostics.loss(entry));
    Ok(())
}
