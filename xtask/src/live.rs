//! `cargo xtask bench live`: measures the viewer's recording.

use crate::Result;
use crate::run::{cargo, run, target};

/// Records two headsets at once and fails if a frame is lost.
pub fn bench(seconds: &str) -> Result {
    run(cargo().args(["build", "--release", "--package", "holotape-cli"]))?;
    let mut load = cargo();
    // An unoptimized build is sufficient for the sender, which is not measured.
    load.args(["run", "--quiet", "--package", "holotape-viewer", "--example", "live_load", "--"]);
    run(load.arg(target().join("release").join("holotape")).arg(seconds))
}
