//! `holotape demo [OUT]`

use std::io::Write;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{ErrorKind, Summary};

use super::info;
use crate::args::DemoArgs;
use crate::failure::{Failure, Outcome};
use crate::input::is_dash;
use crate::output;

pub fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    let options = DemoOptions::new().with_seed(args.seed).with_seconds(args.seconds).with_rate_hz(args.rate);
    let take = options.record().map_err(|error| match error.kind() {
        ErrorKind::Invalid | ErrorKind::LimitExceeded => Failure::Usage(error.to_string()),
        _ => error.into(),
    })?;
    let (bytes, losses) = take.to_vec()?;
    debug_assert!(losses.is_empty(), "made in the format it is written in");
    // The same demo again is no reason to complain about the file.
    if args.force || !is_there_already(&args.output, &bytes) {
        output::write(&args.output, args.force, |out| Ok(out.write_all(&bytes)?))?;
    }
    let summary = Summary::of(&take);
    if is_dash(&args.output) {
        info::show(&mut anstream::stderr(), "demo", Some(bytes.len() as u64), &summary)?;
        return Ok(Outcome::Done);
    }
    let mut out = output::stdout();
    let name = args.output.display();
    info::show(&mut out, &name.to_string(), Some(bytes.len() as u64), &summary)?;
    let json = args.output.with_extension("json");
    writeln!(out, "\nNext, everything at one time, or the whole as text:")?;
    writeln!(out, "  holotape sample {name} --at 1.5")?;
    writeln!(out, "  holotape convert {name} {}", json.display())?;
    out.flush()?;
    Ok(Outcome::Done)
}

fn is_there_already(path: &Path, bytes: &[u8]) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
        && std::fs::read(path).is_ok_and(|found| found == bytes)
}
