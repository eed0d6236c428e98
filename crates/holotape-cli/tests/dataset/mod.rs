//! `holotape dataset`: build, options, interrupt, resume, info.

mod build;
mod killed;
mod lerobot;

use std::fs;
use std::path::{Path, PathBuf};

use holotape::demo::DemoOptions;
use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, text};

/// A study of recordings of 0.1 s, and the folder for its dataset.
fn corpus(count: u64) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempdir().expect("a folder");
    let study = folder.path().join("study");
    for number in 0..count {
        write_recording(&study, number, number % 10);
    }
    let out = folder.path().join("out");
    (folder, study, out)
}

fn write_recording(study: &Path, number: u64, seed: u64) {
    let person = study.join(format!("p{:02}", number % 4 + 1));
    fs::create_dir_all(&person).expect("made");
    let demo = DemoOptions::new().with_seed(seed).with_seconds(0.1).generate().expect("a demo");
    assert!(demo.save(person.join(format!("r-{number:03}.bin"))).expect("saved").is_empty());
}

/// Adds 12 files that are not recordings, two more than are listed.
fn add_broken_recordings(study: &Path) {
    for number in 0..12 {
        fs::write(study.join(format!("junk-{number:02}.bin")), "no recording").expect("written");
    }
}

/// Runs `dataset build` or `dataset lerobot`.
fn run_build(command: &str, study: &Path, out: &Path, options: &[&str]) -> Run {
    Run::new(holotape().args(["dataset", command, text(study), text(out)]).args(options))
}
