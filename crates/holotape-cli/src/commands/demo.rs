//! `holotape demo [OUT]`

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::demo::DemoOptions;
use holotape::{ErrorKind, Summary};

use super::info::{self, Subject};
use crate::failure::{Failure, Outcome};
use crate::input::is_dash;
use crate::output::{self, FileKind};

/// Make a recording of synthetic motion and show what is in it
///
/// A head, two hands and a pair of eyes: the hands reach, pinch, point and wave, the head follows, the eyes jump. The
/// same seed gives the same motion.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The file to write, .json for a JSON document; - for standard output
    #[arg(value_name = "OUT", default_value = "demo.bin")]
    output: PathBuf,

    /// Which motion
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How long
    #[arg(long, default_value_t = 12.0, allow_hyphen_values = true)]
    seconds: f64,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0)]
    rate: f64,

    /// Replace OUT if it is there and something else
    #[arg(long)]
    force: bool,
}

pub fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    let options = DemoOptions::new().with_seed(args.seed).with_seconds(args.seconds).with_rate_hz(args.rate);
    let take = options.record().map_err(|error| match error.kind() {
        ErrorKind::Invalid | ErrorKind::LimitExceeded => Failure::Usage(error.to_string()),
        _ => error.into(),
    })?;
    let kind = FileKind::of(&args.output).unwrap_or(FileKind::Bin);
    let mut bytes = Vec::new();
    match kind {
        FileKind::Bin => {
            let losses = take.write_to(&mut bytes)?;
            debug_assert!(losses.is_empty(), "made in the format it is written in");
        }
        FileKind::Json => take.write_json_to(&mut bytes)?,
    }
    // The same demo again is no reason to complain about the file.
    if args.force || !is_there_already(&args.output, &bytes) {
        output::write(&args.output, args.force, |out| Ok(out.write_all(&bytes)?))?;
    }
    let name = if is_dash(&args.output) { "demo".to_owned() } else { args.output.display().to_string() };
    let subject = Subject { name: &name, bytes: Some(bytes.len() as u64), kind };
    if is_dash(&args.output) {
        info::show(&mut anstream::stderr(), &subject, &Summary::of(&take))?;
        return Ok(Outcome::Done);
    }
    let mut out = output::stdout();
    info::show(&mut out, &subject, &Summary::of(&take))?;
    let program = std::env::args().next().unwrap_or_else(|| "holotape".to_owned());
    writeln!(out, "\nNext, everything at one time, or another seed:")?;
    let quote = if name.contains(' ') { "\"" } else { "" };
    writeln!(out, "  {program} sample {quote}{name}{quote} --at {}", args.seconds.min(3.0) / 2.0)?;
    writeln!(out, "  {program} demo other.bin --seed {}", args.seed.wrapping_add(1))?;
    out.flush()?;
    Ok(Outcome::Done)
}

fn is_there_already(path: &Path, bytes: &[u8]) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
        && std::fs::read(path).is_ok_and(|found| found == bytes)
}
