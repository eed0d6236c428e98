//! Names of files, and line endings, on all systems.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use holotape::Recording;
use tempfile::tempdir;

use crate::common::{Run, holotape, run, text, valid};

const LINES: &str = concat!(
    r#"{"time":0,"camera":{"position":[0,1,0],"rotation":[0,0,0,1]}}"#,
    "\r\n",
    r#"{"time":0.5,"marker":"here"}"#,
    "\r\n\r\n",
    r#"{"time":1,"camera":{"position":[0,2,0],"rotation":[0,0,0,1]}}"#,
    "\r\n",
);

/// Runs a command with these bytes as its input.
fn run_with_input(args: &[&str], folder: &Path, input: &str) -> Run {
    let mut command = holotape();
    command.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).ok();
    Run::from(child.wait_with_output().expect("ends"))
}

/// A folder whose path has more than 300 characters.
fn long_folder(folder: &Path) -> PathBuf {
    let long = folder.join("a".repeat(100)).join("Hände 手".repeat(5)).join("b".repeat(100)).join("c".repeat(100));
    fs::create_dir_all(&long).expect("created");
    long
}

#[test]
fn long_and_non_ascii_paths_work_in_all_kinds_of_commands() {
    let folder = tempdir().expect("a folder");
    let long = long_folder(folder.path());
    let [take, table, dataset] = ["Aufnahme 手 ñ.bin", "tabelle.csv", "dataset"].map(|name| long.join(name));
    run(["demo", text(&take), "--seconds", "0.5"]).code(0);
    let shown = run(["info", text(&take)]).code(0);
    assert!(shown.text().contains("Aufnahme 手 ñ.bin"), "{}", shown.text());
    // Markers do not fit into a table of frames.
    run(["convert", text(&take), text(&table)]).code(3);
    run(["convert", text(&take), text(&table)]).code(1).assert_stderr_contains("file already exists");
    run(["convert", text(&take), text(&table), "--force"]).code(3);
    run(["dataset", "build", text(&long), text(&dataset)]).code(0);
    let recorded = run_with_input(&["record", text(&long.join("new.bin"))], folder.path(), LINES);
    recorded.code(0).assert_stderr_contains("new.bin: 1.000 s, 2 frames");
    let mut names: Vec<_> =
        fs::read_dir(&long).expect("readable").map(|it| it.expect("readable").file_name()).collect();
    names.sort();
    let names: Vec<_> =
        names.iter().map(|name| name.to_string_lossy()).filter(|name| !name.ends_with(".html")).collect();
    assert_eq!(names, ["Aufnahme 手 ñ.bin", "dataset", "new.bin", "tabelle.csv"]);
}

#[test]
fn name_of_300_characters_is_an_error_with_the_path() {
    let folder = tempdir().expect("a folder");
    let name = format!("{}.json", "x".repeat(300));
    let convert = ["convert", text(&valid("mrtk28_all.bin")), &name].map(str::to_owned);
    Run::new(holotape().args(convert).current_dir(&folder)).code(1).assert_stderr_contains(&name);
    assert_eq!(fs::read_dir(&folder).expect("readable").count(), 0);
}

#[test]
fn carriage_returns_do_not_change_what_is_read() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (name, lines) in [("crlf.bin", LINES.to_owned()), ("lf.bin", LINES.replace('\r', ""))] {
        run_with_input(&["record", name], folder.path(), &lines).code(0);
    }
    assert!(fs::read(path("crlf.bin")).expect("saved") == fs::read(path("lf.bin")).expect("saved"));
    assert_eq!(Recording::open(path("crlf.bin")).expect("saved").markers[0].name, "here");

    run(["convert", text(&valid("mrtk28_all.bin")), text(&path("lf.csv"))]).code(3);
    let table = fs::read_to_string(path("lf.csv")).expect("written");
    assert!(!table.contains('\r'), "the same on all systems");
    fs::write(path("crlf.csv"), table.replace('\n', "\r\n")).expect("written");
    for name in ["lf", "crlf"] {
        let [from, to] = [format!("{name}.csv"), format!("{name}.json")].map(|name| text(&path(&name)).to_owned());
        let converted = Run::new(holotape().args(["convert", &from, &to]));
        assert!(matches!(converted.code, Some(0 | 3)), "{}", converted.stderr);
    }
    assert!(fs::read(path("crlf.json")).expect("written") == fs::read(path("lf.json")).expect("written"));
}

#[test]
fn command_for_an_unsaved_take_can_be_copied() {
    let folder = tempdir().expect("a folder");
    let takes = folder.path().join("my takes");
    fs::create_dir(&takes).expect("created");
    let take = takes.join("take.bin");
    fs::write(takes.join("take.journal"), "unsaved").expect("written");
    let quote = if cfg!(windows) { '"' } else { '\'' };
    let [journal, out] = ["journal", "bin"].map(|end| format!("{quote}{}{quote}", take.with_extension(end).display()));
    let recorded = run_with_input(&["record", text(&take)], folder.path(), LINES);
    recorded.code(1).assert_stderr_contains(&format!("`holotape repair {journal} {out}`"));
}
