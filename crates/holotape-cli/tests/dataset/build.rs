//! `holotape dataset`: build, interrupt, resume, info.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, holotape, run, text};
use holotape::demo::DemoOptions;
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
    let out = folder.path().join("dataset");
    (folder, study, out)
}

fn build(study: &Path, out: &Path) -> Run {
    run(["dataset", "build", text(study), text(out)])
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

/// The manifest without modification times, which are missing for files that were just written.
fn without_times(manifest: &[u8]) -> serde_json::Value {
    let mut manifest: serde_json::Value = serde_json::from_slice(manifest).expect("JSON");
    for partition in manifest["partitions"].as_array_mut().expect("partitions") {
        for recording in partition["recordings"].as_array_mut().expect("recordings") {
            recording["modified_ns"].take();
        }
    }
    manifest
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (mut one, mut other) = (files(one), files(other));
    let [left, right] = [&mut one, &mut other].map(|files| files.remove("dataset.json").expect("a manifest"));
    assert_eq!(without_times(&left), without_times(&right));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    assert!(one == other, "files differ");
}

#[test]
fn dataset_is_built_and_then_updated() {
    let (_folder, study, out) = corpus(5);
    let first = build(&study, &out).code(0).assert_stderr_empty();
    assert!(first.text().contains("5 recordings in 2 partitions, 2 partitions written"), "{}", first.text());
    assert!(first.text().contains("frames"), "{}", first.text());
    let again = run(["dataset", "build", text(&study), text(&out), "--json"]).code(0).assert_stderr_empty().json();
    assert_eq!(
        (&again["recording_count"], &again["written_partition_count"], &again["rows"]["frames"]),
        (&5.into(), &0.into(), &35.into())
    );
    let quiet =
        run(["dataset", "build", text(&study), text(&out), "--quiet", "--verify"]).code(0).assert_stderr_empty();
    assert_eq!(quiet.text(), "");
    let info = run(["dataset", "info", text(&out), "--json"]).code(0).assert_stderr_empty().json();
    assert_eq!(
        (&info["recording_count"], &info["rate_hz"], &info["broken"]),
        (&5.into(), &60.0.into(), &serde_json::json!([]))
    );
    assert_eq!(info["tables"][1]["table"], "frames");
    assert!(run(["dataset", "info", text(&out)]).code(0).assert_stderr_empty().text().contains("60 frames per second"));
}

#[test]
fn patterns_and_options_are_accepted() {
    let (_folder, study, out) = corpus(8);
    let pattern = study.join("p0[12]/*.bin");
    let args = ["--rate", "20", "--with-keys", "--jobs", "2"];
    let mut command = holotape();
    command.args(["dataset", "build", text(&pattern), text(&study.join("p03")), text(&out), "--json"]).args(args);
    let report = Run::new(&mut command).code(0).assert_stderr_empty().json();
    assert_eq!((&report["recording_count"], &report["rows"]["frames"]), (&6.into(), &18.into()));
    assert!(report["rows"]["keys"].as_u64().expect("keys") > 6 * 300);
    build(&study, &out)
        .code(0)
        .assert_stderr_contains("note: ")
        .assert_stderr_contains("rebuilt completely: the rate changes from 20 to 60 Hz");
}

#[test]
fn broken_recordings_are_listed() {
    let (_folder, study, out) = corpus(3);
    for number in 0..12 {
        fs::write(study.join(format!("junk-{number:02}.bin")), "no recording").expect("written");
    }
    let report = build(&study, &out)
        .code(3)
        .assert_stderr_contains("lost: junk-00.bin: not an input animation")
        .assert_stderr_contains("2 others");
    assert!(!report.stderr.contains("junk-11"), "{}", report.stderr);
    build(&study, &out).code(3).assert_stderr_contains("junk-00.bin");
    let built = run(["dataset", "build", text(&study), text(&out), "--json"]).code(3).json();
    let info = run(["dataset", "info", text(&out), "--json"]).code(0).json();
    assert_eq!((&info["broken"], info["broken"].as_array().map(Vec::len)), (&built["broken"], Some(12)));
    assert!(run(["dataset", "info", text(&out)]).code(0).text().contains("12 broken"));
}

#[test]
fn invalid_arguments_are_rejected() {
    let (folder, study, out) = corpus(1);
    build(&study, &study).code(2).assert_stderr_contains("not a dataset");
    run(["dataset", "build", text(&study)]).code(2);
    run(["dataset", "build", "no-such-folder", text(&out)]).code(1).assert_stderr_contains("no-such-folder");
    run(["dataset", "build", text(&study), text(&out), "--rate", "0"]).code(2).assert_stderr_contains("--rate");
    run(["dataset", "build", text(&study), text(&out), "--rate", "5000"]).code(2).assert_stderr_contains("5000");
    run(["dataset", "info", text(folder.path())]).code(1).assert_stderr_contains("not a dataset");
    run(["dataset", "info", "no-such-folder"])
        .code(1)
        .assert_stderr_contains("no-such-folder: no such file or folder\n");
    let help = run(["dataset"]).code(2);
    assert!(help.stderr.contains("build") && help.stderr.contains("info"), "{}", help.stderr);
}

/// Killed ten times, the build resumes, and the result equals that of a single run.
#[cfg(unix)]
#[test]
fn build_that_is_killed_ten_times_gives_the_same_dataset() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let (folder, study, out) = corpus(200);
    let scratch = folder.path().join("scratch");
    let start = Instant::now();
    build(&study, &scratch).code(0).assert_stderr_empty();
    let mut duration = start.elapsed();
    let (mut killed, mut round) = (0, 0_u32);
    while killed < 10 {
        round += 1;
        assert!(round < 100, "only {killed} of {round} were killed in time");
        let mut child =
            holotape().args(["dataset", "build", text(&study), text(&out), "--quiet"]).spawn().expect("starts");
        // At various times between the start and the end of a complete run.
        sleep(duration.mul_f64(f64::from(round * 7 % 10) / 10.0) + Duration::from_millis(3));
        child.kill().expect("killed");
        if !child.wait().expect("ended").success() {
            killed += 1;
            continue;
        }
        // The build was faster than the first one. Change every partition, so that there is work again.
        duration = duration.mul_f64(0.8);
        for number in (0..200_u32).step_by(5) {
            let demo = DemoOptions::new().with_seed(u64::from(10 * round + number)).with_seconds(0.1);
            let path = study.join(format!("p{:02}/r-{number:03}.bin", number % 4 + 1));
            assert!(demo.generate().expect("a demo").save(path).expect("saved").is_empty());
        }
    }
    build(&study, &out).code(0).assert_stderr_empty();
    fs::remove_dir_all(&scratch).expect("removed");
    build(&study, &scratch).code(0).assert_stderr_empty();
    assert_same(&out, &scratch);
    assert!(!out.join(".staging").exists());
}
