//! Crash consistency: the program runs under strace, and every prefix of its changes to files is replayed into a fresh folder,
//! as a killed process or a power failure can leave it. All that is opened there has the old or the new content.
#![cfg(target_os = "linux")]

mod build;
mod dataset;
mod journal;
mod lerobot;
mod save;
mod states;
mod strace;
mod takes;
mod trace;
mod tree;

use std::path::Path;

use tempfile::TempDir;

/// A folder for a traced program, or for a state: in memory if possible, where syncs take no time.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}
