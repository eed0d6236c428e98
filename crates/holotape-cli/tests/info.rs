//! `holotape info`

use std::fs::{self, File};
use std::process::Stdio;

use tempfile::tempdir;

use crate::common::{Run, holotape, project, run, text, valid, valid_pairs};

#[test]
fn json_matches_the_test_data() {
    for (path, expected) in valid_pairs() {
        let info = run(["info", "--json", text(&path)]).code(0).assert_stderr_empty().json();
        for field in ["version", "marker_list", "channels", "key_counts"] {
            assert_eq!(info[field], expected[field], "{} {field}", path.display());
        }
        assert_eq!(info["key_layout"], expected["keys"], "{}", path.display());
        let as_f32 = |value: &serde_json::Value| value.as_f64().expect("a number") as f32;
        assert_eq!(as_f32(&info["duration_secs"]), as_f32(&expected["duration"]), "{}", path.display());
        let (markers, expected_markers) = (info["markers"].as_array(), expected["markers"].as_array());
        let (markers, expected_markers) = (markers.expect("an array"), expected_markers.expect("an array"));
        assert_eq!(markers.len(), expected_markers.len());
        for (marker, expected) in markers.iter().zip(expected_markers) {
            assert_eq!(marker["name"], expected["name"]);
            assert_eq!(as_f32(&marker["time"]), as_f32(&expected["time"]));
        }
        assert_eq!(info["file_bytes"], fs::metadata(&path).expect("metadata").len());
    }
}

#[test]
fn json_counts_pinches_and_tracked_spans() {
    let info = run(["info", "--json", text(&valid("mrtk28_all.bin"))]).code(0).json();
    let (left, right) = (&info["body_parts"]["left"], &info["body_parts"]["right"]);
    let is_about =
        |value: &serde_json::Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-3;
    // Counted by hand, in samples of the flags at 1000 Hz.
    assert!(is_about(&left["tracked_fraction"], 0.881) && is_about(&right["tracked_fraction"], 1.0), "{info}");
    assert_eq!((&left["tracked_span_count"], &left["pinch_count"]), (&1.into(), &0.into()));
    assert_eq!((&right["tracked_span_count"], &right["pinch_count"]), (&1.into(), &1.into()));
    assert!(is_about(&right["pinch_secs"], 0.683), "{right}");
    assert!(info["body_parts"]["camera"]["rate_hz"].as_f64().is_some_and(|rate| rate > 1.0), "{info}");
}

#[test]
fn lost_rotations_are_counted() {
    let broken = valid("mrtk27_rotation_w_lost.bin");
    let shown = run(["info", text(&broken)]).code(0).assert_stderr_empty();
    assert!(shown.text().contains("wrong rotations: 53 poses have lost rotation w"), "{}", shown.text());
    assert_eq!(run(["info", "--json", text(&broken)]).json()["lost_w_count"], 53);
    for (path, _) in valid_pairs().iter().filter(|(path, _)| *path != broken) {
        assert_eq!(run(["info", "--json", text(path)]).json()["lost_w_count"], 0, "{}", path.display());
    }
}

// Windows has no file for standard input; `-` is tested on all systems.
#[cfg(unix)]
#[test]
fn dev_stdin_is_readable() {
    let path = valid("mrtk28_all.bin");
    let script = "cat \"$1\" | \"$0\" info --json /dev/stdin";
    let mut shell = std::process::Command::new("sh");
    let piped = Run::new(shell.args(["-c", script, env!("CARGO_BIN_EXE_holotape"), text(&path)])).code(0);
    assert_eq!(piped.json()["key_count"], run(["info", "--json", text(&path)]).json()["key_count"]);
}

// Pipes of Windows are no files in a folder.
#[cfg(unix)]
#[test]
fn named_pipe_is_readable() {
    let folder = tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let script = "mkfifo \"$2\" && { cat \"$1\" > \"$2\" & timeout 300 \"$0\" info --json \"$2\"; }";
    let mut shell = std::process::Command::new("sh");
    let path = valid("mrtk28_all.bin");
    let piped = Run::new(shell.args(["-c", script, env!("CARGO_BIN_EXE_holotape"), text(&path), text(&pipe)])).code(0);
    assert_eq!(piped.json()["key_count"], run(["info", "--json", text(&path)]).json()["key_count"]);
}

#[test]
fn json_with_byte_order_mark_is_detected() {
    let folder = tempdir().expect("a folder");
    let json = run(["convert", text(&valid("mrtk28_camera_only.bin")), "-", "--to", "json"]).code(0).stdout;
    let path = folder.path().join("copy.json");
    fs::write(&path, [b"\xef\xbb\xbf", &json[..]].concat()).expect("writes");
    let info = run(["info", "--json", text(&path)]).code(0).json();
    assert_eq!((info["file_format"].as_str(), info["key_count"].as_u64()), (Some("json"), Some(148)));
    assert!(run(["info", text(&path)]).code(0).text().contains("JSON document of version 1.1"));
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let (good, bad) = (valid("mrtk28_all.bin"), project("testdata/invalid/random.bin"));
    let run = run(["info", "--json", text(&good), text(&bad), text(&good)])
        .code(1)
        .assert_stderr_contains("random.bin: not an input");
    assert_eq!(run.text().lines().count(), 2);
}

#[test]
fn standard_input_and_json_are_readable() {
    let folder = tempdir().expect("a folder");
    let json = folder.path().join("copy.json");
    run(["convert", text(&valid("mrtk28_all.bin")), text(&json)]).code(0);
    let keys = run(["info", "--json", text(&valid("mrtk28_all.bin"))]).json()["key_count"].clone();
    assert_eq!(run(["info", "--json", text(&json)]).code(0).json()["key_count"], keys);
    for path in [valid("mrtk28_all.bin"), json] {
        let stdin = Stdio::from(File::open(path).expect("readable"));
        let piped = Run::new(holotape().args(["info", "--json", "-"]).stdin(stdin)).code(0);
        assert_eq!(piped.json()["key_count"], keys);
    }
}

#[test]
fn read_errors_name_the_file() {
    run(["info", "no/such.bin"]).code(1).assert_stderr_contains("error: no/such.bin: no such file or folder\n");
    run(["info", text(&project("testdata"))]).code(1).assert_stderr_contains("testdata: is a folder, not a file\n");
    let below_a_file = valid("mrtk28_all.bin").join("below.bin");
    // Windows does not tell the two apart.
    let missing =
        if cfg!(windows) { "no such file or folder\n" } else { "a part of the path is a file, not a folder\n" };
    run(["info", text(&below_a_file)]).code(1).assert_stderr_contains(missing);
    run(["info", text(&project("testdata/invalid/empty.bin"))])
        .code(1)
        .assert_stderr_contains("empty.bin: the file is empty");
    run(["info"]).code(2).assert_stderr_contains("Usage:");
    let piped = Run::new(holotape().args(["info", "-"])).code(1);
    piped.assert_stderr_contains("standard input: the file is empty");
}

/// Writes a sparse recording of 300 MB: 395 curves of 94,000 keys.
#[cfg(target_os = "linux")]
fn big_file(path: &std::path::Path) {
    use std::io::{Seek, SeekFrom, Write};

    let keys = 94_000_u32;
    let mut file = File::create(path).expect("writable");
    file.write_all(&fs::read(valid("mrtk28_all.bin")).expect("readable")[..16]).expect("writes");
    file.write_all(&[1, 1, 1]).expect("writes");
    for _ in 0..395 {
        file.write_all(&[8, 0, 0, 0, 8, 0, 0, 0]).expect("writes");
        file.write_all(&keys.to_le_bytes()).expect("writes");
        file.seek(SeekFrom::Current(i64::from(keys) * 8)).expect("seeks");
    }
    file.write_all(&[0; 4]).expect("writes");
}

#[cfg(target_os = "linux")]
#[test]
fn info_on_300_megabytes_needs_less_than_30() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("big.bin");
    big_file(&path);
    assert!(fs::metadata(&path).expect("metadata").len() > 297_000_000);
    // Limits the data memory of the process, including that of the program and its libraries.
    let limited = |kilobytes: u32| {
        let script = format!("ulimit -d {kilobytes} && exec \"$0\" info --json \"$1\"");
        let mut shell = std::process::Command::new("sh");
        Run::new(shell.args(["-c", &script, env!("CARGO_BIN_EXE_holotape"), text(&path)]))
    };
    let info = limited(30_000).code(0).json();
    assert_eq!(info["key_count"], 395 * 94_000);
    assert_ne!(limited(200).code, Some(0), "the limit has no effect");
}
