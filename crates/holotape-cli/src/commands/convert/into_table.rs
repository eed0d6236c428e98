//! `holotape convert --into TABLE IN…`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use holotape_convert::combined_table::{CombinedTableRows, CombinedTableWriter};
use holotape_convert::table::TableOptions;

use super::ConvertArgs;
use super::loss_summary::LossSummary;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output::{self, OutputFormat};

/// Writes all recordings into one table.
pub(super) fn convert_into_table(args: &ConvertArgs, table: &Path) -> Result<Outcome, Failure> {
    let OutputFormat { file_format, compression } = args.table_format(table)?;
    let force = args.rewrite.write.force;
    let files = &args.rewrite.files;
    reject_duplicates(files)?;
    output::check_not_existing(table, force)?;
    let options = args.options().table_options();
    let mut summary = LossSummary::default();
    let mut has_rows = false;
    let jobs = &args.rewrite.jobs_args;
    let write = || {
        output::try_write(table, force, |out| {
            let mut out = compression.writer(out)?;
            let mut writer = CombinedTableWriter::create(file_format, &options, &mut out)?;
            let outcome = jobs.for_each_file(
                files,
                |file| {
                    read_rows(args, file, &options)
                        .map_err(|failure| failure.with_rate("--rate", args.rate).with_input(file))
                },
                |file, rows| {
                    summary.add(file, &rows.losses);
                    if args.strict && !rows.losses.is_empty() {
                        return Err(Failure::LossesForbidden(rows.losses).with_input(file));
                    }
                    has_rows = true;
                    Ok(writer.push(rows)?)
                },
            );
            match outcome {
                // Unreadable files have been reported; keep the rows of the others.
                Err(Failure::AlreadyReported) if has_rows && !args.strict => writer.finish()?,
                Ok(_) => writer.finish()?,
                Err(failure) => return Err(failure),
            }
            out.finish()?;
            Ok(outcome)
        })
    };
    // The writer formats and compresses in parallel, too.
    let outcome = jobs.limit_threads(write)?;
    let is_lossy = summary.print(files.len());
    outcome.map(|outcome| if is_lossy { Outcome::Lossy } else { outcome })
}

/// Fails if a file is given twice: its rows would count twice in every sum.
fn reject_duplicates(files: &[PathBuf]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    for file in files {
        // A missing file is reported later, when it is opened.
        if !seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
            return Err(Failure::Usage(format!("{}: given twice; remove one", file.display())));
        }
    }
    Ok(())
}

fn read_rows(args: &ConvertArgs, file: &Path, options: &TableOptions) -> Result<CombinedTableRows, Failure> {
    let (recording, mut losses) = args.read(file)?;
    // Use the same separator on all systems.
    let name = input::display_path(file).display().to_string().replace('\\', "/");
    let mut rows = CombinedTableRows::new(&name, &recording, options)?;
    losses.extend(std::mem::take(&mut rows.losses));
    rows.losses = losses;
    Ok(rows)
}
