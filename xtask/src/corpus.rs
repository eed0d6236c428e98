//! `cargo xtask corpus`: many takes to try things on, by the library's demo.

use std::env;

use crate::Result;
use crate::run::{cargo, run};

pub fn make(folder: &str, count: &str) -> Result {
    // Below the folder that we were called in, not below that of the workspace.
    let folder = env::current_dir().map_err(|error| error.to_string())?.join(folder);
    let example = ["run", "--quiet", "--release", "--package", "holotape-corpus", "--example", "corpus", "--"];
    run(cargo().args(example).arg(folder).arg(count))
}
