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
use crate::windows;

fn run_steps(steps: &mut [(&str, Command)]) -> Result {
    for (name, command) in steps {
        println!("\n== {name}");
        let start = Instant::now();
        run::run(command).map_err(|error| format!("{name}: {error}"))?;
        println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Runs all checks.
pub fn run() -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    interop_tests::install()?;
    web::install()?;
    webxr::install()?;
    python::install()?;
    tools::cargo_command("deny")?;
    run_steps(&mut [format(), format_of_fuzz_targets(), lints(), dependencies()])?;
    run_steps(&mut [
        ("lints without features", args(&["clippy", "--package", "holotape", "--all-targets", "--", "-D", "warnings"])),
        (
            "lints without the viewer",
            args(&["clippy", "--package", "holotape-cli", "--no-default-features", "--", "-D", "warnings"]),
        ),
        ("lints of the fuzz targets", fuzz(&["clippy"], &["--", "-D", "warnings"])),
        // One run, including `interop-tests/`: a separate run would recompile everything.
        ("tests", args(&["test", "--workspace", "--all-features"])),
        (
            "tests without features",
            args(&["test", "--package", "holotape", "--test", "golden", "--test", "roundtrip", "--test", "sample"]),
        ),
        ("documentation", documentation()),
    ])?;
    run_steps(&mut web::steps())?;
    run_steps(&mut webxr::steps())?;
    run_steps(&mut python::steps()?)?;
    if cfg!(target_os = "linux") {
        run_steps(&mut [python::openxr_step()])?;
    }
    println!("\nall passed");
    Ok(())
}

/// Runs the checks that find most mistakes in a few minutes: format, lints, and the Rust tests that need no other program.
pub fn run_quick() -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    web::install_node()?;
    run_steps(&mut [
        format(),
        format_of_fuzz_targets(),
        lints(),
        ("tests", args(&["test", "--workspace", "--all-features", "--exclude", "holotape-interop-tests"])),
    ])?;
    println!(
        "\nall passed; not run: tests with other programs and of the packages for Python and npm, lints with other features and of \
         the fuzz targets, documentation (run without --quick to include them)"
    );
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

/// Runs only the tests for Windows.
pub fn run_windows() -> Result {
    windows::run(&windows::install()?)
}

/// Licences, duplicate versions and sources of the dependencies. Advisories need a database on GitHub: the public workflow checks them.
fn dependencies() -> (&'static str, Command) {
    ("licences, duplicates and sources of dependencies", args(&["deny", "check", "licenses", "bans", "sources"]))
}

fn args(args: &[&str]) -> Command {
    let mut command = run::cargo();
    command.args(args);
    command
}

fn format() -> (&'static str, Command) {
    ("format", args(&["fmt", "--all", "--check"]))
}

fn format_of_fuzz_targets() -> (&'static str, Command) {
    ("format of the fuzz targets", fuzz(&["fmt"], &["--check"]))
}

fn lints() -> (&'static str, Command) {
    ("lints", args(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
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
