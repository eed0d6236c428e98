//! `holotape convert IN OUT`

mod args;
#[cfg(feature = "formats")]
mod into_table;
#[cfg(feature = "formats")]
mod loss_summary;

use std::io::Write;
use std::path::Path;

use holotape::{Recording, Summary, WindowedRecording};
use holotape_convert::compression::Compression;
use holotape_convert::table::TableKind;
use holotape_convert::{FileFormat, Losses, OpenOptions, Space};

use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output::{self, OutputFormat};
use crate::rewrite::{Diagnostics, RewriteJob};
pub use args::ConvertArgs;
use args::writable_formats;

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if let Some(table) = &args.into {
        #[cfg(feature = "formats")]
        return into_table::convert_into_table(args, table);
        #[cfg(not(feature = "formats"))]
        return Err(args.table_format(table)?.file_format.missing_feature().into());
    }
    // With --out-dir, .bin stays .bin, and .json.gz stays .json.gz.
    let format_of_input =
        |input: &Path| args.to.or_else(|| OutputFormat::native_from_path(input)).unwrap_or(OutputFormat::BIN);
    let convert = |job: &RewriteJob, diagnostics: &mut Diagnostics| {
        convert(args, job, diagnostics).map_err(|failure| failure.with_rate("--rate", args.rate))
    };
    args.rewrite.each(|output| args.output_format(output), format_of_input, convert)
}

fn convert(args: &ConvertArgs, job: &RewriteJob, diagnostics: &mut Diagnostics) -> Result<(), Failure> {
    let OutputFormat { file_format, compression } = job.format;
    args.check_options_for(file_format)?;
    if !file_format.is_enabled() {
        return Err(file_format.missing_feature().into());
    }
    let complete;
    let (recording, mut losses) = match args.open_windowed(&job.input, file_format)? {
        Some(recording) => (recording, Losses::default()),
        None => {
            let (recording, losses) = args.read(&job.input)?;
            complete = recording;
            (WindowedRecording::new(&complete), losses)
        }
    };
    if !matches!(file_format, FileFormat::Bin | FileFormat::Json) {
        warn_lost_rotations(recording.outline(), diagnostics);
    }
    let source = job.input.file_name().filter(|_| !is_stdio(&job.input));
    let options = args.options().with_source(source.map(|name| name.to_string_lossy().into_owned()));
    let force = args.rewrite.write.force;
    let write = |out: &mut (dyn Write + Send)| {
        compression.write(out, |out| options.write_windowed(&recording, file_format, out))
    };
    if args.strict {
        // Write to memory first: the losses are known only after writing.
        let mut bytes = Vec::new();
        losses.extend(write(&mut bytes)?);
        if !losses.is_empty() {
            return Err(Failure::LossesForbidden(losses));
        }
        output::write(&job.output, force, |out| Ok(out.write_all(&bytes)?))?;
    } else {
        losses.extend(output::write(&job.output, force, write)?);
    }
    losses.iter().for_each(|loss| diagnostics.loss(loss));
    Ok(())
}

/// Other formats cannot tell lost rotations from real ones, so warn before they are written.
fn warn_lost_rotations(recording: &Recording, diagnostics: &mut Diagnostics) {
    let count = Summary::from_recording(recording).lost_w_count();
    if count > 0 {
        let message =
            format!("{count} poses have lost rotation w, a bug of MRTK 2.6.0 to 2.7.2; run `holotape repair` first");
        diagnostics.note("warning", message);
    }
}

impl ConvertArgs {
    fn output_format(&self, output: &Path) -> Result<OutputFormat, Failure> {
        if let Some(OutputFormat { file_format, compression }) = self.to {
            let by_name = Compression::from_path(output);
            return Ok(OutputFormat {
                file_format,
                compression: if by_name.is_compressed() { by_name } else { compression },
            });
        }
        if is_stdio(output) {
            return Err(Failure::Usage("standard output has no extension; add --to FORMAT".to_owned()));
        }
        OutputFormat::from_path(output).ok_or_else(|| {
            let known: Vec<_> = writable_formats().map(|known| format!(".{}", known.extension())).collect();
            let known = known.join(" ");
            Failure::Usage(format!("{}: unknown extension, none of {known}; add --to FORMAT", output.display()))
        })
    }

    /// The format of the table of `--into`.
    fn table_format(&self, table: &Path) -> Result<OutputFormat, Failure> {
        let format = self.output_format(table)?;
        self.check_options_for(format.file_format)?;
        if !matches!(format.file_format, FileFormat::Csv | FileFormat::Parquet | FileFormat::Arrow) {
            let actual = format.file_format.name_with_article();
            return Err(Failure::Usage(format!("--into needs a .parquet, .arrow or .csv file, not {actual}")));
        }
        Ok(format)
    }

    /// Fails if an option has no effect on the output format.
    fn check_options_for(&self, file_format: FileFormat) -> Result<(), Failure> {
        let Some(name) = self.options().unused_option(file_format) else { return Ok(()) };
        let option = match name {
            "marker_list" if self.no_marker_list => "no-marker-list".to_owned(),
            name => name.replace('_', "-"),
        };
        let target = match name {
            "rate" if self.table == Some(TableKind::Keys) => "--table keys".to_owned(),
            _ => file_format.name_with_article(),
        };
        Err(Failure::Usage(format!("--{option} has no effect on {target}; remove it")))
    }

    /// Opens a large file whose keys are then read in windows; `None` if the format needs all of them.
    fn open_windowed(
        &self,
        input: &Path,
        file_format: FileFormat,
    ) -> Result<Option<WindowedRecording<'static>>, Failure> {
        let has_frames = self.options().samples_in_windows(file_format);
        // `--from-space` is an error for a `.bin`.
        if !has_frames || is_stdio(input) || self.from_space.is_some() {
            return Ok(None);
        }
        Ok(OpenOptions::new().open_windowed(input)?)
    }

    fn read(&self, input: &Path) -> Result<(Recording, Losses), Failure> {
        let options = OpenOptions::new().with_table_space(self.from_space.unwrap_or(Space::Unity));
        let opened = input::open_any(input, &options)?;
        if self.from_space.is_some() && !matches!(opened.file_format, FileFormat::Csv | FileFormat::Parquet) {
            let format = opened.file_format.name_with_article();
            return Err(Failure::Usage(format!("--from-space has no effect on {format}; remove it")));
        }
        let mut recording = opened.recording;
        recording.format = self.options().format(recording.format).map_err(|_| {
            let message = "version 1.0 supports only full keys; add --version 1.1 or --key-layout full";
            Failure::Usage(message.to_owned())
        })?;
        Ok((recording, opened.losses))
    }
}
