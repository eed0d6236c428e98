//! `cargo xtask test`: everything that must hold before a change lands.

use std::process::Command;
use std::time::Instant;

use crate::Result;
use crate::consumers;
use crate::python;
use crate::run;
use crate::tools;
use crate::web;
use crate::webxr;

fn run_steps(steps: &mut [(&str, Command)]) -> Result {
    for (name, command) in steps {
        println!("\n== {name}");
        let start = Instant::now();
        run::run(command).map_err(|error| format!("{name}: {error}"))?;
        println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// All of it; the quick way leaves out what asks other people's programs.
pub fn run(quick: bool) -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    if quick {
        web::install_node()?;
    } else {
        consumers::install()?;
        web::install()?;
        webxr::install()?;
        python::install()?;
    }
    run_steps(&mut [
        ("format", args(&["fmt", "--all", "--check"])),
        ("format of the fuzz targets", fuzz(&["fmt"], &["--check"])),
        ("lints", args(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])),
        ("lints without features", args(&["clippy", "--package", "holotape", "--all-targets", "--", "-D", "warnings"])),
        (
            "lints without the viewer",
            args(&["clippy", "--package", "holotape-cli", "--no-default-features", "--", "-D", "warnings"]),
        ),
        ("lints of the fuzz targets", fuzz(&["clippy"], &["--", "-D", "warnings"])),
        ("tests", tests(quick)),
        (
            "tests without features",
            args(&["test", "--package", "holotape", "--test", "golden", "--test", "roundtrip", "--test", "sample"]),
        ),
        ("documentation", documentation()),
    ])?;
    if quick {
        println!("\nall passed, but the programs that people open our files with were not asked: leave out --quick");
        return Ok(());
    }
    run_steps(&mut web::steps())?;
    run_steps(&mut webxr::steps())?;
    run_steps(&mut python::steps()?)?;
    println!("\nall passed");
    Ok(())
}

/// The viewer's page alone.
pub fn run_web() -> Result {
    web::install()?;
    run_steps(&mut web::steps())
}

/// The WebXR package alone.
pub fn run_webxr() -> Result {
    webxr::install()?;
    run_steps(&mut webxr::steps())
}

/// The Python package alone.
pub fn run_python() -> Result {
    python::install()?;
    run_steps(&mut python::steps()?)
}

fn args(args: &[&str]) -> Command {
    let mut command = run::cargo();
    command.args(args);
    command
}

/// All tests in one run, those of `consumers/` too: by themselves, they would have everything compiled again.
fn tests(quick: bool) -> Command {
    let mut command = args(&["test", "--workspace", "--all-features"]);
    if quick {
        command.args(["--exclude", "holotape-consumers"]);
    }
    command
}

fn fuzz(first: &[&str], last: &[&str]) -> Command {
    let mut command = args(first);
    command.args(["--manifest-path", "fuzz/Cargo.toml"]).args(last);
    command
}

fn documentation() -> Command {
    let mut command = args(&["doc", "--workspace", "--no-deps", "--all-features"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}
