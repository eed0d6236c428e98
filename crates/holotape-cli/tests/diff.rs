//! `holotape diff` and `holotape stats`

use tempfile::tempdir;

use crate::common::{run, text, valid};

#[test]
fn tolerance_sets_the_exit_code() {
    let folder = tempdir().expect("a folder");
    let [a, b] = ["a.bin", "b.bin"].map(|name| folder.path().join(name));
    let (a, b) = (text(&a), text(&b));
    run(["demo", a, "--seconds", "2"]).code(0);
    run(["demo", b, "--seconds", "2", "--seed", "2"]).code(0);
    run(["diff", a, b]).code(0).assert_stderr_empty();
    run(["diff", a, a, "--tolerance", "0"]).code(0).assert_stderr_empty();
    run(["diff", a, b, "--tolerance", "1mm,0.2deg"])
        .code(1)
        .assert_stderr_contains("differ by more than 1.000 mm or 0.2°");
    let json = run(["diff", a, b, "--tolerance", "10m,360", "--json"]).json();
    assert_eq!(json["within_tolerance"], false, "markers differ at any tolerance");
    assert_eq!(json["poses"][0]["id"], "camera");
    assert!(json["poses"][0]["max_position_m"]["value"].as_f64().expect("a number") > 0.0);
    run(["diff", a, b, "--tolerance", "-1"]).code(2);
    run(["diff", a]).code(2);
    run(["diff", a, "nowhere.bin"]).code(1).assert_stderr_contains("nowhere.bin");
}

#[test]
fn layouts_of_one_recording_have_equal_motion() {
    let (a, b) = (valid("mrtk28_resaved_from_mrtk25.bin"), valid("mrtk25_simulated.bin"));
    let folder = tempdir().expect("a folder");
    let copy = folder.path().join("copy.bin");
    run(["convert", text(&a), text(&copy), "--version", "1.0"]).code(0);
    let diff = run(["diff", text(&a), text(&copy), "--tolerance", "0"]).code(0);
    assert!(diff.text().starts_with("version: 1.1 in the first, 1.0 in the second\n"), "{}", diff.text());
    assert!(!run(["diff", text(&a), text(&b), "--json"]).json()["poses"].as_array().expect("poses").is_empty());
}

#[test]
fn stats_have_the_names_of_sql_columns() {
    let recording = valid("mrtk28_all.bin");
    let json = run(["stats", text(&recording), "--json"]).code(0).json();
    assert_eq!((&json["right_pinch_count"], &json["marker_count"]), (&1.into(), &0.into()));
    assert!(json["head_path_m"].as_f64().expect("a number") > 0.05);
    let shown = run(["stats", text(&recording)]).code(0);
    assert!(shown.text().contains("1 pinch, 0."), "{}", shown.text());
    let no_hands = run(["stats", text(&valid("mrtk28_gaze_only.bin")), "--json"]).code(0).json();
    assert!(no_hands["left_path_m"].is_null() && no_hands["head_path_m"].is_null());
}
