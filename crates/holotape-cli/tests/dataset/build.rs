//! `holotape dataset build` and `holotape dataset info`.

use std::path::Path;

use crate::common::{Run, holotape, run, text};
use crate::dataset::{add_broken_recordings, corpus, run_build};

fn build(study: &Path, out: &Path) -> Run {
    run_build("build", study, out, &[])
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
    add_broken_recordings(&study);
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

#[test]
fn build_that_is_killed_ten_times_gives_the_same_dataset() {
    use crate::dataset::killed::{Manifest, assert_killed_build_resumes};

    let manifest = Manifest { name: "dataset.json", groups: "partitions" };
    assert_killed_build_resumes("build", &["--quiet"], &manifest);
}
