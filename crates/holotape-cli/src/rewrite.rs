//! Shared code of commands that read recordings, change them and write them: one file, or many into a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::Recording;
use holotape_convert::{FileFormat, WriteOptions};
use serde::Serialize;

use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output::{self, OutputFormat};

#[derive(Debug, Args)]
pub struct RewriteArgs {
    /// Recording to read and file to write; - for standard input or output. With --out-dir: any number of recordings to
    /// read
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write each recording to this folder, under the name of its input
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub write: WriteArgs,

    #[command(flatten)]
    pub jobs_args: JobsArgs,
}

/// Arguments of commands that write a file.
#[derive(Debug, Args)]
pub struct WriteArgs {
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// Returns the usage of a command with [`RewriteArgs`].
pub fn usage(command: &str) -> String {
    format!("holotape {command} [OPTIONS] IN OUT\n       holotape {command} [OPTIONS] --out-dir DIR IN...")
}

/// Messages about one rewritten recording, printed once it is written.
#[derive(Default)]
pub struct Diagnostics {
    notes: Vec<(&'static str, String)>,
    json: Option<Vec<u8>>,
    outcome: Outcome,
}

impl Diagnostics {
    /// Adds a line for stderr: `label: message`.
    pub fn note(&mut self, label: &'static str, message: impl ToString) {
        self.notes.push((label, message.to_string()));
    }

    /// Adds a line about lost data, and sets the exit code to 3.
    pub fn loss(&mut self, message: impl ToString) {
        self.note("lost", message);
        self.mark_lossy();
    }

    /// Sets the exit code to 3, for losses that are reported elsewhere.
    pub fn mark_lossy(&mut self) {
        self.outcome = Outcome::Lossy;
    }

    /// Sets an object for stdout, or for stderr if the recording goes to stdout.
    pub fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        self.json = Some(serde_json::to_vec(object)?);
        Ok(())
    }
}

/// One file to read and one to write.
pub struct RewriteJob {
    pub input: PathBuf,
    pub output: PathBuf,
    pub format: OutputFormat,
}

impl RewriteArgs {
    /// Reads each recording, changes it with `change`, and writes the result.
    pub fn edit(
        &self,
        change: impl Fn(Recording, &mut Diagnostics) -> Result<Recording, Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        self.rewrite(|job, diagnostics| {
            let recording = input::recording(&job.input)?;
            change(recording, diagnostics).map_err(|failure| failure.with_path(&input::display_path(&job.input)))
        })
    }

    /// Makes a recording from each input with `make`, and writes it.
    pub fn rewrite(
        &self,
        make: impl Fn(&RewriteJob, &mut Diagnostics) -> Result<Recording, Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let format_of_input = |input: &Path| OutputFormat::native_from_path(input).unwrap_or(OutputFormat::BIN);
        self.each(output_format, format_of_input, |job, diagnostics| {
            let recording = make(job, diagnostics)?;
            self.write.write(&recording, job, diagnostics)
        })
    }

    /// Runs `work` for each pair of input and output, and prints its diagnostics. The format follows from the output path,
    /// or with `--out-dir` from the input path.
    pub fn each(
        &self,
        format_of_output: impl Fn(&Path) -> Result<OutputFormat, Failure>,
        format_of_input: impl Fn(&Path) -> OutputFormat,
        work: impl Fn(&RewriteJob, &mut Diagnostics) -> Result<(), Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let jobs = self.jobs(format_of_output, format_of_input)?;
        let one = |job: &RewriteJob| -> Result<Diagnostics, Failure> {
            output::check_not_existing(&job.output, self.write.force)?;
            let mut diagnostics = Diagnostics::default();
            work(job, &mut diagnostics)?;
            Ok(diagnostics)
        };
        let mut is_lossy = false;
        let outcome = self.jobs_args.for_each_file(
            &jobs,
            |job| match one(job) {
                Err(failure) if jobs.len() > 1 => Err(failure.with_input(&job.input)),
                result => result,
            },
            |job, diagnostics| {
                is_lossy |= diagnostics.outcome == Outcome::Lossy;
                print_diagnostics(job, diagnostics, jobs.len() == 1)
            },
        )?;
        Ok(if is_lossy { Outcome::Lossy } else { outcome })
    }

    /// Pairs inputs with outputs.
    fn jobs(
        &self,
        format_of_output: impl Fn(&Path) -> Result<OutputFormat, Failure>,
        format_of_input: impl Fn(&Path) -> OutputFormat,
    ) -> Result<Vec<RewriteJob>, Failure> {
        match (&self.out_dir, &self.files[..]) {
            (Some(folder), inputs) => {
                let outputs = output::output_paths(folder, inputs, |input| format_of_input(input).extension())?;
                let job = |(input, output): (&PathBuf, PathBuf)| RewriteJob {
                    input: input.clone(),
                    output,
                    format: format_of_input(input),
                };
                Ok(inputs.iter().zip(outputs).map(job).collect())
            }
            (None, [input, output]) => {
                let format = format_of_output(output)?;
                Ok(vec![RewriteJob { input: input.clone(), output: output.clone(), format }])
            }
            (None, [_]) => Err(Failure::Usage("missing output: add a file to write, or --out-dir DIR".to_owned())),
            (None, _) => Err(Failure::Usage("more than one input: add --out-dir DIR".to_owned())),
        }
    }
}

/// Returns the format for the extension of an output file; `.bin` for standard output.
pub fn output_format(output: &Path) -> Result<OutputFormat, Failure> {
    let format = if is_stdio(output) { Some(OutputFormat::BIN) } else { OutputFormat::native_from_path(output) };
    format.ok_or_else(|| match FileFormat::from_path(output) {
        Some(_) => Failure::Usage(format!(
            "{}: this command writes .bin and .json only; use `holotape convert` on the result",
            output.display()
        )),
        None => Failure::Usage(format!("{}: unknown extension; use .bin or .json", output.display())),
    })
}

impl WriteArgs {
    /// Writes one recording that `make` returns.
    pub fn write_new(
        &self,
        output: &Path,
        make: impl FnOnce(&mut Diagnostics) -> Result<Recording, Failure>,
    ) -> Result<Outcome, Failure> {
        let job = RewriteJob { input: output.to_owned(), output: output.to_owned(), format: output_format(output)? };
        output::check_not_existing(output, self.force)?;
        let mut diagnostics = Diagnostics::default();
        let recording = make(&mut diagnostics)?;
        self.write(&recording, &job, &mut diagnostics)?;
        let outcome = diagnostics.outcome;
        print_diagnostics(&job, diagnostics, true)?;
        Ok(outcome)
    }

    fn write(&self, recording: &Recording, job: &RewriteJob, diagnostics: &mut Diagnostics) -> Result<(), Failure> {
        let OutputFormat { file_format, compression } = job.format;
        let losses = output::write(&job.output, self.force, |out| {
            compression.write(out, |out| WriteOptions::new().write(recording, file_format, out))
        })?;
        losses.iter().for_each(|loss| diagnostics.loss(loss));
        Ok(())
    }
}

fn print_diagnostics(job: &RewriteJob, diagnostics: Diagnostics, is_only: bool) -> Result<(), Failure> {
    for (label, message) in diagnostics.notes {
        let name = if is_only { String::new() } else { format!("{}: ", job.input.display()) };
        output::print_labelled(label, &format_args!("{name}{message}"));
    }
    let Some(mut line) = diagnostics.json else { return Ok(()) };
    line.push(b'\n');
    if is_stdio(&job.output) {
        anstream::stderr().write_all(&line).ok();
        return Ok(());
    }
    let mut out = output::data_stdout();
    out.write_all(&line)?;
    Ok(out.flush()?)
}
