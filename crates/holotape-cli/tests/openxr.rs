//! `holotape openxr`, without a runtime: a shell script is the application. Tests with a runtime are in `interop-tests`,
//! those on Windows in `openxr_windows.rs`.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use holotape::record::{Recorder, RecorderOptions, journal_path};
use holotape::{Frame, Pose, Recording};
use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, text, valid};

/// The command, with folders of its own instead of those of the user. No loader loads the library.
fn openxr(folder: &TempDir) -> Command {
    let library = folder.path().join("library.so");
    fs::write(&library, "").expect("written");
    let mut command = holotape();
    command.arg("openxr").current_dir(folder).env("HOLOTAPE_OPENXR_LIBRARY", library);
    command.env("XDG_DATA_HOME", folder.path().join("data")).env("XDG_CONFIG_HOME", folder.path().join("config"));
    command.env_remove("XR_API_LAYER_PATH").env_remove("XR_ENABLE_API_LAYERS");
    command
}

fn run(folder: &TempDir, args: &[&str]) -> Run {
    Run::new(openxr(folder).args(args))
}

#[test]
fn exit_code_is_that_of_the_application() {
    let folder = tempdir().expect("a folder");
    let (missing, take) = ("nothing was recorded", text(&valid("mrtk28_all.bin")).to_owned());
    run(&folder, &["record", "take.bin", "--", "sh", "-c", "exit 7"]).code(7);
    run(&folder, &["record", "take.bin", "--", "sh", "-c", "kill -KILL $$"]).code(137);
    run(&folder, &["record", "take.bin", "--", "true"]).code(1).assert_stderr_contains(missing);
    run(&folder, &["replay", &take, "--", "sh", "-c", "exit 7"]).code(7);
    run(&folder, &["replay", &take, "--", "true"]).code(0).assert_stderr_contains("nothing was replayed");
    run(&folder, &["record", "take.bin", "--", "./missing"]).code(1).assert_stderr_contains("./missing: no such file");
    assert!(!folder.path().join("take.bin").exists());
}

#[test]
fn arguments_are_checked_before_the_application_runs() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("old.bin"), "old").expect("written");
    let touch = ["--", "touch", "ran"];
    let case = |args: &[&str], code: i32, message: &str| {
        run(&folder, &[args, &touch].concat()).code(code).assert_stderr_contains(message);
    };
    case(&["record", "take.json"], 2, "take.json: unknown extension; use .bin");
    case(&["record", "old.bin"], 1, "old.bin: file already exists");
    case(&["record", "missing/take.bin"], 1, "missing/take.bin: missing folder missing");
    case(&["record", "take.bin", "--markers", "."], 1, ".: is a folder, not a file");
    case(&["record", "take.bin", "--markers", "missing/markers"], 1, "missing/markers: missing folder missing");
    case(&["record", "take.bin", "--max-rate", "0"], 2, "--max-rate");
    case(&["replay", "old.bin", "--loop", "--exit-at-end"], 2, "--exit-at-end");
    run(&folder, &["record", "take.bin"]).code(2).assert_stderr_contains("APP");
    let without =
        Run::new(openxr(&folder).env("HOLOTAPE_OPENXR_LIBRARY", "nowhere.so").args(["record", "take.bin"]).args(touch));
    without.code(2).assert_stderr_contains("HOLOTAPE_OPENXR_LIBRARY");
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn application_runs_even_if_the_recording_cannot_be_read() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("broken.bin"), "MRTK").expect("written");
    for recording in ["missing.bin", "broken.bin"] {
        let run = run(&folder, &["replay", recording, "--", "sh", "-c", "touch ran; echo $XR_ENABLE_API_LAYERS"]);
        assert_eq!(run.code(1).assert_stderr_contains(recording).text(), "\n", "no layer");
        fs::remove_file(folder.path().join("ran")).expect("the application ran");
    }
}

#[test]
fn loader_finds_the_layers_and_those_of_others() {
    let folder = tempdir().expect("a folder");
    let script = r#"echo "$XR_ENABLE_API_LAYERS"; echo "$XR_API_LAYER_PATH"; cat "${XR_API_LAYER_PATH%%:*}"/*.json"#;
    let take = text(&valid("mrtk28_all.bin")).to_owned();
    let print = ["--", "sh", "-c", script];
    let mut command = openxr(&folder);
    command.env("XR_ENABLE_API_LAYERS", "XR_APILAYER_A:XR_APILAYER_B").env("XR_API_LAYER_PATH", "/others");
    let replayed = Run::new(command.args(["replay", &take]).args(print)).code(0);
    let mut lines = replayed.text().lines();
    assert_eq!(lines.next(), Some("XR_APILAYER_A:XR_APILAYER_B:XR_APILAYER_HOLOTAPE_replay"));
    assert!(lines.next().is_some_and(|path| path.ends_with(":/others")), "{}", replayed.text());
    assert!(replayed.text().contains("library.so") && replayed.text().contains("XR_EXT_hand_tracking"));

    let recorded = Run::new(openxr(&folder).args(["record", "take.bin"]).args(print)).code(1);
    let mut lines = recorded.text().lines();
    assert_eq!(lines.next(), Some("XR_APILAYER_HOLOTAPE_record"));
    let standard = "/usr/share/openxr/1/api_layers/explicit.d";
    assert!(lines.next().is_some_and(|path| path.contains(standard)), "{}", recorded.text());
}

/// A script that does what the layer does in an application that is killed: it reports the start of a take.
const STARTED: &str = r#"
    report=$(printf %s "$HOLOTAPE_OPENXR_RECORD" | sed 's/.*"report":"\([^"]*\)".*/\1/')
    echo "{\"report\":\"started\",\"path\":\"$PWD/take.bin\"}" >> "$report"
    kill -KILL $$
"#;

#[test]
fn take_of_a_killed_application_is_saved_from_its_journal() {
    let folder = tempdir().expect("a folder");
    let take = folder.path().join("take.bin");
    let mut recorder = Recorder::start(RecorderOptions::new().with_journal(journal_path(&take))).expect("starts");
    for n in 0..10 {
        let frame = Frame { time: f64::from(n) / 60.0, camera: Some(Pose::IDENTITY), ..Frame::default() };
        recorder.push(&frame).expect("pushed");
    }
    drop(recorder);
    let run = run(&folder, &["record", "take.bin", "--", "sh", "-c", STARTED]);
    run.code(137).assert_stderr_contains("recorded: take.bin: 0.150 s, 10 frames, from the journal");
    assert_eq!(Recording::open(&take).expect("saved").duration_secs(), 0.15);
    assert!(!Path::new(&journal_path(&take)).exists());
}

#[test]
fn doctor_names_what_is_missing() {
    let folder = tempdir().expect("a folder");
    let doctor = run(&folder, &["doctor", "--loader", "./missing.so"]).code(1);
    assert!(doctor.text().contains("library.so") && doctor.text().contains("./missing.so"), "{}", doctor.text());
    assert!(doctor.stderr.contains("missing.so: cannot open") && doctor.stderr.contains("hint: install a loader"));
    // A file in this folder is found, although the system looks only in its own folders.
    let doctor = run(&folder, &["doctor", "--loader", "library.so"]).code(1);
    assert!(doctor.stderr.contains("library.so: file too short"), "{}", doctor.stderr);
}

#[test]
fn layers_are_installed_and_uninstalled() {
    let folder = tempdir().expect("a folder");
    let manifests = folder.path().join("data/openxr/1/api_layers/implicit.d");
    let exists = |layer: &str| manifests.join(format!("XR_APILAYER_HOLOTAPE_{layer}.json")).exists();
    run(&folder, &["install", "record", "take.bin", "--space", "local"]).code(0).assert_stderr_empty();
    assert!(exists("record") && !exists("replay"));
    let status = run(&folder, &["status"]).code(0);
    assert!(
        status.text().contains("record: installed") && status.text().contains(r#""space":"local""#),
        "{}",
        status.text()
    );
    assert!(status.text().contains("replay: not installed"), "{}", status.text());

    run(&folder, &["install", "record", "missing/take.bin"]).code(1).assert_stderr_contains("missing folder missing");
    run(&folder, &["install", "replay", "missing.bin"]).code(1).assert_stderr_contains("missing.bin");
    assert!(!exists("replay"));
    run(&folder, &["install", "replay", text(&valid("mrtk28_all.bin"))]).code(0);
    assert!(exists("replay") && folder.path().join("config/holotape/openxr/replay.bin").exists());

    run(&folder, &["uninstall"]).code(0).assert_stderr_empty();
    assert!(!exists("record") && !exists("replay"));
    let left = fs::read_dir(folder.path().join("config/holotape/openxr")).expect("a folder").count();
    assert_eq!(left, 0, "no configuration remains");
    assert_eq!(run(&folder, &["uninstall"]).code(0).text(), "no layer is installed\n");
    let status = run(&folder, &["status"]).code(0);
    assert!(!status.text().contains(": installed"), "{}", status.text());
}
