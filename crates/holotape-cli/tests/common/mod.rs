//! Helpers shared by the tests of the command line.

pub mod signals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

pub fn valid(name: &str) -> PathBuf {
    project("testdata/valid").join(name)
}

pub fn holotape() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holotape"));
    command.stdin(Stdio::null());
    command
}

pub struct Run {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    #[track_caller]
    pub fn new(command: &mut Command) -> Self {
        command.output().expect("starts").into()
    }

    /// Expects an exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stderr: {}", self.stderr);
        self
    }

    /// Expects text on stderr.
    #[track_caller]
    pub fn assert_stderr_contains(self, message: &str) -> Self {
        assert!(self.stderr.contains(message), "{message:?} is not in {:?}", self.stderr);
        self
    }

    /// Expects nothing on stderr.
    #[track_caller]
    pub fn assert_stderr_empty(self) -> Self {
        assert_eq!(self.stderr, "");
        self
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).expect("JSON")
    }
}

impl From<Output> for Run {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        Self { code: status.code(), stdout, stderr: String::from_utf8(stderr).expect("UTF-8") }
    }
}

/// Runs the command with these arguments.
#[track_caller]
pub fn run<const N: usize>(args: [&str; N]) -> Run {
    Run::new(holotape().args(args))
}

/// Returns the valid recordings of the test data, with their expected contents.
pub fn valid_pairs() -> Vec<(PathBuf, serde_json::Value)> {
    let entries = fs::read_dir(project("testdata/valid")).expect("test data");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let pairs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .map(|path| {
            let json = fs::read(path.with_extension("json")).expect("a .json for each .bin");
            (path, serde_json::from_slice(&json).expect("valid JSON"))
        })
        .collect();
    assert!(pairs.len() >= 19);
    pairs
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
