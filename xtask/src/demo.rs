//! `cargo xtask demo`: the tool, built with what that takes, on built-in data.

use crate::Result;
use crate::run::{cargo, run};
use crate::{tools, web};

pub fn run_demo(args: &[&str]) -> Result {
    tools::cpp_compiler()?;
    web::install_node()?;
    run(cargo().args(["run", "--release", "--package", "holotape-cli", "--", "demo"]).args(args))
}
