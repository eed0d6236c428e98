//! Finding recordings, and their names.

use std::fs;
use std::path::{Path, PathBuf};

use holotape::ErrorKind;
use holotape_corpus::find_recordings;

use crate::common::{demo, save};

/// A study of five recordings, with other files among them.
fn study() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    let recording = demo(1, 0.0);
    for name in ["p01/b.bin", "p01/a.bin", "p02/s1/a.bin", "p02/.hidden.bin", ".git/a.bin", "top.BIN"] {
        save(&recording, &study.join(name));
    }
    fs::write(study.join("p01/notes.txt"), "not a recording").unwrap();
    fs::write(study.join("p02/walk.iwer.json"), "{}").unwrap();
    fs::create_dir_all(study.join("built/frames")).unwrap();
    fs::write(study.join("built/dataset.json"), "{\n  \"format\": \"holotape dataset\",\n").unwrap();
    fs::write(study.join("built/frames/part.parquet"), "").unwrap();
    (folder, study)
}

fn names<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Vec<String> {
    find_recordings(inputs).unwrap().into_iter().map(|file| file.name).collect()
}

#[test]
fn folder_contains_all_recordings_below_it() {
    let (_folder, study) = study();
    let all = ["p01/a.bin", "p01/b.bin", "p02/s1/a.bin", "p02/walk.iwer.json", "top.BIN"];
    assert_eq!(names([&study]), all);
    for file in find_recordings([&study]).unwrap() {
        assert!(file.path.is_file());
    }
    // Other spellings of the same path.
    assert_eq!(names([study.join("p01/..")]), all);
    assert_eq!(names([study.join(""), study.join("p01"), study.join("p01/a.bin")]), all, "each once");
    assert_eq!(names([format!("{}/**/*", study.display())]), all);
}

#[test]
fn hand_captures_are_found() {
    let (_folder, study) = study();
    fs::write(study.join("p02/s1/grab.handsbin"), "").unwrap();
    assert_eq!(names([study.join("p02")]), ["s1/a.bin", "s1/grab.handsbin", "walk.iwer.json"]);
}

#[test]
fn mcap_logs_of_other_programs_are_not_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/isaac/teleop_monado.mcap");
    fs::copy(sample, folder.path().join("teleop.mcap")).unwrap();
    let other = b"\x89MCAP0\r\n\x01\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    fs::write(folder.path().join("foxglove.mcap"), other).unwrap();
    fs::write(folder.path().join("short.mcap"), &other[..12]).unwrap();
    assert_eq!(names([folder.path()]), ["teleop.mcap"]);
}

#[test]
fn unrelated_dataset_json_does_not_hide_recordings() {
    let (_folder, study) = study();
    let deep = format!("{{\"x\": {}", "[".repeat(1 << 20));
    for unrelated in ["{}", "", "{\"name\": \"holotape dataset\"}", "{\"format\": \"bids\"}", &deep] {
        fs::write(study.join("p01/dataset.json"), unrelated).unwrap();
        assert_eq!(names([study.join("p01")]), ["a.bin", "b.bin", "dataset.json"]);
        assert_eq!(names([study.join("p01/*.bin")]), ["a.bin", "b.bin"]);
    }
}

#[test]
fn names_start_below_the_common_folder() {
    let (_folder, study) = study();
    assert_eq!(names([study.join("p02")]), ["s1/a.bin", "walk.iwer.json"]);
    assert_eq!(names([study.join("p02/s1/a.bin"), study.join("p01/b.bin")]), ["p01/b.bin", "p02/s1/a.bin"]);
    let pattern = study.join("*/*.bin");
    assert_eq!(names([&pattern]), ["p01/a.bin", "p01/b.bin"]);
    // The order of inputs does not matter, and a file that is named may have any extension.
    let other = [study.join("p01/notes.txt"), pattern];
    assert_eq!(names(&other), ["p01/a.bin", "p01/b.bin", "p01/notes.txt"]);
    assert_eq!(names(other.iter().rev()), names(&other));
}

#[test]
fn missing_input_is_an_error_with_its_path() {
    let (_folder, study) = study();
    for (input, message) in [("nowhere", "no such file"), ("*.glb", "no file matches"), ("***", "invalid pattern")] {
        let error = find_recordings([study.join(input)]).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(error.to_string().contains(input), "{error}");
    }
    assert_eq!(find_recordings([study.join("nowhere")]).unwrap_err().kind(), ErrorKind::Io);
    fs::create_dir(study.join("empty")).unwrap();
    assert_eq!(names([study.join("empty")]), [""; 0]);
}

// On Windows, links need a privilege that users do not have.
#[cfg(unix)]
#[test]
fn cyclic_links_end_and_files_are_listed_once_under_their_own_path() {
    use std::os::unix::fs::symlink;

    let (folder, study) = study();
    symlink(&study, study.join("p01/again")).unwrap();
    symlink(study.join("p02"), study.join("a_link")).unwrap();
    symlink(study.join("p01/a.bin"), study.join("a.bin")).unwrap();
    symlink(study.join("gone"), study.join("lost.bin")).unwrap();
    let elsewhere = folder.path().join("elsewhere");
    save(&demo(1, 0.0), &elsewhere.join("c.bin"));
    symlink(&elsewhere, study.join("p03")).unwrap();
    let all = ["lost.bin", "p01/a.bin", "p01/b.bin", "p02/s1/a.bin", "p02/walk.iwer.json", "p03/c.bin", "top.BIN"];
    assert_eq!(names([&study]), all);
}
