//! `holotape check FILE…`

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use holotape::check::{CheckOptions, Finding, Severity, check, check_slice};
use serde::Serialize;

use crate::args::parse_positive;
use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, Bytes};
use crate::output;
use crate::table::{escape_for_terminal, plural};

/// Say what is wrong with recordings, and what to do about it
///
/// Finds what the programs that write these files got wrong (lost rotations, lost ends, changes of sign, files that are
/// cut), and what tracking gets wrong (jumps, bones of impossible length, joints that are missing). The exit code is 1
/// where something is an error.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Warnings give exit code 1, too
    #[arg(long)]
    strict: bool,

    /// The fastest that anything may move
    #[arg(long, value_name = "M_PER_SEC", default_value_t = 20.0, value_parser = parse_positive)]
    max_speed: f64,

    /// How far the length of a bone may be from what it mostly is, as a share of that
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_positive)]
    max_bone_change: f64,

    #[command(flatten)]
    look: InputArgs,
}

#[derive(Serialize)]
struct CheckJson<'a> {
    file: &'a str,
    errors: usize,
    warnings: usize,
    notes: usize,
    findings: &'a [Finding],
}

pub fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let options =
        CheckOptions::new().with_max_speed_m_per_sec(args.max_speed).with_max_bone_change(args.max_bone_change);
    let worst_allowed = if args.strict { Severity::Note } else { Severity::Warning };
    let mut is_bad = false;
    let outcome = args.look.each_file(
        |path| findings(path, &options),
        |path, findings| {
            is_bad |= findings.iter().any(|finding| finding.severity > worst_allowed);
            let file = input::display_path(path).display().to_string();
            let mut out = output::stdout();
            if args.look.json {
                let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
                let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note].map(count);
                let json = CheckJson { file: &file, errors, warnings, notes, findings: &findings };
                serde_json::to_writer(&mut out, &json)?;
                writeln!(out)?;
            } else {
                show(&mut out, &file, &findings)?;
            }
            Ok(out.flush()?)
        },
    )?;
    if is_bad { Err(Failure::AlreadyReported) } else { Ok(outcome) }
}

fn findings(path: &Path, options: &CheckOptions) -> Result<Vec<Finding>, Failure> {
    Ok(match input::bytes(path)? {
        Bytes::Bin(bytes) => check_slice(&bytes, options),
        Bytes::Json(recording) => check(&recording, options),
    })
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn show(out: &mut impl Write, file: &str, findings: &[Finding]) -> io::Result<()> {
    let file = escape_for_terminal(file, usize::MAX);
    if findings.is_empty() {
        return writeln!(out, "{BOLD}{file}{BOLD:#}: nothing found");
    }
    writeln!(out, "{BOLD}{file}{BOLD:#}: {}", plural(findings.len(), "finding", "findings"))?;
    for (index, finding) in findings.iter().enumerate() {
        let colour = match finding.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Note => AnsiColor::Cyan,
        };
        let style = Style::new().bold().fg_color(Some(colour.into()));
        let severity = finding.severity;
        let message = escape_for_terminal(&finding.to_string(), usize::MAX);
        let message = message.strip_prefix(&format!("{severity}: ")).unwrap_or(&message).to_owned();
        writeln!(out, "  {style}{severity:<7}{style:#}  {message}")?;
        // Once for all that is wrong in the same way.
        if findings.get(index + 1).is_none_or(|next| next.kind != finding.kind) {
            writeln!(out, "           {DIM}{}{DIM:#}", finding.advice())?;
        }
    }
    Ok(())
}
