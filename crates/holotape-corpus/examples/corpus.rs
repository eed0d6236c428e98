//! Generates a corpus for experiments: `cargo xtask corpus DIR [COUNT]`.
//!
//! Recordings of 8 to 12 s in the folders `p01` to `p20`, like a study of 20 participants. Of each hundred files, one is
//! truncated and one is not a recording. The same count always gives the same files.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use holotape::demo::DemoOptions;
use holotape::{Error, Result};
use rayon::prelude::*;

const PARTICIPANTS: u64 = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, count) = match &args[..] {
        [folder] => (folder, Some(2000)),
        [folder, count] => (folder, count.parse().ok()),
        _ => return usage(),
    };
    let Some(count) = count else { return usage() };
    let written = (0..count).into_par_iter().try_for_each(|number| write_file(Path::new(folder), number));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: corpus DIR [COUNT]\nWrites COUNT recordings (default: 2000) into the folders p01 to p20 of DIR");
    ExitCode::from(2)
}

fn write_file(folder: &Path, number: u64) -> Result<()> {
    let folder = folder.join(format!("p{:02}", number % PARTICIPANTS + 1));
    let path = folder.join(format!("take-{number:05}.bin"));
    let with_path = |error: std::io::Error| Error::from(error).with_path(&path);
    fs::create_dir_all(&folder).map_err(with_path)?;
    fs::write(&path, bytes(number)?).map_err(with_path)
}

/// 8 to 12 s, at typical rates of devices.
fn bytes(number: u64) -> Result<Vec<u8>> {
    if number % 100 == 50 {
        return Ok(format!("recording {number} is on the other disk\n").into_bytes());
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
