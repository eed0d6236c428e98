//! `holotape check` and `holotape repair`

mod common;

use std::fs;

use common::{Run, holotape, project, run, text, valid};
use tempfile::tempdir;

fn codes(json: &serde_json::Value) -> Vec<String> {
    let findings = json["findings"].as_array().expect("a list");
    findings.iter().map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect()
}

#[test]
fn what_is_sound_is_found_sound() {
    let folder = tempdir().expect("a folder");
    let take = folder.path().join("take.bin");
    run(["demo", text(&take), "--seconds", "3"]).code(0);
    let json = run(["check", "--json", text(&take)]).code(0).silently().json();
    assert_eq!((&json["errors"], &json["warnings"]), (&0.into(), &0.into()), "{json}");
    run(["check", "--strict", text(&take)]).code(0).silently();
}

#[test]
fn faults_have_codes_places_and_advice() {
    let lost = valid("mrtk27_rotation_w_lost.bin");
    let run_json = run(["check", "--json", text(&lost)]).code(1).silently();
    let json = run_json.json();
    assert!(codes(&json).contains(&"rotation-w-lost".to_owned()), "{json}");
    assert!(json["errors"].as_u64() > Some(0));
    let shown = run(["check", text(&lost)]).code(1).silently();
    assert!(
        shown.text().contains("[rotation-w-lost]") && shown.text().contains("repair rebuilds w"),
        "{}",
        shown.text()
    );
    let json = run(["check", "--json", text(&project("testdata/invalid/truncated_in_curve.bin"))]).code(1).json();
    assert_eq!(codes(&json), ["truncated"]);
    run(["check", "nowhere.bin"]).code(1).says("nowhere.bin: ");
    run(["check"]).code(2);
}

#[test]
fn one_bad_file_among_many_gives_the_exit_code() {
    let (good, bad) = (valid("mrtk25_simulated.bin"), project("testdata/invalid/random.bin"));
    let run = Run::of(holotape().args(["check", "--json"]).args([&good, &bad])).code(1).silently();
    assert_eq!(run.text().lines().count(), 2);
}

#[test]
fn lost_rotations_come_back() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.bin");
    run(["repair", text(&valid("mrtk27_rotation_w_lost.bin")), text(&out)]).code(3).says("rebuilt w");
    let json = run(["check", "--json", text(&out)]).json();
    assert!(!codes(&json).contains(&"rotation-w-lost".to_owned()), "{json}");
}

#[test]
fn what_is_cut_is_kept_as_far_as_it_goes() {
    let folder = tempdir().expect("a folder");
    let [take, cut, out] = ["take.bin", "cut.bin", "out.bin"].map(|name| folder.path().join(name));
    run(["demo", text(&take), "--seconds", "2"]).code(0);
    let bytes = fs::read(&take).expect("readable");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    let json = run(["repair", text(&cut), text(&out), "--json"]).code(3).silently().json();
    assert!(json["lost"].as_array().is_some_and(|lost| !lost.is_empty()), "{json}");
    assert_eq!(json["done"][0]["code"], "truncated");
    let counts = run(["info", "--json", text(&out)]).code(0).json()["key_counts"].clone();
    assert!(counts["left.IndexTip.position.x"].as_u64() > Some(0), "{counts}");
    assert!(counts["gaze.origin.x"].is_null(), "{counts}");
    let nothing = folder.path().join("nothing.bin");
    fs::write(&nothing, b"GIF89a, not hands").expect("written");
    run(["repair", text(&nothing), text(&out), "--force"]).code(1).says("nothing.bin: not an input animation");
}

#[test]
fn a_body_without_header_is_read_when_told_to() {
    let folder = tempdir().expect("a folder");
    let [bare, out] = ["bare.bin", "out.bin"].map(|name| folder.path().join(name));
    let bytes = fs::read(valid("mrtk25_simulated.bin")).expect("readable");
    fs::write(&bare, &bytes[16..]).expect("written");
    run(["repair", text(&bare), text(&out)]).code(1);
    run(["repair", text(&bare), text(&out), "--headerless"]).says("read as version 1.0");
    run(["diff", text(&out), text(&valid("mrtk25_simulated.bin")), "--tolerance", "0.1mm,0.01deg"]).code(0);
}

#[test]
fn nothing_to_repair_changes_nothing() {
    let folder = tempdir().expect("a folder");
    let [take, out] = ["take.bin", "out.bin"].map(|name| folder.path().join(name));
    run(["demo", text(&take), "--seconds", "2"]).code(0);
    run(["repair", text(&take), text(&out)]).code(0).says("nothing to repair");
    assert!(fs::read(&take).expect("readable") == fs::read(&out).expect("written"));
}
