//! `holotape trim`, `concat`, `merge`, `retime`, `resample`, `mirror`, `transform`, `select`, `markers`, `optimize`

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, holotape, run, text, valid};
use tempfile::{TempDir, tempdir};

/// A folder with `take.bin` in it, and names for others.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempdir().expect("a folder"));
        run(["demo", &folder.path("take.bin"), "--seconds", "4"]).code(0);
        folder
    }

    fn path(&self, name: &str) -> String {
        text(&self.0.path().join(name)).to_owned()
    }

    /// Runs `holotape COMMAND IN OUT OPTIONS…` on files of this folder.
    #[track_caller]
    fn edit(&self, command: &str, from: &str, to: &str, options: &[&str]) -> Run {
        let words = command.split(' ');
        Run::of(holotape().args(words).args([self.path(from), self.path(to)]).args(options))
    }

    #[track_caller]
    fn assert_same_motion(&self, a: &str, b: &str, tolerance: &str) {
        let diff = Run::of(holotape().args(["diff", &self.path(a), &self.path(b), "--tolerance", tolerance]));
        assert_eq!(diff.code, Some(0), "{}{}", diff.text(), diff.stderr);
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("written")
    }
}

const HARDLY: &str = "0.1mm,0.01deg";

#[test]
fn pieces_put_together_are_the_whole() {
    let folder = Folder::new();
    folder.edit("trim", "take.bin", "a.bin", &["--to", "1.2345"]).code(0).silently();
    folder.edit("trim", "take.bin", "b.bin", &["--from", "1.2345", "--to", "3"]).code(0).silently();
    folder.edit("trim", "take.bin", "c.bin", &["--from", "3"]).code(0).silently();
    let pieces = ["a.bin", "b.bin", "c.bin", "whole.bin"].map(|name| folder.path(name));
    Run::of(holotape().arg("concat").args(pieces)).code(0).silently();
    folder.assert_same_motion("take.bin", "whole.bin", HARDLY);
    let info = run(["info", "--json", &folder.path("b.bin")]).json();
    assert!((info["duration"].as_f64().expect("a number") - 1.7655).abs() < 1e-5);
}

#[test]
fn pieces_of_what_began_before_0_and_has_a_marker_at_the_cut_are_the_whole_too() {
    let folder = Folder::new();
    for name in ["mrtk25_rolling_cutoff.bin", "mrtk28_resaved_from_mrtk25.bin"] {
        run([
            "markers",
            "add",
            text(&valid(name)),
            &folder.path("take.bin"),
            "--at",
            "0.5",
            "--name",
            "cut",
            "--force",
        ])
        .code(0);
        folder.edit("trim", "take.bin", "a.bin", &["--to", "0.5", "--force"]).code(0).silently();
        folder.edit("trim", "take.bin", "b.bin", &["--from", "0.5", "--force"]).code(0).silently();
        assert_eq!(run(["info", "--json", &folder.path("a.bin")]).json()["duration"], 0.5);
        let pieces = ["a.bin", "b.bin", "whole.bin"].map(|name| folder.path(name));
        Run::of(holotape().arg("concat").args(pieces).arg("--force")).code(0).silently();
        folder.assert_same_motion("take.bin", "whole.bin", HARDLY);
    }
}

#[test]
fn a_gap_makes_it_longer() {
    let folder = Folder::new();
    let [take, twice] = ["take.bin", "twice.bin"].map(|name| folder.path(name));
    run(["concat", &take, &take, &twice, "--gap", "0.5"]).code(0).silently();
    assert_eq!(run(["info", "--json", &twice]).json()["duration"], 8.5);
}

#[test]
fn spans_that_are_none_are_refused() {
    let folder = Folder::new();
    folder.edit("trim", "take.bin", "x.bin", &[]).code(2);
    folder.edit("trim", "take.bin", "x.bin", &["--from", "2", "--to", "1"]).code(2).says("--from 2 is after --to 1");
    folder.edit("trim", "take.bin", "x.bin", &["--from", "99"]).code(1).says("take.bin: ");
    assert!(!Path::new(&folder.path("x.bin")).exists());
}

#[test]
fn faster_and_slower_again_is_the_same() {
    let folder = Folder::new();
    folder.edit("retime", "take.bin", "fast.bin", &["--speed", "2", "--shift", "1"]).code(0).silently();
    assert_eq!(run(["info", "--json", &folder.path("fast.bin")]).json()["duration"], 3.0);
    folder.edit("retime", "fast.bin", "back.bin", &["--shift", "-1"]).code(0).silently();
    folder.edit("retime", "back.bin", "same.bin", &["--speed", "0.5"]).code(0).silently();
    folder.assert_same_motion("take.bin", "same.bin", HARDLY);
    folder.edit("retime", "take.bin", "early.bin", &["--shift", "-1"]).code(0).says("before 0");
    folder.edit("retime", "take.bin", "x.bin", &["--speed", "-1"]).code(2).says("not a number above 0");
    folder.edit("transform", "take.bin", "x.bin", &["--translate", "1e300,0,0"]).code(1).says("1e300");
}

#[test]
fn mirrored_twice_is_the_same_to_the_bit() {
    let folder = Folder::new();
    folder.edit("mirror", "take.bin", "mirror.bin", &[]).code(0).silently();
    folder.edit("mirror", "mirror.bin", "again.bin", &[]).code(0).silently();
    assert!(folder.bytes("take.bin") == folder.bytes("again.bin"));
    let at = |name: &str| run(["sample", &folder.path(name), "--at", "1"]).json();
    let (take, mirror) = (at("take.bin"), at("mirror.bin"));
    let x = |frame: &serde_json::Value, hand: &str| frame[hand]["joints"]["Palm"]["position"][0].as_f64();
    assert_eq!(x(&take, "left").expect("there"), -x(&mirror, "right").expect("there"));
}

#[test]
fn moved_and_turned_and_back() {
    let folder = Folder::new();
    folder.edit("transform", "take.bin", "moved.bin", &["--translate", "1,-2,0.5"]).code(0).silently();
    folder.edit("transform", "moved.bin", "back.bin", &["--translate=-1,2,-0.5"]).code(0).silently();
    folder.assert_same_motion("take.bin", "back.bin", HARDLY);
    folder.edit("transform", "take.bin", "turned.bin", &["--yaw", "90"]).code(0).silently();
    folder.edit("transform", "turned.bin", "back.bin", &["--yaw", "-90", "--force"]).code(0).silently();
    folder.assert_same_motion("take.bin", "back.bin", HARDLY);
    folder.edit("transform", "turned.bin", "origin.bin", &["--head-to-origin"]).code(0).silently();
    let head = &run(["sample", &folder.path("origin.bin"), "--at", "0"]).json()["camera"];
    for axis in 0..3 {
        assert!(head["position"][axis].as_f64().expect("a number").abs() < 1e-5, "{head}");
    }
    let floor = ["--head-to-origin", "--keep-height"];
    folder.edit("transform", "turned.bin", "floor.bin", &floor).code(0).silently();
    let head = &run(["sample", &folder.path("floor.bin"), "--at", "0"]).json()["camera"];
    assert!(head["position"][1].as_f64() > Some(1.0), "{head}");
    folder.edit("transform", "take.bin", "x.bin", &[]).code(2);
    folder.edit("transform", "take.bin", "x.bin", &["--translate", "1,2"]).code(2);
}

#[test]
fn the_parts_of_one_take_merge_to_that_take() {
    let folder = Folder::new();
    let take = folder.path("take.bin");
    let merged = folder.path("merged.bin");
    run(["merge", &merged, "--camera", &take, "--left", &take, "--right", &take, "--gaze", &take]).code(0).silently();
    assert!(folder.bytes("merged.bin") == folder.bytes("take.bin"));
    run(["merge", &folder.path("x.bin")]).code(2);
    // One recording, whatever it is called, has its markers once.
    let other_name = format!("{}/./take.bin", folder.path("."));
    run(["merge", &merged, "--camera", &take, "--hands", &other_name, "--gaze", &take, "--force"]).code(0).silently();
    assert!(folder.bytes("merged.bin") == folder.bytes("take.bin"));
    let no_gaze = valid("mrtk25_simulated.bin");
    run(["merge", &folder.path("m.bin"), "--camera", &take, "--gaze", text(&no_gaze)]).code(0).says("has no gaze");
}

#[test]
fn what_is_selected_stays() {
    let folder = Folder::new();
    folder.edit("select", "take.bin", "left.bin", &["--only", "left,camera"]).code(0).silently();
    let info = run(["info", "--json", &folder.path("left.bin")]).json();
    assert_eq!(info["channels"], serde_json::json!({"camera": true, "hands": true, "gaze": false}));
    assert!(info["key_counts"]["left.Palm.position.x"].as_u64() > Some(0));
    assert!(info["key_counts"]["right.Palm.position.x"].is_null());
    folder.edit("select", "take.bin", "tips.bin", &["--without", "gaze, right.IndexTip"]).code(0).silently();
    let info = run(["info", "--json", &folder.path("tips.bin")]).json();
    assert!(info["key_counts"]["right.IndexTip.position.x"].is_null());
    assert!(info["key_counts"]["left.IndexTip.position.x"].as_u64() > Some(0));
    folder.edit("select", "take.bin", "x.bin", &["--only", "thumbs"]).code(2).says("thumbs");
    let no_gaze = valid("mrtk25_simulated.bin");
    run(["select", text(&no_gaze), &folder.path("x.bin"), "--only", "gaze"]).code(0).says("no curve is left");
}

#[test]
fn resampled_motion_has_a_key_a_frame() {
    let folder = Folder::new();
    folder.edit("resample", "take.bin", "slow.bin", &["--rate", "30"]).code(0).silently();
    let info = run(["info", "--json", &folder.path("slow.bin")]).json();
    assert_eq!(info["key_counts"]["camera.position.x"], 121);
    folder.edit("resample", "take.bin", "x.bin", &["--rate", "0"]).code(2);
}

#[test]
fn markers_are_added_moved_and_removed() {
    let folder = Folder::new();
    let list = |name: &str| -> Vec<(f64, String)> {
        let json = run(["markers", "list", "--json", &folder.path(name)]).code(0).json();
        let markers = json["markers"].as_array().expect("a list").clone();
        let pair = |marker: &serde_json::Value| {
            (marker["time"].as_f64().expect("a time"), marker["name"].as_str().expect("a name").to_owned())
        };
        markers.iter().map(pair).collect()
    };
    folder.edit("markers remove", "take.bin", "none.bin", &["--all"]).code(0).silently();
    assert!(list("none.bin").is_empty());
    folder.edit("markers add", "none.bin", "one.bin", &["--at", "2.5", "--name", "cup"]).code(0).silently();
    folder.edit("markers add", "one.bin", "two.bin", &["--at", "1", "--name", "chair"]).code(0).silently();
    assert_eq!(list("two.bin"), [(1.0, "chair".to_owned()), (2.5, "cup".to_owned())]);
    folder.edit("markers move", "two.bin", "moved.bin", &["--name", "chair", "--at", "3"]).code(0).silently();
    assert_eq!(list("moved.bin"), [(2.5, "cup".to_owned()), (3.0, "chair".to_owned())]);
    folder.edit("markers remove", "moved.bin", "last.bin", &["--index", "0"]).code(0).silently();
    assert_eq!(list("last.bin"), [(3.0, "chair".to_owned())]);
    folder.edit("markers add", "last.bin", "x.bin", &["--at", "1e300", "--name", "never"]).code(2).says("too large");
    folder.edit("markers remove", "last.bin", "x.bin", &["--name", "cup"]).code(1).says("there is no marker");
    folder.edit("markers remove", "last.bin", "x.bin", &["--index", "7"]).code(1).says("number 7, there are 1");
    let shown = run(["markers", "list", &folder.path("two.bin")]).code(0);
    assert_eq!(shown.text(), "    0       1.000 s  chair\n    1       2.500 s  cup\n");
    // The files of the specification have no list to put markers in: they get one.
    let bare: PathBuf = valid("documented11_full_keys.bin");
    let out = folder.path("listed.bin");
    run(["markers", "add", text(&bare), &out, "--at", "0", "--name", "start"]).code(0).silently();
    assert_eq!(list("listed.bin"), [(0.0, "start".to_owned())]);
}

#[test]
fn optimized_motion_keeps_its_bound_and_says_what_it_did() {
    let folder = Folder::new();
    let json = folder.edit("optimize", "take.bin", "small.bin", &["--json"]).code(0).silently().json();
    let number = |name: &str| json[name].as_f64().expect(name);
    assert!(number("keys_after") < 0.5 * number("keys_before"), "{json}");
    assert!(number("max_position_error_m") <= 0.002 && number("max_position_error_m") > 0.0);
    assert!(number("max_rotation_error_deg") <= 0.2 && number("max_direction_error_deg") <= 0.2);
    folder.assert_same_motion("take.bin", "small.bin", "2.001mm,0.21deg");
    let fine = ["--joint", "0.1mm,0.02deg", "--camera", "0.1mm", "--gaze", "0.1mm"];
    folder.edit("optimize", "take.bin", "fine.bin", &fine).code(0).says("keys left");
    folder.assert_same_motion("take.bin", "fine.bin", "0.1001mm,0.021deg");
    assert!(folder.bytes("fine.bin").len() > folder.bytes("small.bin").len());
    // The recording itself goes to stdout, and then the report goes to stderr.
    let piped = run(["optimize", &folder.path("take.bin"), "-", "--json"]).code(0).says("keys_after");
    assert!(piped.stdout == folder.bytes("small.bin"));
}
