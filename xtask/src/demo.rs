//! `cargo xtask demo`: installs the build tools, builds `holotape` and runs `holotape demo`.

use crate::Result;
use crate::run::{cargo, run};
use crate::{tools, web};

pub fn run_demo(args: &[&str]) -> Result {
    eprintln!("1/3 looking for a C++ compiler, Node and npm");
    tools::cpp_compiler()?;
    web::install_node()?;
    eprintln!("2/3 building holotape and the viewer's page without optimization; about two minutes on two cores");
    run(cargo().args(["build", "--profile", "demo", "--package", "holotape-cli"]))?;
    eprintln!("3/3 writing a recording of synthetic motion, and a page that plays it");
    run(cargo().args(["run", "--quiet", "--profile", "demo", "--package", "holotape-cli", "--", "demo"]).args(args))?;
    eprintln!("\nTo install an optimized holotape: cargo install --path crates/holotape-cli");
    Ok(())
}
