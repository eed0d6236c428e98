//! Builds the command, the library with the OpenXR layers and the Python extension module of a platform.
//!
//! One call of cargo builds all three, so that they share their dependencies. Paths of this machine are replaced, and
//! the linker is zig, whose libraries are those of an old glibc.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::{read, sorted_names};
use super::platform::Platform;
use super::stage::write;
use super::work::Work;
use crate::Result;
use crate::run::{cargo, command, download, output, root, run, target};
use crate::tools::{python_packages, venv_python};
use crate::windows::Toolchain;

/// The packages that are built.
pub const PACKAGES: [&str; 3] = ["holotape-cli", "holotape-openxr", "holotape-python"];

/// The version of glibc that the Linux programs need: that of 2012, the oldest that Rust supports.
const GLIBC_MINOR: u32 = 17;

const REQUIREMENTS: &str = "cargo-zigbuild==0.24.0\nmaturin==1.16.0\nziglang==0.17.0\n";

/// The programs of a platform.
pub struct Programs {
    pub command: PathBuf,
    pub layers: PathBuf,
    pub extension: PathBuf,
}

/// Installs zig, `cargo-zigbuild` and maturin into a virtual environment.
pub fn install_tools() -> Result {
    let folder = Work::tools();
    write(&folder.join("requirements.txt"), REQUIREMENTS.as_bytes())?;
    python_packages(&folder)
}

/// The Python interpreter of the environment with the tools.
pub fn tools_python() -> PathBuf {
    venv_python(&Work::tools())
}

/// Builds the programs of a platform, and checks them.
pub fn build(work: &Work, platform: Platform) -> Result<Programs> {
    // The remapped paths are those of the downloaded sources.
    download(cargo().args(["fetch", "--locked", "--target", platform.triple()]).current_dir(&work.stage))?;
    run(&mut cargo_build(work, platform)?)?;
    let folder = target_dir(work, platform).join(platform.triple()).join("dist");
    let programs = Programs {
        command: folder.join(platform.command()),
        layers: folder.join(platform.layers()),
        extension: folder.join(platform.extension()),
    };
    let private = private_paths(work)?;
    for path in [&programs.command, &programs.layers, &programs.extension] {
        let bytes = read(path)?;
        let checked = check_paths(&bytes, private.iter().map(PathBuf::as_path));
        let checked = checked.and_then(|()| if platform == Platform::Linux { check_glibc(&bytes) } else { Ok(()) });
        checked.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(programs)
}

fn cargo_build(work: &Work, platform: Platform) -> Result<Command> {
    let mut build = match platform {
        Platform::Linux => zigbuild()?,
        Platform::Windows => Toolchain::install()?.cargo_into(&target_dir(work, platform), "build", &[]),
    };
    for package in PACKAGES {
        build.args(["--package", package]);
    }
    build.args(["--locked", "--profile", "dist"]).current_dir(&work.stage);
    let (mut rust, mut c) = (Vec::new(), Vec::new());
    for (path, replacement) in replaced_paths(work)? {
        rust.push(format!("--remap-path-prefix={}={replacement}", path.display()));
        c.push(format!("-ffile-prefix-map={}={replacement}", path.display()));
    }
    if platform == Platform::Windows {
        rust.push("-Clink-arg=-Wl,--no-insert-timestamp".to_owned());
    }
    build.env("CARGO_ENCODED_RUSTFLAGS", rust.join("\x1f")).env_remove("RUSTFLAGS");
    build.env(format!("CFLAGS_{}", platform.triple().replace('-', "_")), c.join(" "));
    build.env("CARGO_TARGET_DIR", target_dir(work, platform)).env("CARGO_INCREMENTAL", "0");
    build.env("SOURCE_DATE_EPOCH", work.source.time_secs.to_string());
    // The extension module needs no Python to be built: it uses only what all versions have in common.
    build.env("PYO3_NO_PYTHON", "1").env("PYO3_BUILD_EXTENSION_MODULE", "1");
    Ok(build)
}

fn zigbuild() -> Result<Command> {
    let python = tools_python();
    let programs = python.parent().map_or_else(PathBuf::new, Path::to_owned);
    let mut build = command(&programs.join("cargo-zigbuild").to_string_lossy());
    // It finds zig by the first Python in the path.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)));
    build.env("PATH", path.map_err(|error| format!("PATH: {error}"))?);
    let target = format!("{}.2.{GLIBC_MINOR}", Platform::Linux.triple());
    build.args(["zigbuild", "--target", &target]);
    Ok(build)
}

/// The target folder of a platform.
fn target_dir(work: &Work, platform: Platform) -> PathBuf {
    match platform {
        Platform::Linux => work.build.clone(),
        // Not every toolchain for Windows uses the same compiler.
        Platform::Windows => work.build.join("windows"),
    }
}

/// The paths that the compilers replace, with their replacements.
fn replaced_paths(work: &Work) -> Result<Vec<(PathBuf, String)>> {
    let mut paths = vec![(work.stage.clone(), "/holotape".to_owned()), (work.build.clone(), "/build".to_owned())];
    // The names of these folders depend on the addresses of registries.
    let sources = cargo_home()?.join("registry/src");
    paths.extend(sorted_names(&sources)?.iter().map(|name| (sources.join(name), "/cargo".to_owned())));
    // Where the sources of the standard library are not installed, its paths start like this.
    let version = output(command("rustc").arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    paths.push((sysroot()?.join("lib/rustlib/src/rust"), format!("/rustc/{commit}")));
    // The compiler that is used where rustup cannot install the standard library for Windows.
    paths.push((target().join("windows-toolchain"), "/rust".to_owned()));
    Ok(paths)
}

/// The paths that must not be in a program.
fn private_paths(work: &Work) -> Result<Vec<PathBuf>> {
    Ok(vec![work.stage.clone(), work.build.clone(), root(), cargo_home()?, sysroot()?])
}

fn sysroot() -> Result<PathBuf> {
    output(command("rustc").args(["--print", "sysroot"])).map(|folder| PathBuf::from(folder.trim()))
}

fn cargo_home() -> Result<PathBuf> {
    match env::var_os("CARGO_HOME") {
        Some(folder) => Ok(folder.into()),
        None => Ok(env::home_dir().ok_or("the home folder is unknown; set HOME")?.join(".cargo")),
    }
}

/// Fails if a program contains one of the paths.
fn check_paths<'a>(program: &[u8], mut private: impl Iterator<Item = &'a Path>) -> Result {
    let found = private.find(|path| contains(program, path.to_string_lossy().as_bytes()));
    found.map_or(Ok(()), |path| Err(format!("contains the path {} of this machine", path.display())))
}

/// Fails if a program uses a newer version of glibc. The names of versions are the only strings that start like this.
fn check_glibc(program: &[u8]) -> Result {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let versions = program.windows(PREFIX.len() + 3).filter(|window| window.starts_with(PREFIX)).map(|window| {
        let digits = window[PREFIX.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    });
    match versions.max() {
        Some(minor) if minor > GLIBC_MINOR => {
            Err(format!("needs glibc 2.{minor}, but only 2.{GLIBC_MINOR} is allowed"))
        }
        _ => Ok(()),
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    let first = part.first().copied().unwrap_or_default();
    let starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == first);
    starts.map(|(index, _)| &bytes[index..]).any(|rest| rest.starts_with(part))
}

/// Writes the completions and manual pages that the command prints, and returns their folder with `completions` and `man`.
pub fn write_help(work: &Work, command_path: &Path) -> Result<PathBuf> {
    let folder = work.build.join("help");
    let _ = fs::remove_dir_all(&folder);
    let holotape = command_path.to_string_lossy();
    for (shell, file) in
        [("bash", "holotape.bash"), ("zsh", "_holotape"), ("fish", "holotape.fish"), ("powershell", "_holotape.ps1")]
    {
        let script = output(command(&holotape).args(["completions", shell]))?;
        write(&folder.join("completions").join(file), script.as_bytes())?;
    }
    run(command(&holotape).args(["man", "--out-dir"]).arg(folder.join("man")))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_with_a_path_of_the_machine_is_rejected() {
        let paths = [Path::new("/home/user/.cargo"), Path::new("/src")];
        assert_eq!(check_paths(b"\0/cargo/registry/lib.rs\0/build", paths.into_iter()), Ok(()));
        let error = check_paths(b"\0panicked at /home/user/.cargo/lib.rs", paths.into_iter()).expect_err("a path");
        assert!(error.contains("/home/user/.cargo"), "{error}");
    }

    #[test]
    fn program_for_a_newer_glibc_is_rejected() {
        assert_eq!(check_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_2.3\0"), Ok(()));
        let error = check_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.28\0").expect_err("2.28 is newer");
        assert!(error.contains("2.28"), "{error}");
    }
}
