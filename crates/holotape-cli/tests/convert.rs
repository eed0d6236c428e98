//! `holotape convert`

use std::fs::{self, File};
use std::process::Stdio;

use tempfile::tempdir;

use crate::common::{Run, holotape, project, run, text, valid, valid_pairs};

#[test]
fn json_round_trip_is_lossless() {
    let folder = tempdir().expect("a folder");
    for (path, _) in valid_pairs() {
        let (json, bin) = (folder.path().join("copy.json"), folder.path().join("copy.bin"));
        run(["convert", text(&path), text(&json), "--force"]).code(0).assert_stderr_empty();
        run(["convert", text(&json), text(&bin), "--force"]).code(0).assert_stderr_empty();
        assert!(fs::read(&bin).expect("readable") == fs::read(&path).expect("readable"), "{}", path.display());
    }
}

#[test]
fn options_select_the_layout() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.bin");
    let layout = |args: &[&str], from: &str| {
        let source = valid(from);
        Run::new(holotape().args(["convert", text(&source), text(&out), "--force"]).args(args))
            .code(0)
            .assert_stderr_empty();
        let info = run(["info", "--json", text(&out)]).code(0).json();
        format!("{} {} {}", info["version"], info["key_layout"].as_str().expect("a name"), info["marker_list"])
    };
    assert_eq!(layout(&[], "mrtk25_simulated.bin"), "[1,0] full true");
    assert_eq!(layout(&["--version", "1.1"], "mrtk25_simulated.bin"), "[1,1] compact true");
    assert_eq!(layout(&["--version", "1.1", "--key-layout", "full"], "mrtk25_simulated.bin"), "[1,1] full true");
    assert_eq!(layout(&["--version", "1.1"], "documented11_full_keys.bin"), "[1,1] full false");
    assert_eq!(layout(&["--version", "1.0"], "mrtk28_resaved_from_mrtk25.bin"), "[1,0] full true");
    assert_eq!(layout(&["--no-marker-list"], "mrtk28_resaved_from_mrtk25.bin"), "[1,1] compact false");
    // A changed layout gets a marker list, because MRTK expects one.
    assert_eq!(layout(&["--key-layout", "compact"], "documented11_full_keys.bin"), "[1,1] compact true");
    assert_eq!(layout(&["--version", "1.1"], "documented10_no_marker_list.bin"), "[1,1] compact true");
    assert_eq!(layout(&["--marker-list"], "documented11_full_keys.bin"), "[1,1] full true");
    assert_eq!(
        layout(&["--key-layout", "compact", "--no-marker-list"], "documented11_full_keys.bin"),
        "[1,1] compact false"
    );
}

#[test]
fn losses_are_reported_with_exit_code_3() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.bin");
    let convert = |from: &str, args: &[&str]| {
        let source = valid(from);
        Run::new(holotape().args(["convert", text(&source), text(&out), "--force"]).args(args))
    };
    convert("mrtk28_all.bin", &["--version", "1.0"]).code(3).assert_stderr_contains("lost: dropped eye gaze (");
    assert!(out.exists());
    convert("mrtk28_right_hand_markers.bin", &["--no-marker-list"])
        .code(3)
        .assert_stderr_contains("lost: dropped 4 markers: ");
    convert("curves_every_rule.bin", &["--version", "1.1"])
        .code(3)
        .assert_stderr_contains("lost: dropped tangents and weights (");
    fs::remove_file(&out).expect("removed");
    convert("mrtk28_all.bin", &["--version", "1.0", "--strict"])
        .code(1)
        .assert_stderr_contains("error: dropped eye gaze (");
    assert!(!out.exists(), "strict writes nothing");
}

#[test]
fn existing_files_are_kept_without_force() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.bin");
    fs::write(&out, "mine").expect("writes");
    let source = valid("mrtk28_all.bin");
    let refused =
        run(["convert", text(&source), text(&out)]).code(1).assert_stderr_contains("out.bin: file already exists");
    assert!(refused.stderr.ends_with("hint: pass --force to overwrite it\n"), "the hint is last: {}", refused.stderr);
    let lossy = run(["convert", text(&source), text(&out), "--version", "1.0"]).code(1);
    assert!(!lossy.stderr.contains("lost"), "nothing was written, so nothing is lost: {}", lossy.stderr);
    assert_eq!(fs::read(&out).expect("readable"), b"mine");
    run(["convert", text(&source), text(&out), "--force"]).code(0);
    assert_eq!(fs::read(&out).expect("readable"), fs::read(&source).expect("readable"));
    // The output may be the input.
    run(["convert", text(&out), text(&out), "--force", "--version", "1.1"]).code(0);
}

#[test]
fn convert_reads_and_writes_pipes() {
    let source = valid("mrtk28_all.bin");
    let json = run(["convert", text(&source), "-", "--to", "json"]).code(0).assert_stderr_empty().stdout;
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("piped");
    fs::write(&path, json).expect("writes");
    let stdin = Stdio::from(File::open(&path).expect("readable"));
    let back =
        Run::new(holotape().args(["convert", "-", "-", "--to", "bin"]).stdin(stdin)).code(0).assert_stderr_empty();
    assert!(back.stdout == fs::read(&source).expect("readable"));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    let source = valid("mrtk28_all.bin");
    let full = File::options().write(true).open("/dev/full").expect("opened");
    let mut command = holotape();
    command.args(["convert", text(&source), "-", "--to", "json"]).stdout(Stdio::from(full)).stderr(Stdio::piped());
    let output = command.spawn().and_then(|child| child.wait_with_output()).expect("runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output: no space left on device"), "{output:?}");
    run(["convert", text(&source), "/dev/full", "--to", "bin"])
        .code(1)
        .assert_stderr_contains("/dev/full: no space left on device\n");
}

#[test]
fn wrong_usage_exits_with_code_2() {
    let source = valid("mrtk28_all.bin");
    run(["convert", text(&source), "-"])
        .code(2)
        .assert_stderr_contains("standard output has no extension; add --to FORMAT");
    run(["convert", text(&source), "out.docx"])
        .code(2)
        .assert_stderr_contains("out.docx: unknown extension, none of .bin .json .csv .parquet");
    run(["convert", text(&source), "x.bin", "--version", "1.0", "--key-layout", "compact"])
        .code(2)
        .assert_stderr_contains("supports only full keys");
    run(["convert", text(&source), "x.bin", "--version", "2.0"])
        .code(2)
        .assert_stderr_contains("possible values: 1.0, 1.1");
    run(["convert", text(&source)]).code(2);
}

#[test]
fn invalid_input_writes_nothing() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.json");
    let broken = project("testdata/invalid/truncated_in_markers.bin");
    run(["convert", text(&broken), text(&out)]).code(1).assert_stderr_contains("marker 0, byte 7817");
    let text_file = folder.path().join("notes.json");
    fs::write(&text_file, "{\"holotape\": 1,\n \"version\": 7}").expect("writes");
    run(["convert", text(&text_file), text(&out)]).code(1).assert_stderr_contains("line 2 column");
    assert!(!out.exists());
    let nowhere = folder.path().join("no/such/folder/out.json");
    run(["convert", text(&valid("mrtk28_all.bin")), text(&nowhere)])
        .code(1)
        .assert_stderr_contains("out.json: missing folder");
}
