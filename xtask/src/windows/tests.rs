//! Runs the tests for Windows under Wine.

use std::time::Instant;

use super::excluded::EXCLUDED;
use super::program::{self, Program};
use super::test_programs::TestProgram;
use super::toolchain::{Toolchain, output_dir};
use super::unix_only::unix_only_tests;
use super::wine::Wine;
use crate::Result;
use crate::run::{self, output, target, with_low_priority};
use crate::web;

/// The packages that people use on Windows, without the Python package: no Python for Windows runs its module here.
pub(super) const PACKAGES: [&str; 6] =
    ["holotape", "holotape-convert", "holotape-corpus", "holotape-viewer", "holotape-openxr", "holotape-cli"];

/// What the tests need.
pub struct WindowsTests {
    toolchain: Toolchain,
    wine: Wine,
}

/// Installs the toolchain and Wine.
pub fn install() -> Result<WindowsTests> {
    if !cfg!(target_os = "linux") {
        return Err(
            "the tests for Windows run under Wine on Linux; on Windows, `cargo xtask test` runs them".to_owned()
        );
    }
    Ok(WindowsTests { toolchain: Toolchain::install()?, wine: Wine::install()? })
}

/// Runs the tests that Wine can run.
pub fn run(tests: &WindowsTests, programs: &[TestProgram]) -> Result {
    println!("\n== tests for Windows under Wine");
    let start = Instant::now();
    check_excluded(programs, &tests.wine)?;
    let mut passed = 0;
    let mut failures = Vec::new();
    for program in programs {
        match program.run(&tests.wine, &excluded_of(program)) {
            Ok(count) => passed += count,
            Err(failure) => failures.push(failure),
        }
    }
    if !failures.is_empty() {
        return Err(failures.join("\n"));
    }
    run::run(&mut web::build_viewer_binary())?;
    let linux = Program::of_tests(&target().join("debug"), "holotape", "libholotape_openxr.so");
    let debug = output_dir().join("debug");
    program::check(&Program::of_tests(&debug, "holotape.exe", "holotape_openxr.dll"), &linux, &tests.wine)?;
    let not_run = print_not_run()?;
    let seconds = start.elapsed().as_secs_f64();
    println!("== tests for Windows under Wine: {passed} passed, {not_run} not run, in {seconds:.0} s");
    Ok(())
}

/// Prints the tests that are not run. Returns their number.
fn print_not_run() -> Result<usize> {
    println!("\nnot run under Wine:");
    EXCLUDED.iter().for_each(|it| println!("  {} {}: {}", it.program, it.test, it.reason));
    println!("compiled for Unix or Linux only:");
    let unix_only = unix_only_tests(&PACKAGES)?;
    for it in &unix_only {
        println!("  {}: {}: {}", it.file.display(), it.tests.join(", "), it.reason()?);
    }
    Ok(EXCLUDED.len() + unix_only.iter().map(|it| it.tests.len()).sum::<usize>())
}

/// Builds the tests. Prints nothing but errors, and leaves the processor to other programs: it can run beside other tests.
pub fn build(tests: &WindowsTests) -> Result<Vec<TestProgram>> {
    let mut cargo = tests.toolchain.cargo("test", &["--quiet", "--no-run", "--tests", "--all-features"]);
    // MinGW's linker takes long for debug information, and Wine shows none of it.
    cargo.args(["--message-format", "json-render-diagnostics", "--config", "profile.dev.debug=false"]);
    PACKAGES.iter().for_each(|package| _ = cargo.args(["--package", package]));
    let messages = output(&mut with_low_priority(&cargo))?;
    Ok(messages.lines().filter_map(TestProgram::from_message).collect())
}

fn excluded_of(program: &TestProgram) -> Vec<&'static str> {
    EXCLUDED.iter().filter(|it| it.program == program.name).map(|it| it.test).collect()
}

fn check_excluded(programs: &[TestProgram], wine: &Wine) -> Result {
    let mut known = Vec::new();
    for program in programs.iter().filter(|program| !excluded_of(program).is_empty()) {
        known.extend(program.tests(wine)?.into_iter().map(|test| (program.name.clone(), test)));
    }
    let is_known = |program: &str, test: &str| known.iter().any(|it| it.0 == program && it.1 == test);
    let unknown: Vec<_> = EXCLUDED.iter().filter(|it| !is_known(it.program, it.test)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = unknown.iter().map(|it| format!("{} {}", it.program, it.test)).collect();
    Err(format!("xtask/src/windows/excluded.rs has tests that do not exist: {}", names.join(", ")))
}
