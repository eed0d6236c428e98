//! The cross toolchain for Windows: a standard library for the target, and MinGW's linker and C compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::run::{cargo, command, download, is_available, output, run, target};
use crate::tools::{debian_package, is_root};

/// The target of all builds for Windows.
pub const TARGET: &str = "x86_64-pc-windows-gnu";

/// MinGW's C compiler, which also links.
pub(super) const GCC: &str = "x86_64-w64-mingw32-gcc";

/// Debian's packages with a compiler and with the sources of its standard library. They cannot be installed beside rustup.
const COMPILER: &str = "rustc-web";
const SOURCES: &str = "rust-web-src";

/// What a build for Windows needs.
///
/// ```ignore
/// let windows = Toolchain::install()?;
/// run(&mut windows.cargo("build", &["--release", "--package", "holotape-cli"]))?;
/// ```
pub struct Toolchain {
    standard_library: StandardLibrary,
}

/// Where the standard library for Windows comes from.
enum StandardLibrary {
    /// rustup has installed it for the current toolchain.
    Rustup,
    /// Cargo builds it from Debian's sources, with Debian's compiler in this folder.
    Debian(PathBuf),
}

impl Toolchain {
    /// Installs what is missing: the standard library with rustup or, where rustup cannot download it, from Debian packages
    /// into `target/windows-toolchain`; and MinGW, as root. Fails if something is missing and cannot be installed.
    pub fn install() -> Result<Self> {
        let has_gcc = || is_available(command(GCC).arg("--version"));
        debian_package("gcc-mingw-w64-x86-64-win32", GCC, has_gcc)?;
        let standard_library = if has_standard_library() || add_target() {
            StandardLibrary::Rustup
        } else {
            let folder = target().join("windows-toolchain");
            unpack_debian(&folder).map_err(|error| {
                format!("the standard library for {TARGET} is missing; run `rustup target add {TARGET}` ({error})")
            })?;
            StandardLibrary::Debian(folder)
        };
        Ok(Self { standard_library })
    }

    /// Cargo with a subcommand that builds, for Windows.
    pub fn cargo(&self, subcommand: &str, args: &[&str]) -> Command {
        self.cargo_into(&build_dir(), subcommand, args)
    }

    /// The same with another target folder, which no other compiler uses.
    pub fn cargo_into(&self, target_dir: &Path, subcommand: &str, args: &[&str]) -> Command {
        let mut cargo = cargo();
        let variable = TARGET.to_uppercase().replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{variable}_LINKER"), GCC);
        cargo.env(format!("CC_{}", TARGET.replace('-', "_")), GCC);
        cargo.args([subcommand, "--target", TARGET, "--target-dir"]).arg(target_dir);
        if let StandardLibrary::Debian(folder) = &self.standard_library {
            cargo.args(["-Z", "build-std=std,panic_unwind"]).env("RUSTC_BOOTSTRAP", "1");
            cargo.env("RUSTC", folder.join("usr/bin/rustc")).env("LD_LIBRARY_PATH", library_dir(folder));
        }
        cargo.args(args);
        cargo
    }
}

/// The folder in which cargo makes a folder for each profile, such as `debug` and `release`.
pub fn output_dir() -> PathBuf {
    build_dir().join(TARGET)
}

/// Not the target folder: cargo would wait for builds for this machine, and Debian's compiler cannot use the build scripts of rustup's.
fn build_dir() -> PathBuf {
    target().join("windows")
}

fn library_dir(toolchain: &Path) -> PathBuf {
    toolchain.join(format!("usr/lib/{}-linux-gnu", env::consts::ARCH))
}

fn has_standard_library() -> bool {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let folder = output(command(&rustc).args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn add_target() -> bool {
    println!("installing the standard library for {TARGET}");
    run(command("rustup").args(["target", "add", TARGET])).is_ok() && has_standard_library()
}

/// Unpacks Debian's compiler and the sources of its standard library, in one step and only once.
fn unpack_debian(folder: &Path) -> Result {
    if folder.join("usr/bin/rustc").exists() {
        return Ok(());
    }
    if !is_available(command("apt-get").arg("--version")) {
        return Err(format!("apt-get is missing, so the packages {COMPILER} and {SOURCES} cannot be used instead"));
    }
    println!("unpacking Debian's compiler into {}", folder.display());
    if is_root() {
        download(command("apt-get").arg("update"))?;
    }
    let new = folder.with_extension("new");
    let (packages, unpacked) = (new.join("packages"), new.join("root"));
    let _ = fs::remove_dir_all(&new);
    fs::create_dir_all(&packages).map_err(|error| format!("{}: {error}", packages.display()))?;
    download(command("apt-get").current_dir(&packages).arg("download").args(debian_packages()?))?;
    let files = fs::read_dir(&packages).map_err(|error| format!("{}: {error}", packages.display()))?;
    for file in files.flatten() {
        run(command("dpkg-deb").arg("-x").arg(file.path()).arg(&unpacked))?;
    }
    fs::rename(&unpacked, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::remove_dir_all(&new).map_err(|error| format!("{}: {error}", new.display()))
}

/// The compiler, its libraries, whose names have version numbers, and the sources.
fn debian_packages() -> Result<Vec<String>> {
    let required_only =
        ["--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances"];
    let graph = output(command("apt-cache").args(["depends", "--recurse"]).args(required_only).arg(COMPILER))?;
    let mut packages = compiler_packages(&graph);
    packages.push(SOURCES.to_owned());
    Ok(packages)
}

/// Selects the packages of the compiler from the output of `apt-cache depends`, in which dependencies are indented. The others,
/// such as the C library, are those of this machine.
fn compiler_packages(graph: &str) -> Vec<String> {
    let is_of_compiler =
        |name: &&str| [COMPILER, "libstd-rust-web", "libllvm"].iter().any(|start| name.starts_with(start));
    graph.lines().filter(is_of_compiler).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_packages_are_found_with_any_version_number() {
        let graph = "rustc-web\n  Depends: libc6\n  Depends: libstd-rust-web-dev\nlibc6\nlibstd-rust-web-dev\n  Depends: libstd-rust-web-1.96\n\
                     libstd-rust-web-1.96\n  Depends: libllvm22\n<libc-dev>\nlibllvm22\nbinutils\n";
        assert_eq!(compiler_packages(graph), ["rustc-web", "libstd-rust-web-dev", "libstd-rust-web-1.96", "libllvm22"]);
    }
}
