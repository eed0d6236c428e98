//! What it takes the viewer to record.

use crate::Result;
use crate::run::{cargo, run, target};

/// Records two headsets at once, for so long, and fails if a frame is lost.
pub fn bench(seconds: &str) -> Result {
    run(cargo().args(["build", "--release", "--package", "holotape-cli"]))?;
    let mut load = cargo();
    // Not optimised, which would take minutes to build: what sends is not what is measured.
    load.args(["run", "--quiet", "--package", "holotape-viewer", "--example", "live_load", "--"]);
    run(load.arg(target().join("release").join("holotape")).arg(seconds))
}
