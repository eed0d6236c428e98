//! `holotape dataset lerobot`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Run, run, text};
use crate::dataset::{add_broken_recordings, corpus, run_build};

fn build(study: &Path, out: &Path, options: &[&str]) -> Run {
    run_build("lerobot", study, out, options)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("readable")).expect("JSON")
}

#[test]
fn lerobot_dataset_is_built_and_then_updated() {
    let (_folder, study, out) = corpus(5);
    let first = build(&study, &out, &["--fps", "50"]).code(0);
    assert!(first.text().contains("5 episodes, 30 frames at 50 frames per second, 1 task"), "{}", first.text());
    assert!(first.text().contains("5 new or changed, 0 removed"), "{}", first.text());
    let again = build(&study, &out, &["--fps", "50", "--json"]).code(0).json();
    assert_eq!((&again["episode_count"], &again["written_file_count"]), (&5.into(), &0.into()));
    let quiet = build(&study, &out, &["--fps", "50", "--quiet", "--verify"]).code(0).assert_stderr_empty();
    assert_eq!(quiet.text(), "");
    fs::remove_file(study.join("p01/r-000.bin")).expect("removed");
    let removed = build(&study, &out, &["--fps", "50", "--json"]).code(0).json();
    assert_eq!((&removed["episode_count"], &removed["read_recording_count"]), (&4.into(), &0.into()));
}

#[test]
fn lerobot_options_are_accepted() {
    let (_folder, study, out) = corpus(4);
    let options = ["--features", "compact", "--action", "none", "--tasks-from", "folders", "--space", "unity"];
    let more = ["--robot-type", "hands", "--file-size", "0.5", "--jobs", "2", "--json"];
    let report = build(&study, &out, &[&options[..], &more].concat()).code(0).json();
    assert_eq!((&report["episode_count"], &report["task_count"]), (&4.into(), &4.into()));
    let info = json(&out.join("meta/info.json"));
    assert_eq!(
        (&info["robot_type"], &info["data_files_size_in_mb"], &info["fps"]),
        (&"hands".into(), &1.into(), &30.into())
    );
    assert!(info["features"]["action"].is_null());
    assert_eq!(info["features"]["observation.left_hand"]["shape"][0], 24);
    build(&study, &out, &["--task", "reach"]).code(0).assert_stderr_contains("rebuilt completely: other options");
    for invalid in [["--fps", "0"], ["--fps", "29.97"], ["--features", "all"], ["--file-size", "-1"], ["--task", " "]] {
        build(&study, &out, &invalid).code(2);
    }
    run(["dataset", "lerobot", text(&study)]).code(2);
    build(&study, &study, &[]).code(2).assert_stderr_contains("not a LeRobot dataset");
}

#[test]
fn broken_recordings_are_listed_and_left_out() {
    let (_folder, study, out) = corpus(3);
    add_broken_recordings(&study);
    let report = build(&study, &out, &[])
        .code(3)
        .assert_stderr_contains("lost: junk-00.bin: not an input animation")
        .assert_stderr_contains("2 others; --json lists all");
    assert!(!report.stderr.contains("junk-11"), "{}", report.stderr);
    let built = build(&study, &out, &["--json"]).code(3).json();
    assert_eq!((&built["episode_count"], built["broken"].as_array().map(Vec::len)), (&3.into(), Some(12)));
}

#[test]
fn lerobot_build_that_is_killed_ten_times_gives_the_same_dataset() {
    use crate::dataset::killed::{Manifest, assert_killed_build_resumes};

    let manifest = Manifest { name: "meta/holotape.json", groups: "files" };
    assert_killed_build_resumes("lerobot", &["--file-size", "0.05", "--quiet"], &manifest);
}
