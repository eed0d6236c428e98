//! Builds the page in `web/` with npm whenever its sources change.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const SOURCES: [&str; 6] =
    ["src", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

const WITHOUT_NPM: &str = "cannot build the viewer's page: Node or npm is missing; install both, version 18 or later (Debian: apt-get \
     install nodejs npm), or build without the viewer: --no-default-features";

/// Maximum number of lines of npm and Vite output in an error.
const MAX_LINES: usize = 12;

fn main() -> ExitCode {
    // Read at run time: a target directory that was copied would otherwise build the page of the original.
    let web = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    match build(&web) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build(web: &Path) -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is a build script")?).join("web");
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
