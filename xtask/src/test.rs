//! `cargo xtask test`: all checks that must pass before a change is merged.

use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::Result;
use crate::disk;
use crate::interop_tests;
use crate::python;
use crate::run;
use crate::tools;
use crate::web;
use crate::webxr;
use crate::windows::{self, WindowsTests};

fn run_steps(steps: &mut [(&str, Command)]) -> Result {
    for (name, command) in steps {
        println!("\n== {name}");
        let start = Instant::now();
        run::run(command).map_err(|error| format!("{name}: {error}"))?;
        println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// What all checks take in a new clone, most of it in `target/`.
const MAX_GIB: u64 = 12;

/// Runs all checks.
pub fn run() -> Result {
    disk::check_room(&run::target(), MAX_GIB)?;
    install_for_lints()?;
    let windows = thread::scope(|scope| {
        // Downloading and unpacking leave a part of the processor idle.
        let windows = scope.spawn(install_for_tests);
        run_lints()?;
        windows.join().map_err(|_| "the installation panicked".to_owned())?
    })?;
    run_steps(&mut [
        dependencies(),
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
    ])?;
    match windows {
        Some(windows) => thread::scope(|scope| {
            // The browser, Node and Python leave a part of the processor idle.
            let programs = scope.spawn(|| windows::build(&windows));
            run_page_and_packages()?;
            let programs = programs.join().map_err(|_| "the build for Windows panicked".to_owned())??;
            windows::run(&windows, &programs)
        })?,
        None => {
            run_page_and_packages()?;
            println!("\nnot run on this machine: tests for Windows under Wine (Linux on x86_64)");
        }
    }
    println!("\nall passed");
    Ok(())
}

/// Installs what format and lints need. They build the viewer's page.
fn install_for_lints() -> Result {
    tools::rust_component("rustfmt", "fmt")?;
    tools::rust_component("clippy", "clippy")?;
    tools::cpp_compiler()?;
    tools::node()
}

/// Installs everything else.
fn install_for_tests() -> Result<Option<WindowsTests>> {
    interop_tests::install()?;
    web::install()?;
    webxr::install()?;
    python::install()?;
    tools::cargo_command("deny")?;
    // Wine runs programs for the processor of the machine.
    let has_wine = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if has_wine { windows::install().map(Some) } else { Ok(None) }
}

fn run_lints() -> Result {
    run_steps(&mut [
        format(),
        lints(),
        // With the results of the lints for all dependencies.
        ("documentation", documentation()),
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
    ])
}

/// Tests the viewer's page, the WebXR package and the Python package.
fn run_page_and_packages() -> Result {
    run_steps(&mut web::steps())?;
    run_steps(&mut webxr::steps())?;
    run_steps(&mut python::steps()?)?;
    if cfg!(target_os = "linux") {
        run_steps(&mut [python::openxr_step()])?;
    }
    Ok(())
}

/// Runs the checks that find most mistakes in a few minutes, also in a new clone: format, lints of everything, and the tests of the
/// core library, which has few dependencies.
pub fn run_quick() -> Result {
    install_for_lints()?;
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
    tools::node()?;
    let test = |targets| {
        let mut tests = args(&["test", "--workspace", "--all-features", targets]);
        tests.args(["--exclude", "holotape-interop-tests", "--exclude", "holotape-fuzz"]);
        tests
    };
    // `--tests` has the tests of libraries and programs as well.
    run_steps(&mut [("tests", test("--tests")), ("examples in the documentation", test("--doc"))])
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
    let tests = windows::install()?;
    println!("building the tests");
    windows::run(&tests, &windows::build(&tests)?)
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
