//! `cargo xtask corpus`: generates a corpus of demo recordings.

use std::env;

use crate::Result;
use crate::run::{cargo, run};

pub fn generate(folder: &str, count: &str) -> Result {
    // Relative to the current folder, not to the workspace.
    let folder = env::current_dir().map_err(|error| error.to_string())?.join(folder);
    let example = ["run", "--quiet", "--release", "--package", "holotape-corpus", "--example", "corpus", "--"];
    run(cargo().args(example).arg(folder).arg(count))
}
