//! The Python package: builds the wheel, installs it into a virtual environment, and runs pytest, mypy and pyright.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::corpus;
use crate::run::{command, download, is_available, root, run, target};
use crate::tools::{debian_package, debian_program, python_packages, venv_python};

/// Installs what the tests need, including Node for pyright and Java for Spark.
pub fn install() -> Result {
    debian_program("node", "nodejs")?;
    debian_package("openjdk-17-jre-headless", "java", || is_available(command("java").arg("-version")))?;
    python_packages(&package_dir())
}

/// Builds the wheel and tests it. The build is not optimized, which would take minutes.
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

/// Tests the wheel's fixtures for OpenXR on Monado, which the tests in `interop-tests/` install. They also build the library.
pub fn openxr_step() -> (&'static str, Command) {
    let scripts = root().join("interop-tests/scripts/openxr");
    let mut command = command(&scripts.join("pytest-in-root").to_string_lossy());
    command.arg(target().join("openxr-root")).arg(package_dir().join("dist"));
    command.arg(target().join("debug/deps/libholotape_openxr.so"));
    ("Python tests on an OpenXR runtime", command)
}

/// Compares an optimized build of the package with a reader in pure Python.
pub fn bench() -> Result {
    install_optimized()?;
    run(&mut python(&["benches/plain.py"]))
}

/// Compares exports with pyarrow, mcap and pygltflib, in an optimized build.
pub fn bench_exports() -> Result {
    install_optimized()?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    download(python(&pip).arg("benches/requirements.txt"))?;
    run(&mut python(&["benches/exports.py"]))
}

/// Compares queries over 2,000 recordings with queries over a dataset, in an optimized build.
pub fn bench_corpus() -> Result {
    install_optimized()?;
    let folder = env::temp_dir().join(format!("holotape-corpus-{}", std::process::id()));
    let source = folder.join("study");
    let measured = corpus::generate(&source.to_string_lossy(), "2000")
        .and_then(|()| run(python(&["benches/corpus.py"]).args([&source, &folder.join("dataset")])));
    let removed = fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()));
    measured.and(removed)
}

/// Installs an optimized build of the package, and what its tests need.
fn install_optimized() -> Result {
    install()?;
    remove_old_wheels()?;
    run(&mut build("release"))?;
    run(&mut install_wheel())
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

/// If there are several wheels, pip does not always install the newest.
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
    // Like an activated environment: pyright uses the first Python in the path.
    let path = env::var_os("PATH").unwrap_or_default();
    if let Ok(path) = env::join_paths(python.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&path))) {
        command.env("PATH", path);
    }
    command
}

fn package_dir() -> PathBuf {
    root().join("crates/holotape-python")
}
