//! Commands on many files.

use std::fs;

use tempfile::tempdir;

use crate::common::{Run, holotape, project, run, text, valid};

const NAMES: [&str; 4] = ["mrtk28_all.bin", "mrtk25_simulated.bin", "mrtk28_gaze_only.bin", "empty10.bin"];

#[test]
fn out_dir_keeps_file_names() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("new/folder");
    let inputs = NAMES.map(valid);
    Run::new(holotape().arg("convert").args(&inputs).args(["--to", "json", "--out-dir", text(&out)]))
        .code(0)
        .assert_stderr_empty();
    let back = folder.path().join("back");
    let documents = NAMES.map(|name| out.join(name).with_extension("json"));
    let mut convert = holotape();
    convert.arg("convert").args(&documents).args(["--to", "bin", "--out-dir", text(&back), "--jobs", "3"]);
    Run::new(&mut convert).code(0).assert_stderr_empty();
    for (input, name) in inputs.iter().zip(NAMES) {
        assert!(fs::read(input).expect("readable") == fs::read(back.join(name)).expect("written"), "{name}");
    }
    Run::new(&mut convert).code(1).assert_stderr_contains("pass --force to overwrite it");
    Run::new(convert.arg("--force")).code(0).assert_stderr_empty();
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = tempdir().expect("a folder");
    let bad = project("testdata/invalid/wrong_magic.bin");
    let mut convert = holotape();
    convert.arg("convert").arg(valid(NAMES[0])).arg(&bad).arg(valid(NAMES[2])).args(["--out-dir", text(folder.path())]);
    Run::new(&mut convert).code(1).assert_stderr_contains("wrong_magic.bin: not an input animation");
    assert!(folder.path().join(NAMES[0]).exists() && folder.path().join(NAMES[2]).exists());
    assert!(!folder.path().join("wrong_magic.bin").exists());
}

#[test]
fn losses_name_the_file_and_set_the_exit_code() {
    let folder = tempdir().expect("a folder");
    let mut convert = holotape();
    convert.arg("convert").args([valid("mrtk28_all.bin"), valid("mrtk25_simulated.bin")]);
    convert.args(["--version", "1.0", "--out-dir", text(folder.path())]);
    let run = Run::new(&mut convert).code(3).assert_stderr_contains("mrtk28_all.bin: ");
    assert!(!run.stderr.contains("mrtk25_simulated"), "{}", run.stderr);
}

#[test]
fn each_error_names_its_file() {
    let folder = tempdir().expect("a folder");
    let mut convert = holotape();
    convert.args(["convert", "--strict", "--version", "1.0", "--out-dir", text(folder.path())]);
    convert.args([valid("mrtk28_all.bin"), valid("mrtk28_right_hand_markers.bin")]);
    Run::new(&mut convert)
        .code(1)
        .assert_stderr_contains("mrtk28_all.bin: dropped eye gaze")
        .assert_stderr_contains("mrtk28_right_hand_markers.bin: dropped eye gaze");
}

#[test]
fn unknown_extensions_are_kept() {
    let folder = tempdir().expect("a folder");
    let files = ["trial.0042", "trial.0043", "plain"].map(|name| folder.path().join(name));
    for file in &files {
        fs::copy(valid(NAMES[0]), file).expect("copied");
    }
    let out = folder.path().join("out");
    Run::new(holotape().arg("mirror").args(&files).args(["--out-dir", text(&out)])).code(0).assert_stderr_empty();
    for name in ["trial.0042.bin", "trial.0043.bin", "plain.bin"] {
        assert!(out.join(name).exists(), "{name}");
    }
}

#[test]
fn results_are_printed_in_file_order() {
    // The first file takes longest.
    let folder = tempdir().expect("a folder");
    let large = folder.path().join("large.bin");
    run(["demo", text(&large), "--seconds", "120"]).code(0);
    for command in ["info", "stats"] {
        let files = [large.clone(), valid(NAMES[0]), valid(NAMES[2]), valid(NAMES[1])];
        let run = Run::new(holotape().args([command, "--json", "--jobs", "4"]).args(&files)).code(0);
        let lines: Vec<_> = run.text().lines().collect();
        assert_eq!(lines.len(), files.len());
        for (line, file) in lines.iter().zip(&files) {
            let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(json["file"], text(file));
        }
    }
}

#[test]
fn duplicate_and_missing_outputs_are_rejected() {
    let folder = tempdir().expect("a folder");
    let twice = valid(NAMES[0]);
    Run::new(holotape().arg("convert").args([&twice, &twice]).args(["--out-dir", text(folder.path())]))
        .code(2)
        .assert_stderr_contains("two inputs have this output path");
    run(["convert", "-", "--out-dir", text(folder.path())])
        .code(2)
        .assert_stderr_contains("no file name to use in --out-dir");
    run(["convert", "a.bin", "b.bin", "c.bin"]).code(2).assert_stderr_contains("--out-dir");
    run(["convert", "a.bin"]).code(2).assert_stderr_contains("missing output");
    run(["sample", "a.bin", "b.bin", "--at", "1"]).code(2).assert_stderr_contains("--out-dir");
}

#[test]
fn batch_samples_equal_single_samples() {
    let folder = tempdir().expect("a folder");
    let inputs = [valid(NAMES[0]), valid(NAMES[2])];
    for (format, extension) in [("csv", "csv"), ("ndjson", "ndjson"), ("json", "json")] {
        let mut sample = holotape();
        sample.arg("sample").args(&inputs).args(["--rate", "10", "--format", format]);
        Run::new(sample.args(["--out-dir", text(folder.path())])).code(0).assert_stderr_empty();
        for input in &inputs {
            let alone =
                Run::new(holotape().arg("sample").arg(input).args(["--rate", "10", "--format", format])).code(0);
            let name = input.with_extension(extension);
            let path = folder.path().join(name.file_name().expect("a name"));
            assert!(fs::read(path).expect("written") == alone.stdout);
        }
    }
}
