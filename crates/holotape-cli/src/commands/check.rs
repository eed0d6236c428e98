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

/// Report problems in recordings, with advice
///
/// Finds problems caused by the program that wrote the file (lost rotations, missing ends, quaternion sign flips,
/// truncated files) and by tracking (position jumps, bones of impossible length, missing joints). The exit code is 1 if
/// there is an error.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Exit with code 1 for warnings, too
    #[arg(long)]
    strict: bool,

    /// Report steps of more than 0.1 m that are faster than this
    #[arg(long, value_name = "M_PER_SEC", default_value_t = 20.0, value_parser = parse_positive)]
    max_speed: f64,

    /// Report bones whose length differs from its median by more than this fraction
    #[arg(long, value_name = "FRACTION", default_value_t = 0.5, value_parser = parse_positive)]
    max_bone_change: f64,

    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct CheckJson<'a> {
    file: &'a str,
    error_count: usize,
    warning_count: usize,
    note_count: usize,
    findings: &'a [Finding],
}

pub fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let options =
        CheckOptions::new().with_max_speed_m_per_sec(args.max_speed).with_max_bone_change(args.max_bone_change);
    let max_allowed = if args.strict { Severity::Note } else { Severity::Warning };
    let mut is_bad = false;
    let outcome = args.input.each_file(
        |path| findings(path, &options),
        |out, file, findings| {
            is_bad |= findings.iter().any(|finding| finding.severity > max_allowed);
            if !args.input.json {
                return Ok(show(out, file, &findings)?);
            }
            let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
            let json = CheckJson {
                file,
                error_count: count(Severity::Error),
                warning_count: count(Severity::Warning),
                note_count: count(Severity::Note),
                findings: &findings,
            };
            Ok(output::write_json(out, &json)?)
        },
    )?;
    if is_bad { Err(Failure::AlreadyReported) } else { Ok(outcome) }
}

fn findings(path: &Path, options: &CheckOptions) -> Result<Vec<Finding>, Failure> {
    if let Some(recording) = input::intact(path) {
        return Ok(check(&recording, options));
    }
    Ok(match input::bytes(path)? {
        Bytes::Bin { damage: Some((error, _)), .. } => {
            return Err(Failure::from(error).with_path(&input::display_path(path)));
        }
        Bytes::Bin { bytes, damage: None } => check_slice(&bytes, options),
        Bytes::Json(recording) => check(&recording, options),
    })
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn show(out: &mut dyn Write, file: &str, findings: &[Finding]) -> io::Result<()> {
    let file = escape_for_terminal(file, usize::MAX);
    if findings.is_empty() {
        return writeln!(out, "{BOLD}{file}{BOLD:#}: no findings");
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
        // Print the advice once per kind of finding.
        if findings.get(index + 1).is_none_or(|next| next.kind != finding.kind) {
            writeln!(out, "           {DIM}{}{DIM:#}", finding.advice())?;
        }
    }
    Ok(())
}
