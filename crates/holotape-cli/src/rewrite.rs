//! Commands that read recordings, change them and write them: one file into another, or many into a folder.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::Recording;
use holotape_convert::Kind;
use serde::Serialize;

use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output::{self, FileKind};

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
    pub at_once: JobsArgs,
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
pub struct Said {
    notes: Vec<(&'static str, String)>,
    json: Option<Vec<u8>>,
    outcome: Outcome,
}

impl Said {
    /// Words for stderr, behind a label.
    pub fn note(&mut self, label: &'static str, words: impl ToString) {
        self.notes.push((label, words.to_string()));
    }

    /// Words for stderr about something that is gone for good.
    pub fn loss(&mut self, words: impl ToString) {
        self.note("lost", words);
        self.is_lossy();
    }

    /// Something is gone for good, and that is told elsewhere.
    pub fn is_lossy(&mut self) {
        self.outcome = Outcome::Lossy;
    }

    /// One object for stdout; for stderr if the recording itself goes to stdout.
    pub fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        self.json = Some(serde_json::to_vec(object)?);
        Ok(())
    }
}

/// One file to read and one to write.
pub struct Job<K = FileKind> {
    pub input: PathBuf,
    pub output: PathBuf,
    pub kind: K,
}

/// What sort of file an output is to be.
pub struct Kinds<O, I, E> {
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
        change: impl Fn(&mut Recording, &mut Said) -> Result<(), Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        self.rewrite(|job, said| {
            let mut take = input::recording(&job.input)?;
            change(&mut take, said).map_err(|failure| failure.with_path(&input::shown(&job.input)))?;
            Ok(take)
        })
    }

    /// Makes a recording of each file and writes it.
    pub fn rewrite(
        &self,
        make: impl Fn(&Job, &mut Said) -> Result<Recording, Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let kinds = Kinds {
            of_output: kind_of,
            of_input: |input: &Path| FileKind::of(input).unwrap_or(FileKind::Bin),
            extension: FileKind::extension,
        };
        self.each(&kinds, |job, said| {
            let take = make(job, said)?;
            self.write.write(&take, job, said)
        })
    }

    /// Does the work for each file to read and file to write, and tells what it has to say.
    pub fn each<K: Copy + Sync>(
        &self,
        kinds: &Kinds<impl Fn(&Path) -> Result<K, Failure>, impl Fn(&Path) -> K, impl Fn(K) -> &'static str>,
        work: impl Fn(&Job<K>, &mut Said) -> Result<(), Failure> + Sync,
    ) -> Result<Outcome, Failure> {
        let jobs = self.jobs(kinds)?;
        let one = |job: &Job<K>| -> Result<Said, Failure> {
            output::refuse_existing(&job.output, self.write.force)?;
            let mut said = Said::default();
            work(job, &mut said)?;
            Ok(said)
        };
        let mut is_lossy = false;
        let outcome = self.at_once.for_each_file(
            &jobs,
            |job| match one(job) {
                Err(failure) if jobs.len() > 1 => Err(failure.in_file(&job.input)),
                result => result,
            },
            |job, said| {
                is_lossy |= said.outcome == Outcome::Lossy;
                tell(job, said, jobs.len() == 1)
            },
        )?;
        Ok(if is_lossy { Outcome::Lossy } else { outcome })
    }

    /// What to read and what to write.
    fn jobs<K: Copy>(
        &self,
        kinds: &Kinds<impl Fn(&Path) -> Result<K, Failure>, impl Fn(&Path) -> K, impl Fn(K) -> &'static str>,
    ) -> Result<Vec<Job<K>>, Failure> {
        match (&self.out_dir, &self.files[..]) {
            (Some(folder), inputs) => {
                let extension = |input: &Path| (kinds.extension)((kinds.of_input)(input));
                let outputs = output::places_in(folder, inputs, extension)?;
                let job = |(input, output): (&PathBuf, PathBuf)| Job {
                    input: input.clone(),
                    output,
                    kind: (kinds.of_input)(input),
                };
                Ok(inputs.iter().zip(outputs).map(job).collect())
            }
            (None, [input, output]) => {
                let kind = (kinds.of_output)(output)?;
                Ok(vec![Job { input: input.clone(), output: output.clone(), kind }])
            }
            (None, [_]) => Err(Failure::Usage("a file to write is missing, or --out-dir DIR".to_owned())),
            (None, _) => Err(Failure::Usage("more than one file to read: they need --out-dir DIR".to_owned())),
        }
    }
}

/// What to write by the name of the file. What goes to standard output is for another program.
fn kind_of(output: &Path) -> Result<FileKind, Failure> {
    let kind = if is_dash(output) { Some(FileKind::Bin) } else { FileKind::of(output) };
    kind.ok_or_else(|| match Kind::of_path(output) {
        Some(_) => Failure::Usage(format!("{}: write a .bin or .json, and then `holotape convert`", output.display())),
        None => Failure::Usage(format!("{}: neither .bin nor .json", output.display())),
    })
}

impl WriteArgs {
    /// Makes one recording of several files, or of none, and writes it.
    pub fn make(
        &self,
        output: &Path,
        make: impl FnOnce(&mut Said) -> Result<Recording, Failure>,
    ) -> Result<Outcome, Failure> {
        let job = Job { input: output.to_owned(), output: output.to_owned(), kind: kind_of(output)? };
        output::refuse_existing(output, self.force)?;
        let mut said = Said::default();
        let take = make(&mut said)?;
        self.write(&take, &job, &mut said)?;
        let outcome = said.outcome;
        tell(&job, said, true)?;
        Ok(outcome)
    }

    fn write(&self, take: &Recording, job: &Job, said: &mut Said) -> Result<(), Failure> {
        match job.kind {
            // The document keeps everything, also what a file of that format could not hold.
            FileKind::Json => output::write(&job.output, self.force, |out| take.write_json_to(out))?,
            FileKind::Bin => {
                let losses = output::write(&job.output, self.force, |out| take.write_to(out))?;
                losses.iter().for_each(|loss| said.loss(loss));
            }
        }
        Ok(())
    }
}

fn tell<K>(job: &Job<K>, said: Said, is_only: bool) -> Result<(), Failure> {
    for (label, words) in said.notes {
        let name = if is_only { String::new() } else { format!("{}: ", job.input.display()) };
        output::report(label, &format_args!("{name}{words}"));
    }
    let Some(mut line) = said.json else { return Ok(()) };
    line.push(b'\n');
    if is_dash(&job.output) {
        anstream::stderr().write_all(&line).ok();
        return Ok(());
    }
    let mut out = output::data_stdout();
    out.write_all(&line)?;
    Ok(out.flush()?)
}
