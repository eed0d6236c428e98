//! `holotape repair IN OUT`

use std::path::Path;

use clap::Args;
use holotape::Recording;
use holotape::check::{RepairOptions, RepairReport, SalvageOptions, repair, salvage};
use holotape::record::{JOURNAL_MAGIC, Journal};
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::input::{self, Bytes, is_dash};
use crate::rewrite::{Job, RewriteArgs, Said, usage};
use crate::table::grouped;

/// Mend recordings, or get one back from a recorder's journal
///
/// Rebuilds rotations whose w was lost, puts keys in order, drops what is no number, brings rotations to length 1 and makes
/// their signs agree. Of a file that is cut, everything before the cut is kept. Tells all that it did; the exit code is 3
/// where something could not be saved.
#[derive(Debug, Args)]
#[command(override_usage = usage("repair"))]
pub struct RepairArgs {
    #[command(flatten)]
    rewrite: RewriteArgs,

    /// Read a file without a header, from before the first release in 2019, as version 1.0
    #[arg(long)]
    headerless: bool,

    /// What was done and what is lost as one JSON object a file and line, on stdout
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct RepairJson<'a> {
    file: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal_frames: Option<u64>,
    #[serde(flatten)]
    report: &'a RepairReport,
}

/// What there is before anything is repaired.
#[derive(Default)]
struct Found {
    take: Recording,
    report: RepairReport,
    journal_frames: Option<u64>,
}

pub fn run(args: &RepairArgs) -> Result<Outcome, Failure> {
    args.rewrite.rewrite(|job, said| {
        let mut found = find(args, &job.input, said).map_err(|failure| failure.with_path(&input::shown(&job.input)))?;
        found.report.merge(repair(&mut found.take, &RepairOptions::new()));
        tell(args, job, &found, said)?;
        Ok(found.take)
    })
}

fn find(args: &RepairArgs, path: &Path, said: &mut Said) -> Result<Found, Failure> {
    match input::bytes(path)? {
        Bytes::Bin(bytes) if bytes.starts_with(&JOURNAL_MAGIC) => {
            let journal = if is_dash(path) { Journal::from_reader(&bytes[..]) } else { Journal::open(path) }?;
            if journal.bytes_dropped > 0 {
                let bytes = grouped(journal.bytes_dropped);
                said.loss(format!("{bytes} bytes of the journal, which are no whole frame"));
            }
            Ok(Found { take: journal.recording, journal_frames: Some(journal.frames), ..Found::default() })
        }
        Bytes::Bin(bytes) => {
            let salvaged = salvage(&bytes, &SalvageOptions::new().with_headerless(args.headerless))?;
            Ok(Found { take: salvaged.recording, report: salvaged.report, ..Found::default() })
        }
        Bytes::Json(take) => Ok(Found { take: *take, ..Found::default() }),
    }
}

fn tell(args: &RepairArgs, job: &Job, found: &Found, said: &mut Said) -> Result<(), Failure> {
    let Found { report, journal_frames, .. } = found;
    if args.json {
        let [file, output] = [input::shown(&job.input), job.output.clone()].map(|path| path.display().to_string());
        said.json(&RepairJson { file, output, journal_frames: *journal_frames, report })?;
        if !report.lost.is_empty() {
            said.is_lossy();
        }
        return Ok(());
    }
    if let Some(frames) = journal_frames {
        said.note("done", format!("{} frames from the journal, which can be removed now", grouped(*frames)));
    } else if report.is_empty() {
        said.note("done", "nothing to repair");
    }
    report.done.iter().for_each(|entry| said.note("done", entry));
    report.lost.iter().for_each(|entry| said.loss(entry));
    Ok(())
}
