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
    // Wine runs programs for the processor of the machine.
    let has_wine = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    let windows = if has_wine { Some(windows::install()?) } else { None };
    run_steps(&mut [format(), lints(), dependencies()])?;
    run_steps(&mut [
        ("lints without features", args(&["clippy", "--package", "holotape", "--all-targets", "--", "-D", "warnings"])),
        (
            "lints without the viewer",
            // The whole workspace: for one package, all dependencies would be checked again, with other features.
            args(&[
                "clippy",
                "--workspace",
                "--exclude",
                "holotape-fuzz",
                "--all-targets",
                "--no-default-features",
                "--features",
                "holotape-cli/dataset,holotape-cli/formats,holotape-cli/plot",
                "--",
                "-D",
                "warnings",
            ]),
        ),
        // Of one package: others in the workspace enable all formats. The converters are dependencies, and linted too.
        (
            "lints of the demo",
            args(&[
                "clippy",
                "--package",
                "holotape-cli",
                "--no-default-features",
                "--features",
                "viewer",
                "--",
                "-D",
                "warnings",
            ]),
        ),
        // One run, including `interop-tests/`: a separate run would recompile everything.
        ("tests", args(&["test", "--workspace", "--all-features"])),
        (
            "tests without features",
            args(&[
                "test",
                "--package",
                "holotape",
                "--test",
                "integration",
                "--",
                "golden::",
                "roundtrip::",
                "sample::",
            ]),
        ),
        (
            "tests of the converters without formats",
            args(&["test", "--package", "holotape-convert", "--no-default-features", "--lib"]),
        ),
        ("documentation", documentation()),
    ])?;
    run_steps(&mut web::steps())?;
    run_steps(&mut webxr::steps())?;
    run_steps(&mut python::steps()?)?;
    if cfg!(target_os = "linux") {
        run_steps(&mut [python::openxr_step()])?;
    }
    match windows {
        Some(windows) => windows::run(&windows)?,
        None => println!("\nnot run on this machine: tests for Windows under Wine (Linux on x86_64)"),
    }
    println!("\nall passed");
    Ok(())
}

/// Runs the checks that find most mistakes in a few minutes, also in a new clone: format, lints of everything, and the tests of the
/// core library, which has few dependencies.
pub fn run_quick() -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    web::install_node()?;
    let tests = args(&["test", "--package", "holotape", "--all-features", "--lib", "--tests"]);
    run_steps(&mut [format(), lints(), ("tests of the core library", tests)])?;
    println!(
        "\nall passed; not run: all other tests (`cargo xtask test rust` runs those in Rust, `cargo xtask test` everything)"
    );
    Ok(())
}

/// Runs only the Rust tests, of all crates, that need no other program.
pub fn run_rust() -> Result {
    tools::cpp_compiler()?;
    web::install_node()?;
    let mut tests = args(&["test", "--workspace", "--all-features"]);
    tests.args(["--exclude", "holotape-interop-tests", "--lib", "--bins", "--tests"]);
    run_steps(&mut [("tests", tests)])
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

fn lints() -> (&'static str, Command) {
    ("lints", args(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
}

fn documentation() -> Command {
    let mut command = args(&["doc", "--workspace", "--no-deps", "--all-features"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}
