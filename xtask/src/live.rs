//! `cargo xtask bench live` and `cargo xtask bench server`: measure the viewer's server.

use crate::Result;
use crate::run::{cargo, run, target};

/// Records two headsets at once and fails if a frame is lost.
pub fn bench(seconds: &str) -> Result {
    build()?;
    load(seconds, 2, 0, 0)
}

/// Records four headsets while 200 clients watch, and while 700 clients request downloads that they do not read.
pub fn bench_server(seconds: &str) -> Result {
    build()?;
    load(seconds, 4, 200, 0)?;
    load("30", 4, 0, 700)
}

fn build() -> Result {
    run(cargo().args(["build", "--release", "--package", "holotape-cli"]))
}

fn load(seconds: &str, recorders: u32, watchers: u32, stalled: u32) -> Result {
    let mut load = cargo();
    // An unoptimized build is sufficient for the clients, which are not measured.
    load.args(["run", "--quiet", "--package", "holotape-viewer", "--example", "server_load", "--"]);
    load.arg(target().join("release").join("holotape")).arg(seconds);
    run(load.args([recorders, watchers, stalled].map(|count| count.to_string())))
}
