//! A corpus to try things on: `cargo xtask corpus DIR [COUNT]`.
//!
//! Takes of some ten seconds in the folders `p01` to `p20`, as a study of twenty people might have them. Of each hundred one is cut short, and
//! one is no recording at all. The same count always gives the same files.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use holotape::demo::DemoOptions;
use holotape::{Error, Result};
use rayon::prelude::*;

const PEOPLE: u64 = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, count) = match &args[..] {
        [folder] => (folder, Some(2000)),
        [folder, count] => (folder, count.parse().ok()),
        _ => return usage(),
    };
    let Some(count) = count else { return usage() };
    let made = (0..count).into_par_iter().try_for_each(|number| make(Path::new(folder), number));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("corpus DIR [COUNT]: so many takes (2000) in folders p01 to p20 of DIR");
    ExitCode::from(2)
}

fn make(folder: &Path, number: u64) -> Result<()> {
    let folder = folder.join(format!("p{:02}", number % PEOPLE + 1));
    let path = folder.join(format!("take-{number:05}.bin"));
    let named = |error: std::io::Error| Error::from(error).with_path(&path);
    fs::create_dir_all(&folder).map_err(named)?;
    fs::write(&path, bytes(number)?).map_err(named)
}

/// From eight to twelve seconds, at the rates that devices have.
fn bytes(number: u64) -> Result<Vec<u8>> {
    if number % 100 == 50 {
        return Ok(format!("take {number} is on the other disk\n").into_bytes());
    }
    let seconds = 8.0 + (number * 37 % 41) as f64 / 10.0;
    let rate_hz = [60.0, 60.0, 60.0, 30.0, 72.0][number as usize % 5];
    let recording = DemoOptions::new().with_seed(number).with_seconds(seconds).with_rate_hz(rate_hz).generate()?;
    let (mut bytes, _) = recording.to_vec()?;
    if number % 100 == 99 {
        bytes.truncate(bytes.len() * 2 / 3);
    }
    Ok(bytes)
}
