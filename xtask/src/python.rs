//! The Python package: built as a wheel, installed into an environment of its own, and looked at there by pytest, mypy
//! and pyright.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::corpus;
use crate::run::{command, is_available, root, run};
use crate::tools::{debian_package, debian_program, python_packages, venv_python};

/// What the tests need, pyright's Node and Spark's Java included.
pub fn install() -> Result {
    debian_program("node", "nodejs")?;
    debian_package("openjdk-17-jre-headless", "java", || is_available(command("java").arg("-version")))?;
    python_packages(&package_dir())
}

/// Builds the wheel and tests it. Not optimised: that takes minutes, and what is tested is the same.
pub fn steps() -> Result<Vec<(&'static str, Command)>> {
    remove_old_wheels()?;
    Ok(vec![
        ("Python wheel", build("dev")),
        ("Python package", install_wheel()),
        ("Python tests", python(&["-m", "pytest", "-q"])),
        ("Python types by mypy", python(&["-m", "mypy", "--package", "holotape"])),
        ("Python types of a program by mypy", python(&["-m", "mypy", "tests/typing"])),
        ("Python types of a program by pyright", python(&["-m", "pyright", "tests/typing/example.py"])),
        ("Python types by pyright", python(&["-m", "pyright", "--verifytypes", "holotape", "--ignoreexternal"])),
        ("Python stubs", python(&["-m", "mypy.stubtest", "holotape._holotape"])),
    ])
}

/// How much faster the package is than a plain reader in Python, both in one run, optimised.
pub fn bench() -> Result {
    install()?;
    remove_old_wheels()?;
    run(&mut build("release"))?;
    run(&mut install_wheel())?;
    run(&mut python(&["benches/plain.py"]))
}

/// How much slower recordings answer than a dataset that was built of them, optimised, on two thousand takes.
pub fn bench_corpus() -> Result {
    install()?;
    remove_old_wheels()?;
    run(&mut build("release"))?;
    run(&mut install_wheel())?;
    let folder = env::temp_dir().join(format!("holotape-corpus-{}", std::process::id()));
    let study = folder.join("study");
    let measured = corpus::make(&study.to_string_lossy(), "2000")
        .and_then(|()| run(python(&["benches/corpus.py"]).args([&study, &folder.join("dataset")])));
    let removed = fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()));
    measured.and(removed)
}

fn build(profile: &str) -> Command {
    let mut command = python(&["-m", "maturin", "build", "--locked", "--compatibility", "linux", "--out", "dist"]);
    command.args(["--profile", profile, "--interpreter"]).arg(venv_python(&package_dir()));
    command
}

fn install_wheel() -> Command {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    let mut command = python(&pip);
    command.args(["--no-index", "--find-links", "dist", "holotape"]);
    command
}

/// Of several wheels pip would take one, and not always the last.
fn remove_old_wheels() -> Result {
    let wheels = package_dir().join("dist");
    match fs::remove_dir_all(&wheels) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("{}: {error}", wheels.display())),
        _ => Ok(()),
    }
}

fn python(args: &[&str]) -> Command {
    let python = venv_python(&package_dir());
    let mut command = command(&python.to_string_lossy());
    command.args(args).current_dir(package_dir());
    // As where somebody has activated it: pyright looks for packages of the Python that it finds first.
    let others = env::var_os("PATH").unwrap_or_default();
    if let Ok(path) = env::join_paths(python.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&others))) {
        command.env("PATH", path);
    }
    command
}

fn package_dir() -> PathBuf {
    root().join("crates/holotape-python")
}
