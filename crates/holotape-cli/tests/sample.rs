//! `holotape sample`

use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{holotape, run, text, valid, valid_pairs};

#[test]
fn raw_json_matches_the_test_data() {
    for (path, expected) in valid_pairs() {
        let times = expected["times"].as_array().expect("an array");
        let at: Vec<_> = times.iter().map(ToString::to_string).collect();
        let raw = run(["sample", text(&path), "--raw", "--at", &at.join(",")]).code(0).assert_stderr_empty().json();
        assert_eq!(raw["times"], expected["times"]);
        let (values, wanted) = (raw["values"].as_object(), expected["values"].as_object());
        let (values, wanted) = (values.expect("an object"), wanted.expect("an object"));
        assert_eq!(values.len(), wanted.len(), "{}", path.display());
        for (curve, wanted) in wanted {
            for (index, wanted) in wanted.as_array().expect("an array").iter().enumerate() {
                let wanted = wanted.as_f64().expect("a number");
                let value = values[curve][index].as_f64().expect("a number");
                // The listed times are rounded to nine digits, which a steep curve shows.
                let close = (value - wanted).abs() <= 2e-5 * wanted.abs().max(1.0);
                assert!(close, "{} {curve} at {}: {value}, expected {wanted}", path.display(), times[index]);
            }
        }
    }
}

#[test]
fn frame_has_the_documented_fields() {
    let path = valid("mrtk28_all.bin");
    let frame = run(["sample", text(&path), "--at", "1.25"]).code(0).json();
    assert_eq!(frame["time"], 1.25);
    let length = |value: &Value| value.as_array().map(Vec::len);
    assert_eq!(length(&frame["camera"]["position"]), Some(3));
    assert_eq!(length(&frame["camera"]["rotation"]), Some(4));
    assert_eq!(length(&frame["gaze"]["direction"]), Some(3));
    let rotation = frame["camera"]["rotation"].as_array().expect("an array");
    let norm: f64 = rotation.iter().filter_map(Value::as_f64).map(|x| x * x).sum();
    assert!((norm - 1.0).abs() < 1e-6);
    let hands = ["left", "right"].map(|hand| &frame[hand]);
    for hand in hands {
        let joints = hand["joints"].as_object().map_or(0, |joints| joints.len());
        assert_eq!(joints > 0, hand["tracked"] == true, "{hand}");
    }
}

#[test]
fn untracked_hands_have_poses_only_with_the_option() {
    // The left hand of this recording is never tracked; the right one is lost at its end.
    let path = valid("mrtk28_right_hand_markers.bin");
    let frame = run(["sample", text(&path), "--at", "99"]).code(0).json();
    assert_eq!(frame["left"]["tracked"], false);
    assert!(frame["left"].get("joints").is_none());
    let tracked = run(["sample", text(&path), "--at", "1"]).code(0).json();
    assert_eq!(tracked["right"]["joints"].as_object().map(|joints| joints.len()), Some(26));
    let asked = run(["sample", text(&path), "--at", "99", "--include-untracked"]).code(0).json();
    assert!(asked["right"]["joints"].is_object());
}

#[test]
fn formats_have_the_same_values() {
    let path = valid("mrtk28_all.bin");
    let rows = ["--rate", "10", "--from", "0.5", "--to", "1.5"];
    let sample = |extra: &[&str]| {
        let run = crate::common::Run::new(holotape().args(["sample", text(&path)]).args(rows).args(extra)).code(0);
        run.text().to_owned()
    };
    let ndjson: Vec<Value> = sample(&[]).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(ndjson.len(), 11);
    let json: Vec<Value> = serde_json::from_str(&sample(&["--format", "json"])).expect("JSON");
    assert_eq!(json, ndjson);
    let csv = sample(&["--format", "csv"]);
    let header: Vec<_> = csv.lines().next().expect("a header").split(',').collect();
    assert_eq!(header.len(), 396);
    for (row, frame) in csv.lines().skip(1).zip(&ndjson) {
        let cells: Vec<_> = row.split(',').collect();
        assert_eq!(cells.len(), 396);
        let cell = |name: &str| cells[header.iter().position(|column| *column == name).expect("a column")];
        let number = |name: &str| cell(name).parse::<f64>().ok();
        assert_eq!(number("time"), frame["time"].as_f64());
        assert_eq!(number("camera.position.y"), frame["camera"]["position"][1].as_f64());
        assert_eq!(cell("left.tracked"), frame["left"]["tracked"].to_string());
        let wrist = &frame["left"]["joints"]["Wrist"]["position"][0];
        assert_eq!(number("left.Wrist.position.x"), wrist.as_f64());
        assert!(!wrist.is_null() || cell("left.Wrist.position.x").is_empty());
    }
    let raw: Value = serde_json::from_str(&sample(&["--raw"])).expect("JSON");
    let raw_lines = sample(&["--raw", "--format", "ndjson"]);
    let raw_csv = sample(&["--raw", "--format", "csv"]);
    let column = raw_csv.lines().next().expect("a header").split(',').position(|name| name == "gaze.origin.x");
    for (index, line) in raw_lines.lines().enumerate() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["time"], raw["times"][index]);
        assert_eq!(line["values"]["gaze.origin.x"], raw["values"]["gaze.origin.x"][index]);
        let cell = raw_csv.lines().nth(index + 1).and_then(|row| row.split(',').nth(column?));
        assert_eq!(cell.map(str::to_owned), Some(line["values"]["gaze.origin.x"].to_string()));
    }
}

#[test]
fn invalid_times_are_usage_errors() {
    let path = valid("mrtk28_all.bin");
    for args in [&["--at", "NaN"][..], &["--at", "1,x"], &["--rate", "0"], &["--rate", "-1"], &[], &["--from", "1"]] {
        crate::common::Run::new(holotape().args(["sample", text(&path)]).args(args)).code(2);
    }
    run(["sample", text(&path), "--at", "-0.5,1e3"]).code(0).assert_stderr_empty();
    run(["sample", text(&path)]).code(2).assert_stderr_contains("--at <SECONDS>|--rate <HZ>");
    run(["sample", text(&path), "--at", "1", "--from", "0"]).code(2).assert_stderr_contains("--from");
    run(["sample", text(&path), "--rate", "1", "--from", "5", "--to", "3"])
        .code(2)
        .assert_stderr_contains("--from 5 is after --to 3");
    run(["sample", text(&path), "--rate", "1", "--from", "99"])
        .code(2)
        .assert_stderr_contains("after the end of the recording");
    run(["sample", text(&path), "--rate", "1e9", "--raw"]).code(2).assert_stderr_contains("too many");
}

#[test]
fn endless_recordings_are_not_sampled_to_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("endless.json");
    for end in ["\"Infinity\"", "1e30"] {
        let document = format!(
            r#"{{"holotape":1,"version":[1,1],"key_layout":"compact","marker_list":true,"markers":[],
                "channels":{{"camera":true,"hands":false,"gaze":false}},
                "curves":{{"camera.position.x":{{"pre_wrap":8,"post_wrap":8,"keys":[[0,0],[{end},1]]}}}}}}"#
        );
        std::fs::write(&path, document).expect("writes");
        run(["sample", text(&path), "--rate", "60"]).code(2).assert_stderr_contains("set --to or a lower --rate");
        run(["sample", text(&path), "--rate", "60", "--to", "0.1"]).code(0);
        run(["info", "--json", text(&path)]).code(0).json();
    }
}

#[test]
fn closed_pipe_is_not_an_error() {
    let path = valid("mrtk28_all.bin");
    let mut child = holotape()
        .args(["sample", text(&path), "--rate", "1000", "--to", "400"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut some = [0; 100];
    child.stdout.take().expect("piped").read_exact(&mut some).expect("some output");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
