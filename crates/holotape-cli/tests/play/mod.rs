//! `holotape play`: prints lines in real time or sends them over a WebSocket.

mod printed;
mod served;

use std::path::{Path, PathBuf};
use std::process::Command;

use holotape::Recording;
use holotape::demo::DemoOptions;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::holotape;

/// Four seconds of motion with a marker at each end.
fn recording() -> (TempDir, PathBuf, Recording) {
    let mut recording = DemoOptions::new().with_seconds(4.0).generate().expect("a demo");
    recording.markers.add(0.0, "start");
    recording.markers.add(4.0, "end");
    let (folder, path) = saved(&recording);
    (folder, path, recording)
}

fn saved(recording: &Recording) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    assert!(recording.save(&path).expect("saved").is_empty());
    (folder, path)
}

fn play(path: &Path, args: &[&str]) -> Command {
    let mut command = holotape();
    command.arg("play").arg(path).args(args);
    command
}

fn lines(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn times(lines: &[Value], is_selected: impl Fn(&Value) -> bool) -> Vec<f64> {
    lines.iter().filter(|line| is_selected(line)).map(|line| line["time"].as_f64().expect("a time")).collect()
}

fn is_frame(line: &Value) -> bool {
    line.get("camera").is_some()
}
