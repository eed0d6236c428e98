//! What differs on Windows: paths, devices, and files that other programs have open.
#![cfg(windows)]

use std::fs::{self, File};
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, run, text, valid};

const SHARE_READ: u32 = 1;
const SHARE_WRITE: u32 = 2;

/// Opens a file as a program that does not allow others to remove or rename it.
fn hold(path: &Path, share_mode: u32) -> File {
    File::options().read(true).share_mode(share_mode).open(path).expect("opens")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    let mut names: Vec<_> =
        entries.map(|it| it.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder with `take.bin`, and its path with drive letter and backslashes.
fn folder_with_take() -> (TempDir, String) {
    let folder = tempdir().expect("a folder");
    let take = folder.path().join("take.bin");
    fs::copy(valid("mrtk28_all.bin"), &take).expect("copied");
    let take = text(&std::path::absolute(take).expect("absolute")).to_owned();
    assert!(take.as_bytes()[1..3] == *b":\\" && !take.contains('/'), "{take}");
    (folder, take)
}

#[test]
fn drive_letters_backslashes_and_slashes_are_paths() {
    let (folder, take) = folder_with_take();
    for (output, take) in [("a.json", take.clone()), ("b.json", take.replace('\\', "/"))] {
        let shown = run(["info", &take]).code(0).assert_stderr_empty();
        assert!(shown.text().contains(&take), "{}", shown.text());
        run(["convert", &take, &take.replace("take.bin", output)]).code(0).assert_stderr_empty();
    }
    assert_eq!(names(folder.path()), ["a.json", "b.json", "take.bin"]);
    // Without a backslash: relative to the current folder of the drive.
    let drive = &take[..2];
    Run::new(holotape().arg("info").arg(format!("{drive}take.bin")).current_dir(&folder)).code(0);
}

#[test]
fn verbatim_paths_are_read_and_written_but_not_shown() {
    let (folder, _) = folder_with_take();
    let verbatim = fs::canonicalize(folder.path()).expect("exists");
    assert!(text(&verbatim).starts_with(r"\\?\"));
    run(["convert", text(&verbatim.join("take.bin")), text(&verbatim.join("a.json"))]).code(0);
    assert_eq!(names(folder.path()), ["a.json", "take.bin"]);
    for input in [folder.path(), &verbatim] {
        let out = tempdir().expect("a folder");
        let built =
            Run::new(holotape().args(["dataset", "build", text(input), text(&out.path().join("out")), "--json"]));
        assert!(!built.code(0).text().contains(r"\\?\"));
        let manifest = fs::read_to_string(out.path().join("out/dataset.json")).expect("written");
        assert!(manifest.contains("take.bin") && !manifest.contains('?'), "{manifest}");
    }
}

#[test]
fn wildcards_are_expanded() {
    let (folder, take) = folder_with_take();
    fs::copy(&take, folder.path().join("OTHER.BIN")).expect("copied");
    let shown = Run::new(holotape().args(["info", "--json", "*.bin"]).current_dir(&folder)).code(0);
    assert_eq!(shown.text().lines().count(), 2, "{}", shown.text());
    let missing = Run::new(holotape().args(["info", "*.json"]).current_dir(&folder)).code(1);
    assert!(missing.stderr.contains("*.json"), "{}", missing.stderr);
}

#[test]
fn outputs_with_names_of_devices_are_rejected() {
    let (folder, take) = folder_with_take();
    for output in ["NUL", "con.bin", "Aux.json", r".\com1.csv", "lpt9.bin.zst", "nul.html"] {
        let args = match output {
            "nul.html" => vec!["view", &take, "--export", output, "--force"],
            "NUL" => vec!["convert", &take, output, "--to", "bin", "--force"],
            _ => vec!["convert", &take, output, "--force"],
        };
        let failed = Run::new(holotape().args(args).current_dir(&folder)).code(1);
        failed.assert_stderr_contains("Windows reserves this name for a device; choose another name");
    }
    let record = Run::new(holotape().args(["record", "con.bin"]).current_dir(&folder)).code(1);
    record.assert_stderr_contains("con.bin: Windows reserves this name for a device");
    let dataset = Run::new(holotape().args(["dataset", "build", ".", "aux"]).current_dir(&folder));
    assert_ne!(dataset.code, Some(0));
    assert_eq!(names(folder.path()), ["take.bin"]);
}

#[test]
fn file_that_another_program_has_open_is_named() {
    let (_folder, take) = folder_with_take();
    let held = hold(Path::new(&take), 0);
    run(["info", &take]).code(1).assert_stderr_contains("take.bin: another program has the file open\n");
    run(["convert", &take, "-", "--to", "json"]).code(1).assert_stderr_contains("another program has the file open\n");
    drop(held);
    run(["info", &take]).code(0);
}

#[test]
fn file_that_another_program_reads_is_kept_if_it_cannot_be_replaced() {
    let (folder, take) = folder_with_take();
    let output = folder.path().join("out.json");
    fs::write(&output, "old").expect("written");
    let held = hold(&output, SHARE_READ | SHARE_WRITE);
    let failed = run(["convert", &take, text(&output), "--force"]).code(1);
    failed
        .assert_stderr_contains("out.json: another program has the existing file open; close it there and try again\n");
    assert_eq!(fs::read(&output).expect("readable"), b"old");
    assert_eq!(names(folder.path()), ["out.json", "take.bin"], "no temporary file is left");
    drop(held);
    run(["convert", &take, text(&output), "--force"]).code(0);
    assert_ne!(fs::read(&output).expect("readable"), b"old");
}

#[test]
fn read_only_file_is_not_replaced() {
    let (folder, take) = folder_with_take();
    let output = folder.path().join("out.json");
    fs::write(&output, "old").expect("written");
    let set_read_only = |readonly| {
        let mut permissions = fs::metadata(&output).expect("exists").permissions();
        permissions.set_readonly(readonly);
        fs::set_permissions(&output, permissions).expect("allowed");
    };
    set_read_only(true);
    run(["convert", &take, text(&output), "--force"])
        .code(1)
        .assert_stderr_contains("out.json: the existing file is read-only\n");
    assert_eq!(fs::read(&output).expect("readable"), b"old");
    set_read_only(false);
    assert_eq!(names(folder.path()), ["out.json", "take.bin"]);
}
