//! `holotape dataset lerobot`: build, options, interrupt, resume.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, holotape, run, text};
use holotape::demo::DemoOptions;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A study of recordings of 0.1 s, and the folder for its dataset.
fn corpus(count: u64) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempdir().expect("a folder");
    let study = folder.path().join("study");
    for number in 0..count {
        let person = study.join(format!("p{:02}", number % 4 + 1));
        fs::create_dir_all(&person).expect("made");
        let demo = DemoOptions::new().with_seed(number % 10).with_seconds(0.1).generate().expect("a demo");
        assert!(demo.save(person.join(format!("r-{number:03}.bin"))).expect("saved").is_empty());
    }
    let out = folder.path().join("lerobot");
    (folder, study, out)
}

fn build(study: &Path, out: &Path, options: &[&str]) -> Run {
    Run::new(holotape().args(["dataset", "lerobot", text(study), text(out)]).args(options))
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
        match path.is_dir() {
            true => {
                let below = self::files(&path).into_iter();
                files.extend(below.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
            }
            false => drop(files.insert(name, fs::read(&path).expect("readable"))),
        }
    }
    files
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
    for number in 0..12 {
        fs::write(study.join(format!("junk-{number:02}.bin")), "no recording").expect("written");
    }
    let report = build(&study, &out, &[])
        .code(3)
        .assert_stderr_contains("lost: junk-00.bin: not an input animation")
        .assert_stderr_contains("2 others; --json lists all");
    assert!(!report.stderr.contains("junk-11"), "{}", report.stderr);
    let built = build(&study, &out, &["--json"]).code(3).json();
    assert_eq!((&built["episode_count"], built["broken"].as_array().map(Vec::len)), (&3.into(), Some(12)));
}

/// Killed ten times, the build resumes, and the result equals that of a single run.
#[cfg(unix)]
#[test]
fn lerobot_build_that_is_killed_ten_times_gives_the_same_dataset() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let options = ["--file-size", "0.05", "--quiet"];
    let (folder, study, out) = corpus(200);
    let scratch = folder.path().join("scratch");
    let start = Instant::now();
    build(&study, &scratch, &options).code(0);
    let mut duration = start.elapsed();
    let (mut killed, mut round) = (0, 0_u32);
    while killed < 10 {
        round += 1;
        assert!(round < 100, "only {killed} of {round} were killed in time");
        let mut command = holotape();
        let mut child =
            command.args(["dataset", "lerobot", text(&study), text(&out)]).args(options).spawn().expect("starts");
        // At various times between the start and the end of a complete run.
        sleep(duration.mul_f64(f64::from(round * 7 % 10) / 10.0) + Duration::from_millis(3));
        child.kill().expect("killed");
        if !child.wait().expect("ended").success() {
            killed += 1;
            continue;
        }
        // The build was faster than the first one. Change many recordings, so that there is work again.
        duration = duration.mul_f64(0.8);
        for number in (0..200_u32).step_by(5) {
            let demo = DemoOptions::new().with_seed(u64::from(10 * round + number)).with_seconds(0.1);
            let path = study.join(format!("p{:02}/r-{number:03}.bin", number % 4 + 1));
            assert!(demo.generate().expect("a demo").save(path).expect("saved").is_empty());
        }
    }
    build(&study, &out, &options).code(0);
    fs::remove_dir_all(&scratch).expect("removed");
    build(&study, &scratch, &options).code(0);
    assert_same(&out, &scratch);
    assert!(!out.join(".staging").exists());
}

/// The manifest without modification times, which are missing for files that were just written.
fn without_times(manifest: &[u8]) -> Value {
    let mut manifest: Value = serde_json::from_slice(manifest).expect("JSON");
    for file in manifest["files"].as_array_mut().expect("files") {
        for recording in file["recordings"].as_array_mut().expect("recordings") {
            recording["modified_ns"].take();
        }
    }
    manifest
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (mut one, mut other) = (files(one), files(other));
    let [left, right] = [&mut one, &mut other].map(|files| files.remove("meta/holotape.json").expect("a manifest"));
    assert_eq!(without_times(&left), without_times(&right));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    assert!(one == other, "files differ");
}
