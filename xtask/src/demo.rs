//! `cargo xtask demo`: installs the build tools, builds `holotape` and runs `holotape demo`.

use crate::Result;
use crate::run::{cargo, run};
use crate::tools;

/// Without some formats and commands, the build has about 40 % fewer crates.
const PROGRAM: [&str; 7] =
    ["--profile", "demo", "--package", "holotape-cli", "--no-default-features", "--features", "viewer"];

pub fn run_demo(args: &[&str]) -> Result {
    eprintln!("1/3 looking for a C++ compiler, Node and npm");
    tools::cpp_compiler()?;
    tools::node()?;
    eprintln!("2/3 building holotape and the viewer's page without optimization; about two minutes on two cores");
    run(cargo().arg("build").args(PROGRAM))?;
    eprintln!("3/3 writing a recording of synthetic motion, and a page that plays it");
    run(cargo().args(["run", "--quiet"]).args(PROGRAM).args(["--", "demo"]).args(args))?;
    eprintln!(
        "\nThis build has no tables (CSV, Parquet, Arrow), MCAP, HDF5, plots and datasets.\n\
         To install an optimized holotape with all formats and commands: cargo install --path crates/holotape-cli"
    );
    Ok(())
}
