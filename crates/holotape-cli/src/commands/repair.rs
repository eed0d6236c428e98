//! `holotape repair IN OUT`

use std::path::Path;

use clap::Args;
use holotape::Recording;
use holotape::check::{FindingKind, RepairOptions, RepairReport, SalvageOptions, repair, salvage};
use holotape::record::Journal;
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::input::{self, Bytes, is_stdio};
use crate::rewrite::{Diagnostics, RewriteArgs, RewriteJob, usage};
use crate::table::{group_digits, plural};

/// Repair recordings, or recover one from a recorder's journal
///
/// Rebuilds lost rotation w, sorts keys, drops non-finite ones, normalizes rotations and directions, and fixes quaternion
/// sign flips. Keeps the contents of a truncated file up to its end, also of a compressed one. Reports all repairs and losses; the exit code is 3
/// if there are losses.
#[derive(Debug, Args)]
#[command(override_usage = usage("repair"))]
pub struct RepairArgs {
    /// Read a file without a header, from before the first MRTK release in 2019, as version 1.0
    #[arg(long)]
    headerless: bool,

    /// Print repairs and losses to stdout, as one JSON object per file and line
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
    frame_count: u64,
    dropped_bytes: u64,
}

/// A recording before its repair, and how it was read.
#[derive(Default)]
struct RepairInput {
    recording: Recording,
    report: RepairReport,
    journal: Option<JournalJson>,
}

pub fn run(args: &RepairArgs) -> Result<Outcome, Failure> {
    args.rewrite.rewrite(|job, diagnostics| {
        let mut input = load_input(args, &job.input, diagnostics)
            .map_err(|failure| failure.with_path(&input::display_path(&job.input)))?;
        let is_headerless = input.report.repaired.iter().any(|entry| entry.kind == FindingKind::Headerless);
        if args.headerless && !is_headerless {
            diagnostics.note("note", "--headerless has no effect: the file has a header");
        }
        input.report.merge(repair(&mut input.recording, &RepairOptions::new()));
        print_report(args, job, &input, diagnostics)?;
        Ok(input.recording)
    })
}

fn load_input(args: &RepairArgs, path: &Path, diagnostics: &mut Diagnostics) -> Result<RepairInput, Failure> {
    if !is_stdio(path) && Journal::is_at(path) {
        return Ok(from_journal(Journal::open(path)?, diagnostics));
    }
    match input::bytes(path)? {
        Bytes::Bin { bytes, .. } if Journal::is_journal(&bytes) => {
            Ok(from_journal(Journal::from_reader(&bytes[..])?, diagnostics))
        }
        Bytes::Bin { bytes, damage } => {
            let mut salvaged = salvage(&bytes, &SalvageOptions::new().with_headerless(args.headerless))?;
            salvaged.report.lost.extend(damage.map(|(_, loss)| loss));
            Ok(RepairInput { recording: salvaged.recording, report: salvaged.report, ..RepairInput::default() })
        }
        Bytes::Json(recording) => Ok(RepairInput { recording: *recording, ..RepairInput::default() }),
    }
}

fn from_journal(journal: Journal, diagnostics: &mut Diagnostics) -> RepairInput {
    let Journal { recording, frame_count, dropped_bytes } = journal;
    if dropped_bytes > 0 {
        diagnostics
            .loss(format!("dropped the last {} bytes of the journal: incomplete frame", group_digits(dropped_bytes)));
    }
    let journal = JournalJson { frame_count, dropped_bytes };
    RepairInput { recording, journal: Some(journal), ..RepairInput::default() }
}

fn print_report(
    args: &RepairArgs,
    job: &RewriteJob,
    input: &RepairInput,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failure> {
    let RepairInput { report, journal, .. } = input;
    if args.json {
        let [file, output] =
            [input::display_path(&job.input), job.output.clone()].map(|path| path.display().to_string());
        diagnostics.json(&RepairJson { file, output, journal: *journal, report })?;
        if !report.lost.is_empty() {
            diagnostics.mark_lossy();
        }
        return Ok(());
    }
    if let Some(JournalJson { frame_count, .. }) = journal {
        let frames = plural(usize::try_from(*frame_count).unwrap_or(usize::MAX), "frame", "frames");
        diagnostics.note("recovered", format!("{frames} from the journal; you can delete it now"));
    } else if report.is_empty() {
        diagnostics.note("note", "nothing to repair");
    }
    report.repaired.iter().for_each(|entry| diagnostics.note("repaired", entry));
    report.lost.iter().for_each(|entry| diagnostics.loss(entry));
    Ok(())
}
