//! `holotape check` and `holotape repair`

use std::fs;

use tempfile::tempdir;

use crate::common::{Run, holotape, project, run, text, valid};

fn codes(json: &serde_json::Value) -> Vec<String> {
    let findings = json["findings"].as_array().expect("a list");
    findings.iter().map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect()
}

#[test]
fn demo_has_no_findings() {
    let folder = tempdir().expect("a folder");
    let demo = folder.path().join("demo.bin");
    run(["demo", text(&demo), "--seconds", "3"]).code(0);
    let json = run(["check", "--json", text(&demo)]).code(0).assert_stderr_empty().json();
    assert_eq!((&json["error_count"], &json["warning_count"]), (&0.into(), &0.into()), "{json}");
    run(["check", "--strict", text(&demo)]).code(0).assert_stderr_empty();
}

#[test]
fn findings_have_codes_and_advice() {
    let lost = valid("mrtk27_rotation_w_lost.bin");
    let run_json = run(["check", "--json", text(&lost)]).code(1).assert_stderr_empty();
    let json = run_json.json();
    assert!(codes(&json).contains(&"rotation-w-lost".to_owned()), "{json}");
    assert!(json["error_count"].as_u64() > Some(0));
    let shown = run(["check", text(&lost)]).code(1).assert_stderr_empty();
    assert!(
        shown.text().contains("[rotation-w-lost]") && shown.text().contains("repair rebuilds w"),
        "{}",
        shown.text()
    );
    let json = run(["check", "--json", text(&project("testdata/invalid/truncated_in_curve.bin"))]).code(1).json();
    assert_eq!(codes(&json), ["truncated"]);
    // Nothing to repair.
    let json = run(["check", "--json", text(&project("testdata/invalid/empty.bin"))]).code(1).json();
    assert_eq!(codes(&json), ["unreadable"]);
    run(["check", "nowhere.bin"]).code(1).assert_stderr_contains("nowhere.bin: ");
    run(["check"]).code(2);
}

#[test]
fn one_bad_file_sets_the_exit_code() {
    let (good, bad) = (valid("mrtk25_simulated.bin"), project("testdata/invalid/random.bin"));
    let run = Run::new(holotape().args(["check", "--json"]).args([&good, &bad])).code(1).assert_stderr_empty();
    assert_eq!(run.text().lines().count(), 2);
}

#[test]
fn repair_rebuilds_lost_rotations() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.bin");
    run(["repair", text(&valid("mrtk27_rotation_w_lost.bin")), text(&out)]).code(3).assert_stderr_contains("rebuilt w");
    let json = run(["check", "--json", text(&out)]).json();
    assert!(!codes(&json).contains(&"rotation-w-lost".to_owned()), "{json}");
}

#[test]
fn repair_keeps_truncated_files_up_to_the_end() {
    let folder = tempdir().expect("a folder");
    let [demo, cut, out] = ["demo.bin", "cut.bin", "out.bin"].map(|name| folder.path().join(name));
    run(["demo", text(&demo), "--seconds", "2"]).code(0);
    let bytes = fs::read(&demo).expect("readable");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    let json = run(["repair", text(&cut), text(&out), "--json"]).code(3).assert_stderr_empty().json();
    assert!(json["lost"].as_array().is_some_and(|lost| !lost.is_empty()), "{json}");
    assert_eq!(json["repaired"][0]["code"], "truncated");
    let counts = run(["info", "--json", text(&out)]).code(0).json()["key_counts"].clone();
    assert!(counts["left.IndexTip.position.x"].as_u64() > Some(0), "{counts}");
    assert!(counts["gaze.origin.x"].is_null(), "{counts}");
    let nothing = folder.path().join("nothing.bin");
    fs::write(&nothing, b"GIF89a, not hands").expect("written");
    run(["repair", text(&nothing), text(&out), "--force"])
        .code(1)
        .assert_stderr_contains("nothing.bin: not an input animation");
}

#[test]
fn headerless_option_reads_a_file_without_a_header() {
    let folder = tempdir().expect("a folder");
    let [bare, out] = ["bare.bin", "out.bin"].map(|name| folder.path().join(name));
    let bytes = fs::read(valid("mrtk25_simulated.bin")).expect("readable");
    fs::write(&bare, &bytes[16..]).expect("written");
    run(["repair", text(&bare), text(&out)]).code(1);
    run(["repair", text(&bare), text(&out), "--headerless"]).assert_stderr_contains("read as version 1.0");
    let intact = valid("mrtk25_simulated.bin");
    run(["repair", text(&intact), text(&folder.path().join("intact.bin")), "--headerless"])
        .assert_stderr_contains("note: --headerless has no effect: the file has a header");
    run(["diff", text(&out), text(&intact), "--tolerance", "0.1mm,0.01deg"]).code(0);
}

#[test]
fn repair_keeps_an_intact_file() {
    let folder = tempdir().expect("a folder");
    let [demo, out] = ["demo.bin", "out.bin"].map(|name| folder.path().join(name));
    run(["demo", text(&demo), "--seconds", "2"]).code(0);
    run(["repair", text(&demo), text(&out)]).code(0).assert_stderr_contains("note: nothing to repair\n");
    assert!(fs::read(&demo).expect("readable") == fs::read(&out).expect("written"));
}
