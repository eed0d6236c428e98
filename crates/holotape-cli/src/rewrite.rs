//! Commands that read recordings, change them and write them: one file into another, or many into a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::Recording;
use holotape_convert::FileFormat;
use serde::Serialize;

use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output::{self, NativeFormat};

#[derive(Debug, Args)]
pub struct RewriteArgs {
    /// The recording to read and the file to write, - for standard input or output; with --out-dir any number of
    /// recordings to read
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write each recording into this folder, under its own name
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub write: WriteArgs,

    #[command(flatten)]
    pub jobs_args: JobsArgs,
}

/// How a recording is written.
#[derive(Debug, Args)]
pub struct WriteArgs {
    /// Replace files that are there
    #[arg(long)]
    pub force: bool,
}

/// How to ask for a command that has [`RewriteArgs`].
pub fn usage(command: &str) -> String {
    format!("holotape {command} [OPTIONS] IN OUT\n       holotape {command} [OPTIONS] --out-dir DIR IN...")
}

/// What a command has to say about what it did to a recording.
#[derive(Default)]
pub struct Diagnostics {
    notes: Vec<(&'static str, String)>,
    json: Option<Vec<u8>>,
    outcome: Outcome,
}

impl Diagnostics {
    /// Words for stderr, behind a label.
    pub fn note(&mut self, label: &'static str, message: impl ToString) {
        self.notes.push((label, message.to_string()));
    }

    /// Words for stderr about something that is gone for good.
    pub fn loss(&mut self, message: impl ToString) {
        self.note("lost", message);
        self.mark_lossy();
    }

    /// Something is gone for good, and that is told elsewhere.
    pub fn mark_lossy(&mut self) {
        self.outcome = Outcome::Lossy;
    }

    /// One object for stdout; for stderr if the recording itself goes to stdout.
    pub fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        self.json = Some(serde_json::to_vec(object)?);
        Ok(())
    }
}

/// One file to read and one to write.
pub struct RewriteJob<K = NativeFormat> {
    pub input: PathBuf,
    pub output: PathBuf,
    pub kind: K,
}

/// What sort of file an output is to be.
pub struct OutputFormats<O, I, E> {
    /// By its own name.
    pub of_output: O,
    /// By the name of what is read, where it is written into a folder.
    pub of_input: I,
    /// And how such names end.
    pub extension: E,
}

impl RewriteArgs {
    /// Reads, changes, writes.
    pub fn edit(
        &self,
        change: impl Fn(&mut Recording, &mut Diagnostics) -> Result<(), Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        self.rewrite(|job, diagnostics| {
            let mut recording = input::recording(&job.input)?;
            change(&mut recording, diagnostics)
                .map_err(|failure| failure.with_path(&input::display_path(&job.input)))?;
            Ok(recording)
        })
    }

    /// Makes a recording of each file and writes it.
    pub fn rewrite(
        &self,
        make: impl Fn(&RewriteJob, &mut Diagnostics) -> Result<Recording, Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let kinds = OutputFormats {
            of_output: kind_of,
            of_input: |input: &Path| NativeFormat::of(input).unwrap_or(NativeFormat::Bin),
            extension: NativeFormat::extension,
        };
        self.each(&kinds, |job, diagnostics| {
            let recording = make(job, diagnostics)?;
            self.write.write(&recording, job, diagnostics)
        })
    }

    /// Does the work for each file to read and file to write, and tells what it has to say.
    pub fn each<K: Copy + Sync>(
        &self,
        kinds: &OutputFormats<impl Fn(&Path) -> Result<K, Failure>, impl Fn(&Path) -> K, impl Fn(K) -> &'static str>,
        work: impl Fn(&RewriteJob<K>, &mut Diagnostics) -> Result<(), Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let jobs = self.jobs(kinds)?;
        let one = |job: &RewriteJob<K>| -> Result<Diagnostics, Failure> {
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

    /// What to read and what to write.
    fn jobs<K: Copy>(
        &self,
        kinds: &OutputFormats<impl Fn(&Path) -> Result<K, Failure>, impl Fn(&Path) -> K, impl Fn(K) -> &'static str>,
    ) -> Result<Vec<RewriteJob<K>>, Failure> {
        match (&self.out_dir, &self.files[..]) {
            (Some(folder), inputs) => {
                let extension = |input: &Path| (kinds.extension)((kinds.of_input)(input));
                let outputs = output::output_paths(folder, inputs, extension)?;
                let job = |(input, output): (&PathBuf, PathBuf)| RewriteJob {
                    input: input.clone(),
                    output,
                    kind: (kinds.of_input)(input),
                };
                Ok(inputs.iter().zip(outputs).map(job).collect())
            }
            (None, [input, output]) => {
                let kind = (kinds.of_output)(output)?;
                Ok(vec![RewriteJob { input: input.clone(), output: output.clone(), kind }])
            }
            (None, [_]) => Err(Failure::Usage("a file to write is missing, or --out-dir DIR".to_owned())),
            (None, _) => Err(Failure::Usage("more than one file to read: they need --out-dir DIR".to_owned())),
        }
    }
}

/// What to write by the name of the file. What goes to standard output is for another program.
fn kind_of(output: &Path) -> Result<NativeFormat, Failure> {
    let kind = if is_stdio(output) { Some(NativeFormat::Bin) } else { NativeFormat::of(output) };
    kind.ok_or_else(|| match FileFormat::from_path(output) {
        Some(_) => Failure::Usage(format!("{}: write a .bin or .json, and then `holotape convert`", output.display())),
        None => Failure::Usage(format!("{}: neither .bin nor .json", output.display())),
    })
}

impl WriteArgs {
    /// Makes one recording of several files, or of none, and writes it.
    pub fn write_new(
        &self,
        output: &Path,
        make: impl FnOnce(&mut Diagnostics) -> Result<Recording, Failure>,
    ) -> Result<Outcome, Failure> {
        let job = RewriteJob { input: output.to_owned(), output: output.to_owned(), kind: kind_of(output)? };
        output::check_not_existing(output, self.force)?;
        let mut diagnostics = Diagnostics::default();
        let recording = make(&mut diagnostics)?;
        self.write(&recording, &job, &mut diagnostics)?;
        let outcome = diagnostics.outcome;
        print_diagnostics(&job, diagnostics, true)?;
        Ok(outcome)
    }

    fn write(&self, recording: &Recording, job: &RewriteJob, diagnostics: &mut Diagnostics) -> Result<(), Failure> {
        match job.kind {
            // The document keeps everything, also what a file of that format could not hold.
            NativeFormat::Json => output::write(&job.output, self.force, |out| recording.write_json_to(out))?,
            NativeFormat::Bin => {
                let losses = output::write(&job.output, self.force, |out| recording.write_to(out))?;
                losses.iter().for_each(|loss| diagnostics.loss(loss));
            }
        }
        Ok(())
    }
}

fn print_diagnostics<K>(job: &RewriteJob<K>, diagnostics: Diagnostics, is_only: bool) -> Result<(), Failure> {
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
