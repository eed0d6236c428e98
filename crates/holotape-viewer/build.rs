//! Provides the page: a package of the crate carries the built page in `page/`; in the repository, npm builds it from
//! `web/` whenever its sources change.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const SOURCES: [&str; 6] =
    ["src", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

const WITHOUT_NPM: &str = "cannot build the viewer's page: Node or npm is missing; install both, version 18 or later (Debian: apt-get \
     install nodejs npm), or build without the viewer: --no-default-features --features dataset,formats,plot";

/// The files of the built page.
const PAGE: [&str; 3] = ["index.html", "viewer.css", "viewer.js"];

/// Maximum number of lines of npm and Vite output in an error.
const MAX_LINES: usize = 12;

fn main() -> ExitCode {
    match provide_page() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn provide_page() -> Result<(), String> {
    // Read at run time: a target directory that was copied would otherwise build the page of the original.
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is a build script")?).join("web");
    // First, because a vendored package can be in a project that has a folder `web/` of its own.
    let page = package.join("page");
    if page.is_dir() {
        return copy(&page, &out);
    }
    let web = package.join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    build(&web, &out)
}

fn copy(page: &Path, out: &Path) -> Result<(), String> {
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    for name in PAGE {
        let source = page.join(name);
        println!("cargo::rerun-if-changed={}", source.display());
        fs::copy(&source, out.join(name)).map_err(|error| format!("{}: {error}", source.display()))?;
    }
    Ok(())
}

fn build(web: &Path, out: &Path) -> Result<(), String> {
    // Concurrent builds would install into the same directory.
    let lock = File::create(web.join(".build-lock")).map_err(|error| {
        format!("cannot build the viewer's page: {} must exist and be writable: {error}", web.display())
    })?;
    lock.lock().map_err(|error| format!("cannot lock {}: {error}", web.display()))?;
    install(web)?;
    let vite = web.join("node_modules/vite/bin/vite.js");
    let mut command = Command::new("node");
    command.current_dir(web).arg(vite).args(["build", "--logLevel", "warn", "--emptyOutDir", "--outDir"]).arg(out);
    run(&mut command)
}

/// Installs the packages of the lock file unless they are up to date.
fn install(web: &Path) -> Result<(), String> {
    let changed = |path: &str| web.join(path).metadata().and_then(|file| file.modified());
    let locked = changed("package-lock.json").map_err(|error| format!("web/package-lock.json: {error}"))?;
    // npm writes this file last.
    if changed("node_modules/.package-lock.json").is_ok_and(|installed| installed >= locked) {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command.current_dir(web).args([
        "ci",
        "--omit=dev",
        "--ignore-scripts",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
    ]);
    // A second attempt, because downloads can fail for a moment.
    run(&mut command).or_else(|_| run(&mut command))
}

/// Runs a command. If it fails, the error contains its output.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{WITHOUT_NPM} ({error})"))?;
    if output.status.success() {
        return Ok(());
    }
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let lines: Vec<_> = printed.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES).collect();
    Err(format!("cannot build the viewer's page: {command:?} failed: {}", lines.join(" / ")))
}
