//! `cargo xtask test`: all checks that must pass before a change is merged.

use std::process::Command;
use std::time::Instant;

use crate::Result;
use crate::interop_tests;
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

/// Runs all checks; `quick` skips the tests with other programs.
pub fn run(quick: bool) -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    if quick {
        web::install_node()?;
    } else {
        interop_tests::install()?;
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
        println!("\nall passed; tests with other programs were skipped (run without --quick to include them)");
        return Ok(());
    }
    run_steps(&mut web::steps())?;
    run_steps(&mut webxr::steps())?;
    run_steps(&mut python::steps()?)?;
    if cfg!(target_os = "linux") {
        run_steps(&mut [python::openxr_step()])?;
    }
    println!("\nall passed");
    Ok(())
}

/// Tests only the viewer's page.
pub fn run_web() -> Result {
    web::install()?;
    run_steps(&mut web::steps())
}

/// Tests only the WebXR package.
pub fn run_webxr() -> Result {
    webxr::install()?;
    run_steps(&mut webxr::steps())
}

/// Tests only the Python package.
pub fn run_python() -> Result {
    python::install()?;
    run_steps(&mut python::steps()?)
}

fn args(args: &[&str]) -> Command {
    let mut command = run::cargo();
    command.args(args);
    command
}

/// All tests in one run, including `interop-tests/`: a separate run would recompile everything.
fn tests(quick: bool) -> Command {
    let mut command = args(&["test", "--workspace", "--all-features"]);
    if quick {
        command.args(["--exclude", "holotape-interop-tests"]);
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
