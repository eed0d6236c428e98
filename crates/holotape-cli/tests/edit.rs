//! `holotape trim`, `concat`, `merge`, `retime`, `resample`, `mirror`, `transform`, `select`, `markers`, `optimize`

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, run, text, valid};

/// A temporary folder that contains `demo.bin`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempdir().expect("a folder"));
        run(["demo", &folder.path("demo.bin"), "--seconds", "4"]).code(0);
        folder
    }

    fn path(&self, name: &str) -> String {
        text(&self.0.path().join(name)).to_owned()
    }

    /// Runs `holotape COMMAND IN OUT OPTIONS…` on files of this folder.
    #[track_caller]
    fn edit(&self, command: &str, from: &str, to: &str, options: &[&str]) -> Run {
        Run::new(holotape().args(command.split(' ')).args([self.path(from), self.path(to)]).args(options))
    }

    #[track_caller]
    fn assert_same_motion(&self, a: &str, b: &str, tolerance: &str) {
        let diff = Run::new(holotape().args(["diff", &self.path(a), &self.path(b), "--tolerance", tolerance]));
        assert_eq!(diff.code, Some(0), "{}{}", diff.text(), diff.stderr);
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("written")
    }
}

const CLOSE: &str = "0.1mm,0.01deg";

#[test]
fn concat_of_trimmed_spans_restores_the_motion() {
    let folder = Folder::new();
    folder.edit("trim", "demo.bin", "a.bin", &["--to", "1.2345"]).code(0).assert_stderr_empty();
    folder.edit("trim", "demo.bin", "b.bin", &["--from", "1.2345", "--to", "3"]).code(0).assert_stderr_empty();
    folder.edit("trim", "demo.bin", "c.bin", &["--from", "3"]).code(0).assert_stderr_empty();
    let pieces = ["a.bin", "b.bin", "c.bin", "whole.bin"].map(|name| folder.path(name));
    Run::new(holotape().arg("concat").args(pieces)).code(0).assert_stderr_empty();
    folder.assert_same_motion("demo.bin", "whole.bin", CLOSE);
    let info = run(["info", "--json", &folder.path("b.bin")]).json();
    assert!((info["duration_secs"].as_f64().expect("a number") - 1.7655).abs() < 1e-5);
}

#[test]
fn concat_restores_keys_before_zero_and_markers_at_the_cut() {
    let folder = Folder::new();
    for name in ["mrtk25_rolling_cutoff.bin", "mrtk28_resaved_from_mrtk25.bin"] {
        run([
            "markers",
            "add",
            text(&valid(name)),
            &folder.path("demo.bin"),
            "--at",
            "0.5",
            "--name",
            "cut",
            "--force",
        ])
        .code(0);
        folder.edit("trim", "demo.bin", "a.bin", &["--to", "0.5", "--force"]).code(0).assert_stderr_empty();
        folder.edit("trim", "demo.bin", "b.bin", &["--from", "0.5", "--force"]).code(0).assert_stderr_empty();
        assert_eq!(run(["info", "--json", &folder.path("a.bin")]).json()["duration_secs"], 0.5);
        let pieces = ["a.bin", "b.bin", "whole.bin"].map(|name| folder.path(name));
        Run::new(holotape().arg("concat").args(pieces).arg("--force")).code(0).assert_stderr_empty();
        folder.assert_same_motion("demo.bin", "whole.bin", CLOSE);
    }
}

#[test]
fn gap_extends_the_recording() {
    let folder = Folder::new();
    let [demo, twice] = ["demo.bin", "twice.bin"].map(|name| folder.path(name));
    run(["concat", &demo, &demo, &twice, "--gap", "0.5"]).code(0).assert_stderr_empty();
    assert_eq!(run(["info", "--json", &twice]).json()["duration_secs"], 8.5);
}

#[test]
fn invalid_spans_are_rejected() {
    let folder = Folder::new();
    folder.edit("trim", "demo.bin", "x.bin", &[]).code(2);
    folder
        .edit("trim", "demo.bin", "x.bin", &["--from", "2", "--to", "1"])
        .code(2)
        .assert_stderr_contains("--from 2 is after --to 1");
    let message = "--from 99 is after the end of the recording, which lasts 4 s";
    folder.edit("trim", "demo.bin", "x.bin", &["--from", "99"]).code(2).assert_stderr_contains(message);
    let [sampled, drawn] = [["sample", "--rate", "1"], ["plot", "-", "--dark"]].map(|args| {
        let [command, args @ ..] = args;
        Run::new(holotape().args([command, &folder.path("demo.bin")]).args(args).args(["--from", "99"]))
    });
    sampled.code(2).assert_stderr_contains(message);
    drawn.code(2).assert_stderr_contains(message);
    folder.edit("trim", "demo.bin", "x.bin", &["--from", "99", "--to", "100"]).code(2).assert_stderr_contains(message);
    folder.edit("trim", "demo.bin", "x.bin", &["--to", "-1"]).code(2).assert_stderr_contains("--to -1 is before");
    assert!(!Path::new(&folder.path("x.bin")).exists());
}

#[test]
fn retime_is_reversible() {
    let folder = Folder::new();
    folder.edit("retime", "demo.bin", "fast.bin", &["--speed", "2", "--shift", "1"]).code(0).assert_stderr_empty();
    assert_eq!(run(["info", "--json", &folder.path("fast.bin")]).json()["duration_secs"], 3.0);
    folder.edit("retime", "fast.bin", "back.bin", &["--shift", "-1"]).code(0).assert_stderr_empty();
    folder.edit("retime", "back.bin", "same.bin", &["--speed", "0.5"]).code(0).assert_stderr_empty();
    folder.assert_same_motion("demo.bin", "same.bin", CLOSE);
    folder.edit("retime", "demo.bin", "early.bin", &["--shift", "-1"]).code(0).assert_stderr_contains("before time 0");
    folder
        .edit("retime", "demo.bin", "x.bin", &["--speed", "-1"])
        .code(2)
        .assert_stderr_contains("must be a number greater than 0");
    folder
        .edit("transform", "demo.bin", "x.bin", &["--translate", "1e300,0,0"])
        .code(2)
        .assert_stderr_contains("1e300");
}

#[test]
fn mirror_twice_restores_the_file() {
    let folder = Folder::new();
    folder.edit("mirror", "demo.bin", "mirror.bin", &[]).code(0).assert_stderr_empty();
    folder.edit("mirror", "mirror.bin", "again.bin", &[]).code(0).assert_stderr_empty();
    assert!(folder.bytes("demo.bin") == folder.bytes("again.bin"));
    let at = |name: &str| run(["sample", &folder.path(name), "--at", "1"]).json();
    let (original, mirrored) = (at("demo.bin"), at("mirror.bin"));
    let x = |frame: &serde_json::Value, hand: &str| frame[hand]["joints"]["Palm"]["position"][0].as_f64();
    assert_eq!(x(&original, "left").expect("a palm"), -x(&mirrored, "right").expect("a palm"));
}

#[test]
fn transform_is_reversible() {
    let folder = Folder::new();
    folder.edit("transform", "demo.bin", "moved.bin", &["--translate", "1,-2,0.5"]).code(0).assert_stderr_empty();
    folder.edit("transform", "moved.bin", "back.bin", &["--translate=-1,2,-0.5"]).code(0).assert_stderr_empty();
    folder.assert_same_motion("demo.bin", "back.bin", CLOSE);
    folder.edit("transform", "demo.bin", "turned.bin", &["--yaw", "90"]).code(0).assert_stderr_empty();
    folder.edit("transform", "turned.bin", "back.bin", &["--yaw", "-90", "--force"]).code(0).assert_stderr_empty();
    folder.assert_same_motion("demo.bin", "back.bin", CLOSE);
    folder.edit("transform", "turned.bin", "origin.bin", &["--head-to-origin"]).code(0).assert_stderr_empty();
    let head = &run(["sample", &folder.path("origin.bin"), "--at", "0"]).json()["camera"];
    for axis in 0..3 {
        assert!(head["position"][axis].as_f64().expect("a number").abs() < 1e-5, "{head}");
    }
    let floor = ["--head-to-origin", "--keep-height"];
    folder.edit("transform", "turned.bin", "floor.bin", &floor).code(0).assert_stderr_empty();
    let head = &run(["sample", &folder.path("floor.bin"), "--at", "0"]).json()["camera"];
    assert!(head["position"][1].as_f64() > Some(1.0), "{head}");
    folder.edit("transform", "demo.bin", "x.bin", &[]).code(2);
    folder.edit("transform", "demo.bin", "x.bin", &["--translate", "1,2"]).code(2);
}

#[test]
fn merge_of_all_channels_restores_the_file() {
    let folder = Folder::new();
    let demo = folder.path("demo.bin");
    let merged = folder.path("merged.bin");
    run(["merge", &merged, "--camera", &demo, "--left", &demo, "--right", &demo, "--gaze", &demo])
        .code(0)
        .assert_stderr_empty();
    assert!(folder.bytes("merged.bin") == folder.bytes("demo.bin"));
    run(["merge", &folder.path("x.bin")]).code(2);
    // Two paths to one file do not duplicate its markers.
    let other_name = format!("{}/./demo.bin", folder.path("."));
    run(["merge", &merged, "--camera", &demo, "--hands", &other_name, "--gaze", &demo, "--force"])
        .code(0)
        .assert_stderr_empty();
    assert!(folder.bytes("merged.bin") == folder.bytes("demo.bin"));
    let no_gaze = valid("mrtk25_simulated.bin");
    run(["merge", &folder.path("m.bin"), "--camera", &demo, "--gaze", text(&no_gaze)])
        .code(0)
        .assert_stderr_contains("has no gaze");
}

#[test]
fn select_keeps_and_drops_by_name() {
    let folder = Folder::new();
    folder.edit("select", "demo.bin", "left.bin", &["--keep", "left,camera"]).code(0).assert_stderr_empty();
    let info = run(["info", "--json", &folder.path("left.bin")]).json();
    assert_eq!(info["channels"], serde_json::json!({"camera": true, "hands": true, "gaze": false}));
    assert!(info["key_counts"]["left.Palm.position.x"].as_u64() > Some(0));
    assert!(info["key_counts"]["right.Palm.position.x"].is_null());
    folder.edit("select", "demo.bin", "tips.bin", &["--drop", "gaze, right.IndexTip"]).code(0).assert_stderr_empty();
    let info = run(["info", "--json", &folder.path("tips.bin")]).json();
    assert!(info["key_counts"]["right.IndexTip.position.x"].is_null());
    assert!(info["key_counts"]["left.IndexTip.position.x"].as_u64() > Some(0));
    folder.edit("select", "demo.bin", "x.bin", &["--keep", "thumbs"]).code(2).assert_stderr_contains("thumbs");
    let no_gaze = valid("mrtk25_simulated.bin");
    run(["select", text(&no_gaze), &folder.path("x.bin"), "--keep", "gaze"])
        .code(0)
        .assert_stderr_contains("no curve is left");
}

#[test]
fn resample_writes_one_key_per_frame() {
    let folder = Folder::new();
    folder.edit("resample", "demo.bin", "slow.bin", &["--rate", "30"]).code(0).assert_stderr_empty();
    let info = run(["info", "--json", &folder.path("slow.bin")]).json();
    assert_eq!(info["key_counts"]["camera.position.x"], 121);
    folder.edit("resample", "demo.bin", "x.bin", &["--rate", "0"]).code(2);
    folder
        .edit("resample", "demo.bin", "x.bin", &["--rate", "1e9"])
        .code(2)
        .assert_stderr_contains("--rate 1000000000: too many frames");
    run(["stats", &folder.path("demo.bin"), "--path-rate", "1e9"])
        .code(2)
        .assert_stderr_contains("--path-rate 1000000000: ")
        .assert_stderr_contains("too many frames");
    // Three hours of few keys: too many frames of the gaze, whatever the option is.
    folder.edit("retime", "demo.bin", "long.bin", &["--speed", "0.0004"]).code(0);
    let stats = run(["stats", &folder.path("long.bin")]).code(1).assert_stderr_contains("at a rate of 60 Hz");
    assert!(!stats.stderr.contains("--path-rate"), "{}", stats.stderr);
}

#[test]
fn markers_can_be_added_moved_and_removed() {
    let folder = Folder::new();
    let list = |name: &str| -> Vec<(f64, String)> {
        let json = run(["markers", "list", "--json", &folder.path(name)]).code(0).json();
        let markers = json["markers"].as_array().expect("a list").clone();
        let pair = |marker: &serde_json::Value| {
            (marker["time"].as_f64().expect("a time"), marker["name"].as_str().expect("a name").to_owned())
        };
        markers.iter().map(pair).collect()
    };
    folder.edit("markers remove", "demo.bin", "none.bin", &["--all"]).code(0).assert_stderr_empty();
    assert!(list("none.bin").is_empty());
    folder.edit("markers add", "none.bin", "one.bin", &["--at", "2.5", "--name", "cup"]).code(0).assert_stderr_empty();
    folder.edit("markers add", "one.bin", "two.bin", &["--at", "1", "--name", "chair"]).code(0).assert_stderr_empty();
    assert_eq!(list("two.bin"), [(1.0, "chair".to_owned()), (2.5, "cup".to_owned())]);
    folder
        .edit("markers move", "two.bin", "moved.bin", &["--name", "chair", "--at", "3"])
        .code(0)
        .assert_stderr_empty();
    assert_eq!(list("moved.bin"), [(2.5, "cup".to_owned()), (3.0, "chair".to_owned())]);
    folder.edit("markers remove", "moved.bin", "last.bin", &["--index", "0"]).code(0).assert_stderr_empty();
    assert_eq!(list("last.bin"), [(3.0, "chair".to_owned())]);
    folder
        .edit("markers add", "last.bin", "x.bin", &["--at", "1e300", "--name", "never"])
        .code(2)
        .assert_stderr_contains("too large");
    folder
        .edit("markers remove", "last.bin", "x.bin", &["--name", "cup"])
        .code(2)
        .assert_stderr_contains("no marker with the name");
    folder
        .edit("markers remove", "last.bin", "x.bin", &["--index", "7"])
        .code(2)
        .assert_stderr_contains("no marker with index 7; the recording has 1");
    for (time, name, message) in
        [("-1", "early", "at least 0"), ("inf", "never", "finite"), ("1", "", "must not be empty")]
    {
        for command in ["markers add", "markers move"].into_iter().take(if name.is_empty() { 1 } else { 2 }) {
            let args = ["--at", time, "--name", name];
            folder.edit(command, "last.bin", "x.bin", &args).code(2).assert_stderr_contains(message);
        }
    }
    folder
        .edit("markers add", "last.bin", "late.bin", &["--at", "99", "--name", "late"])
        .code(0)
        .assert_stderr_contains("warning: the marker at 99 s is after the end of the recording, which lasts 4 s");
    let shown = run(["markers", "list", &folder.path("two.bin")]).code(0);
    assert_eq!(shown.text(), "    0       1.000 s  chair\n    1       2.500 s  cup\n");
    // Files without a marker list get one.
    let bare: PathBuf = valid("documented11_full_keys.bin");
    let out = folder.path("listed.bin");
    run(["markers", "add", text(&bare), &out, "--at", "0", "--name", "start"]).code(0).assert_stderr_empty();
    assert_eq!(list("listed.bin"), [(0.0, "start".to_owned())]);
}

#[test]
fn optimize_stays_within_the_tolerance_and_reports_it() {
    let folder = Folder::new();
    let json = folder.edit("optimize", "demo.bin", "small.bin", &["--json"]).code(0).assert_stderr_empty().json();
    let number = |name: &str| json[name].as_f64().expect(name);
    assert!(number("keys_after") < 0.5 * number("keys_before"), "{json}");
    assert!(number("max_position_error_m") <= 0.002 && number("max_position_error_m") > 0.0);
    assert!(number("max_rotation_error_deg") <= 0.2 && number("max_direction_error_deg") <= 0.2);
    folder.assert_same_motion("demo.bin", "small.bin", "2.001mm,0.21deg");
    let fine = ["--joint", "0.1mm,0.02deg", "--camera", "0.1mm", "--gaze", "0.1mm"];
    folder.edit("optimize", "demo.bin", "fine.bin", &fine).code(0).assert_stderr_contains("keys left");
    folder.assert_same_motion("demo.bin", "fine.bin", "0.1001mm,0.021deg");
    assert!(folder.bytes("fine.bin").len() > folder.bytes("small.bin").len());
    // If the recording goes to stdout, the report goes to stderr.
    let piped = run(["optimize", &folder.path("demo.bin"), "-", "--json"]).code(0).assert_stderr_contains("keys_after");
    assert!(piped.stdout == folder.bytes("small.bin"));
}
