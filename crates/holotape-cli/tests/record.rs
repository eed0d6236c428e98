//! `holotape record`: records frames from standard input.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use holotape::record::Journal;
use holotape::{Hand, Recording};
use tempfile::tempdir;

use crate::common::{Run, holotape, run, signals, text, valid};

/// Runs `holotape record` in a folder, with these lines as its input.
#[track_caller]
fn record(folder: &Path, args: &[&str], lines: &str) -> Run {
    let mut command = holotape();
    command.arg("record").args(args).current_dir(folder);
    let mut child = piped(&mut command);
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).ok();
    Run::from(child.wait_with_output().expect("ends"))
}

fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn sampled(file: &Path, rate: &str) -> String {
    run(["sample", text(file), "--rate", rate]).code(0).text().to_owned()
}

#[test]
fn output_of_sample_is_recorded() {
    let folder = tempdir().expect("a folder");
    let lines = sampled(&valid("mrtk28_all.bin"), "64");
    record(folder.path(), &["out.bin"], &lines).code(0).assert_stderr_contains("recorded: out.bin: ");
    assert_eq!(names(folder.path()), ["out.bin"], "the journal is gone");
    let again = sampled(&folder.path().join("out.bin"), "64");
    assert_eq!(again.lines().count(), lines.lines().count());
    for (line, again) in lines.lines().zip(again.lines()) {
        let [a, b] = [line, again].map(|line| serde_json::from_str::<holotape::Frame>(line).expect("a frame"));
        assert_eq!((a.time, a.gaze.is_some()), (b.time, b.gaze.is_some()));
        let (camera, same) = (a.camera.expect("a camera"), b.camera.expect("a camera"));
        assert!(camera.distance_m(&same) < 1e-5 && camera.angle_deg(&same) < 0.01, "at {}", a.time);
        for hand in Hand::ALL {
            let [a, b] = [&a, &b].map(|frame| frame.hand(hand).expect("a hand"));
            assert_eq!((a.tracked, a.pinching), (b.tracked, b.pinching));
            for (a, b) in a.joints.iter().zip(&b.joints) {
                assert_eq!(a.is_some(), b.is_some());
                let (Some(a), Some(b)) = (a, b) else { continue };
                assert!(a.distance_m(b) < 1e-5 && a.angle_deg(b) < 0.01);
            }
        }
    }
}

const LINES: &str = r#"{"time":10,"camera":{"position":[0,1,0],"rotation":[0,0,0,1]}}
{"time":10.25,"marker":"grabbed the cup"}
{"time":10.5,"event":"hand_found","hand":"left"}

{"time":10.5,"camera":{"position":[0,2,0],"rotation":[0,0,0,1]}}
{"time":11,"camera":{"position":[0,3,0],"rotation":[0,0,0,1]}}
"#;

#[test]
fn markers_are_recorded_and_events_ignored() {
    let folder = tempdir().expect("a folder");
    record(folder.path(), &["out.bin"], LINES)
        .code(0)
        .assert_stderr_contains("recorded: out.bin: 1.000 s, 3 frames, 1 marker");
    let recording = Recording::open(folder.path().join("out.bin")).expect("opens");
    assert_eq!((recording.markers[0].time, &*recording.markers[0].name), (0.25, "grabbed the cup"));
    let gaze = recording.gaze.expect("a gaze").ray_at(1.0).expect("keys");
    assert_eq!((gaze.origin, gaze.direction), ([0.0, 3.0, 0.0], [0.0, 0.0, 1.0]), "the camera looks ahead");
}

#[test]
fn options_select_what_is_recorded() {
    let folder = tempdir().expect("a folder");
    let recording = |args: &[&str]| {
        record(folder.path(), &[&["--force", "out.bin"], args].concat(), LINES).code(0);
        Recording::open(folder.path().join("out.bin")).expect("opens")
    };
    let heights = |recording: &Recording| {
        let camera = recording.camera.as_ref().expect("a camera");
        camera.position[1].keys.iter().map(|key| key.value).collect::<Vec<_>>()
    };
    assert_eq!(heights(&recording(&["--max-rate", "1"])), [1.0, 2.0], "a frame may be half a period early");
    assert_eq!(heights(&recording(&["--keep-last", "0.5"])), [2.0, 3.0]);
    assert!(recording(&["--keep-last", "0.5"]).markers.is_empty());
    assert!(recording(&["--no-gaze-fallback"]).gaze.expect("the channel").origin[0].keys.is_empty());
    let only = recording(&["--channels", "gaze,hands"]);
    assert!(only.camera.is_none() && only.hands.is_some() && only.gaze.is_some());
    record(folder.path(), &["--max-rate", "0"], LINES)
        .code(2)
        .assert_stderr_contains("must be a number greater than 0");
    record(folder.path(), &["--channels", "feet"], LINES).code(2).assert_stderr_contains("feet");
}

#[test]
fn output_is_a_file_a_folder_or_standard_output() {
    let folder = tempdir().expect("a folder");
    let name = |names: Vec<String>| {
        assert_eq!(names.len(), 1, "{names:?}");
        let name = names[0].clone();
        let digits: String = name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        (digits, name)
    };
    let run = record(folder.path(), &[], LINES).code(0);
    let (digits, found) = name(names(folder.path()));
    assert_eq!(digits, "InputAnimation-00000000-000000.bin");
    assert!(run.stderr.contains(&format!("recorded: {found}: ")), "{}", run.stderr);

    fs::create_dir(folder.path().join("takes")).expect("a folder");
    record(folder.path(), &["takes"], LINES).code(0);
    assert_eq!(name(names(&folder.path().join("takes"))).0, "InputAnimation-00000000-000000.bin");

    record(folder.path(), &["out.json"], LINES).code(0);
    let json = fs::read(folder.path().join("out.json")).expect("readable");
    let bytes = record(folder.path(), &["-"], LINES).code(0).assert_stderr_contains("standard output: 1.000 s").stdout;
    assert_eq!(Recording::from_slice(&bytes).expect("opens"), Recording::from_json_slice(&json).expect("opens"));

    record(folder.path(), &["out.txt"], LINES).code(2).assert_stderr_contains("unknown extension");
    record(folder.path(), &["out.journal"], LINES).code(2).assert_stderr_contains("the journal needs this path");
    record(folder.path(), &["no/out.bin"], LINES).code(1).assert_stderr_contains("missing folder no");
    record(folder.path(), &["out.json/deep/x.bin"], LINES)
        .code(1)
        .assert_stderr_contains("out.json/deep/x.bin: out.json is a file, not a folder");
}

#[test]
fn closed_output_pipe_is_not_an_error() {
    let folder = tempdir().expect("a folder");
    let mut child = piped(holotape().args(["record", "-"]).current_dir(folder.path()));
    drop(child.stdout.take());
    child.stdin.take().expect("piped").write_all(LINES.as_bytes()).expect("reads");
    Run::from(child.wait_with_output().expect("ends")).code(0).assert_stderr_empty();
}

#[test]
fn existing_file_is_not_overwritten() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("out.bin"), "old").expect("writes");
    record(folder.path(), &["out.bin"], LINES)
        .code(1)
        .assert_stderr_contains("file already exists")
        .assert_stderr_contains("--force");
    assert_eq!(names(folder.path()), ["out.bin"]);
    assert_eq!(fs::read(folder.path().join("out.bin")).expect("readable"), b"old");
    record(folder.path(), &["out.bin", "--force"], LINES).code(0);
    assert!(Recording::open(folder.path().join("out.bin")).is_ok());
}

#[test]
fn journal_of_an_unsaved_take_is_not_overwritten() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("out.journal"), b"holojrnl").expect("writes");
    let refused = record(folder.path(), &["out.bin"], LINES)
        .code(1)
        .assert_stderr_contains("recover it with `holotape repair out.journal out.bin`");
    assert!(!refused.stderr.contains("--force"), "it would not help: {}", refused.stderr);
    assert_eq!(names(folder.path()), ["out.journal"]);
}

#[test]
fn invalid_line_is_reported_and_skipped() {
    let folder = tempdir().expect("a folder");
    let lines =
        format!("\u{feff}{LINES}hello\n{{\"time\":11.25,\"cam\":{{}}}}\n{{\"time\":10.75}}\n{{\"time\":1e300}}\n");
    record(folder.path(), &["out.bin"], &lines)
        .code(3)
        .assert_stderr_contains("warning: line 7: not a JSON object")
        .assert_stderr_contains("warning: line 8: unknown field `cam`")
        .assert_stderr_contains("warning: line 10: invalid time of a frame: 1e300 s")
        .assert_stderr_contains("lost: skipped lines that are neither frames nor markers: 3")
        .assert_stderr_contains("lost: dropped frames whose time is not after the previous frame: 1")
        .assert_stderr_contains("recorded: out.bin: 1.000 s, 3 frames, 1 marker");
    assert!(Recording::open(folder.path().join("out.bin")).is_ok());

    let nan = "{\"time\":12,\"camera\":{\"position\":[0,\"NaN\",0],\"rotation\":[0,0,0,1]}}\n";
    record(folder.path(), &["nan.bin"], &format!("{LINES}{nan}"))
        .code(3)
        .assert_stderr_contains("lost: dropped poses and rays with non-finite values: 1");
}

#[test]
fn many_invalid_lines_are_counted() {
    let folder = tempdir().expect("a folder");
    let run = record(folder.path(), &["out.bin"], &format!("{LINES}{}", "wrong\n".repeat(1234)));
    let run = run.code(3).assert_stderr_contains("lost: skipped lines that are neither frames nor markers: 1,234");
    assert_eq!(run.stderr.matches("warning:").count(), 11, "ten of them, and that there are more");
}

#[test]
fn input_without_frames_is_not_saved() {
    let folder = tempdir().expect("a folder");
    for lines in ["", "\n", "hello\n"] {
        record(folder.path(), &["out.bin"], lines).code(1).assert_stderr_contains("standard input: no frames received");
        assert!(names(folder.path()).is_empty());
    }
}

#[test]
fn input_with_only_markers_is_saved() {
    let folder = tempdir().expect("a folder");
    let run = record(folder.path(), &["out.bin"], "{\"time\":1,\"marker\":\"alone\"}\n");
    run.code(0).assert_stderr_contains("recorded: out.bin: 0.000 s, 0 frames, 1 marker");
    assert_eq!(names(folder.path()), ["out.bin"]);
    let recording = Recording::open(folder.path().join("out.bin")).expect("opens");
    assert_eq!(recording.markers.iter().map(|marker| &*marker.name).collect::<Vec<_>>(), ["alone"]);
}

#[test]
fn recording_that_cannot_be_saved_stays_in_the_journal() {
    let folder = tempdir().expect("a folder");
    let mut child = piped(holotape().args(["record", "out.bin"]).current_dir(folder.path()));
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(LINES.as_bytes()).expect("reads");
    wait_for_frames(&folder.path().join("out.journal"), 3);
    fs::write(folder.path().join("out.bin"), "written by another process").expect("writes");
    drop(stdin);
    let run = Run::from(child.wait_with_output().expect("ends"));
    run.code(1)
        .assert_stderr_contains("file already exists")
        .assert_stderr_contains("hint: out.journal has the complete recording");
    assert_eq!(Journal::open(folder.path().join("out.journal")).expect("a journal").frame_count, 3);
}

fn wait_for_frames(journal: &Path, frames: u64) {
    let start = Instant::now();
    while Journal::open(journal).map_or(0, |journal| journal.frame_count) < frames {
        assert!(start.elapsed() < Duration::from_secs(60), "no {frames} frames in the journal");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn killed_recorder_leaves_every_frame_in_the_journal() {
    let folder = tempdir().expect("a folder");
    let lines = sampled(&valid("mrtk28_all.bin"), "30");
    let mut child = piped(holotape().args(["record", "out.bin"]).current_dir(folder.path()));
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(lines.as_bytes()).expect("reads");
    let journal = folder.path().join("out.journal");
    wait_for_frames(&journal, lines.lines().count() as u64);
    child.kill().expect("still recording");
    child.wait().expect("ends");
    assert_eq!(names(folder.path()), ["out.journal"]);
    let found = Journal::open(&journal).expect("a journal");
    record(folder.path(), &["whole.bin"], &lines).code(0);
    let whole = Recording::open(folder.path().join("whole.bin")).expect("opens");
    assert!(found.recording == whole);
    drop(stdin);

    let [journal, saved] = [journal, folder.path().join("out.bin")].map(|path| text(&path).to_owned());
    run(["repair", &journal, &saved]).code(0).assert_stderr_contains("frames from the journal");
    assert!(Recording::open(&saved).expect("opens") == whole);
    // A truncated frame is reported, and the others are recovered.
    let bytes = fs::read(&journal).expect("readable");
    fs::write(&journal, &bytes[..bytes.len() - 1]).expect("written");
    run(["repair", &journal, &saved, "--force"]).code(3).assert_stderr_contains("incomplete frame");
    let json = run(["repair", &journal, &saved, "--force", "--json"]).code(3).json();
    assert!(json["journal"]["dropped_bytes"].as_u64() > Some(0), "{json}");
    // Killed between the two steps of rotating the journal.
    fs::rename(&journal, format!("{journal}.old")).expect("moved");
    run(["repair", &journal, &saved, "--force"]).code(3).assert_stderr_contains("frames from the journal");
    fs::write(&journal, b"").expect("written");
    run(["repair", &journal, &saved, "--force"]).code(3).assert_stderr_contains("frames from the journal");
}

#[test]
fn signal_saves_the_recording() {
    for signal in signals::SIGNALS {
        let folder = tempdir().expect("a folder");
        let mut command = holotape();
        let mut child =
            piped(signals::interruptible(&mut command).args(["record", "out.bin"]).current_dir(folder.path()));
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(LINES.as_bytes()).expect("reads");
        wait_for_frames(&folder.path().join("out.journal"), 3);
        signals::send(signal, &child);
        let run = Run::from(child.wait_with_output().expect("ends"));
        run.code(0).assert_stderr_contains("recorded: out.bin: 1.000 s, 3 frames");
        assert_eq!(names(folder.path()), ["out.bin"]);
        drop(stdin);
    }
}

#[test]
fn optimize_removes_redundant_keys_before_saving() {
    let folder = tempdir().expect("a folder");
    let lines = sampled(&valid("mrtk28_all.bin"), "60");
    record(folder.path(), &["raw.bin"], &lines).code(0);
    record(folder.path(), &["small.bin", "--optimize"], &lines).code(0).assert_stderr_contains("keys left");
    let bytes = |name: &str| fs::metadata(folder.path().join(name)).expect("written").len();
    assert!(bytes("small.bin") < bytes("raw.bin") / 2);
    let [raw, small] = ["raw.bin", "small.bin"].map(|name| text(&folder.path().join(name)).to_owned());
    run(["diff", &raw, &small, "--tolerance", "2.001mm,0.201deg"]).code(0);
}
