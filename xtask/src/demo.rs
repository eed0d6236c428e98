//! `cargo xtask demo`: installs the build tools, builds `holotape` and runs `holotape demo`.

use crate::Result;
use crate::run::{cargo, run};
use crate::{tools, web};

pub fn run_demo(args: &[&str]) -> Result {
    tools::cpp_compiler()?;
    web::install_node()?;
    run(cargo().args(["run", "--release", "--package", "holotape-cli", "--", "demo"]).args(args))
}
