//! What a fresh machine may lack: installed where that can be done, named where it cannot. Never skipped.

use crate::Result;
use crate::run::{answers, cargo, command, run};

/// A component of the Rust toolchain, by the cargo command that it brings.
pub fn rust_component(component: &str, cargo_command: &str) -> Result {
    if answers(cargo().args([cargo_command, "--version"])) {
        return Ok(());
    }
    println!("installing {component}");
    run(command("rustup").args(["component", "add", component]))
        .map_err(|error| format!("{component} is missing and could not be installed: {error}"))
}

/// A C++ compiler, for libFuzzer. On Windows the linker of the Rust toolchain already needs one.
pub fn cpp_compiler() -> Result {
    if cfg!(windows) { Ok(()) } else { debian_program("c++", "g++") }
}

/// A program, by the Debian package that brings it.
pub fn debian_program(program: &str, package: &str) -> Result {
    debian_package(package, program, || answers(command(program).arg("--version")))
}

/// What a Debian package brings, if it is not there.
pub fn debian_package(package: &str, what: &str, is_there: impl Fn() -> bool) -> Result {
    if is_there() {
        return Ok(());
    }
    let missing = format!("{what} is missing; install it (Debian: apt-get install {package})");
    if !is_root() || !answers(command("apt-get").arg("--version")) {
        return Err(missing);
    }
    println!("installing {package}");
    run(command("apt-get").arg("update"))?;
    run(command("apt-get").args(["install", "--yes", "--no-install-recommends", package]))?;
    if is_there() { Ok(()) } else { Err(missing) }
}

/// A cargo command that comes as a crate of its own.
pub fn cargo_command(name: &str) -> Result {
    if answers(cargo().args([name, "--version"])) {
        return Ok(());
    }
    let package = format!("cargo-{name}");
    println!("installing {package}");
    run(cargo().args(["install", "--locked", &package]))
}

fn is_root() -> bool {
    crate::run::output(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
