//! Compressed recordings, in every command.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use holotape_convert::compression::Compression;
use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, run, text, valid_pairs};

const EXTENSIONS: [&str; 2] = ["bin.gz", "bin.zst"];

/// A temporary folder with the same recording as `take.bin`, `take.bin.gz` and `take.bin.zst`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempdir().expect("a folder"));
        for name in ["take.bin", "take.bin.gz", "take.bin.zst"] {
            run(["demo", &folder.path(name), "--seconds", "4", "--no-page"]).code(0);
        }
        folder
    }

    fn path(&self, name: &str) -> String {
        text(&self.0.path().join(name)).to_owned()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("written")
    }

    fn compression(&self, name: &str) -> Compression {
        Compression::detect(&self.bytes(name))
    }

    /// The contents of a file after `holotape convert` to `.bin`.
    fn decompressed(&self, name: &str) -> Vec<u8> {
        let to = self.path("decompressed.bin");
        run(["convert", &self.path(name), &to, "--force"]).code(0).assert_stderr_empty();
        fs::read(to).expect("written")
    }
}

#[test]
fn convert_compresses_and_decompresses_golden_files() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| text(&folder.path().join(name)).to_owned();
    for (original, _) in valid_pairs() {
        for extension in EXTENSIONS {
            let (compressed, again) = (path(&format!("take.{extension}")), path("take.bin"));
            run(["convert", text(&original), &compressed, "--force"]).code(0).assert_stderr_empty();
            run(["convert", &compressed, &again, "--force"]).code(0).assert_stderr_empty();
            assert!(fs::read(&again).expect("written") == fs::read(&original).expect("test data"));
        }
    }
}

#[test]
fn every_reading_command_prints_the_same_for_compressed_files() {
    let folder = Folder::new();
    let commands: [&[&str]; 7] = [
        &["check"],
        &["check", "--json"],
        &["stats", "--json"],
        &["sample", "--rate", "10"],
        &["markers", "list"],
        &["diff", "SELF"],
        &["convert", "-", "--to", "csv"],
    ];
    for command in commands {
        let output = |name: &str| {
            let path = folder.path(name);
            let (first, rest) = command.split_first().expect("a command");
            let is_markers = *first == "markers";
            let mut args: Vec<&str> = vec![first];
            if is_markers {
                args.extend(rest);
            }
            args.push(&path);
            if !is_markers {
                args.extend(rest);
            }
            let args = args.iter().map(|arg| if *arg == "SELF" { &*path } else { arg });
            let run = Run::new(holotape().args(args));
            // JSON has `\\` for the separators of Windows.
            (run.code, run.text().replace(r"\\", r"\").replace(&path, "PATH"))
        };
        let expected = output("take.bin");
        for name in ["take.bin.gz", "take.bin.zst"] {
            assert!(output(name) == expected, "{command:?} {name}");
        }
    }
}

#[test]
fn plots_pages_and_playback_read_compressed_files() {
    let folder = Folder::new();
    let [plot, same, page] = ["a.svg", "b.svg", "page.html"].map(|name| folder.path(name));
    let [bin, zst] = ["take.bin", "take.bin.zst"].map(|name| folder.path(name));
    run(["plot", &bin, &plot]).code(0);
    run(["plot", &zst, &same]).code(0);
    let [plot, same] = ["a.svg", "b.svg"].map(|name| String::from_utf8(folder.bytes(name)).expect("UTF-8"));
    assert!(same.contains("take.bin.zst") && same.replace("take.bin.zst", "take.bin") == plot);
    run(["view", &zst, "--export", &page]).code(0);
    assert!(String::from_utf8_lossy(&folder.bytes("page.html")).contains("take.bin.zst"));
    run(["play", &zst, "--speed", "1000"]).code(0);
}

#[test]
fn info_shows_the_compression() {
    let folder = Folder::new();
    let info = |name: &str| run(["info", "--json", &folder.path(name)]).code(0).json();
    let plain = info("take.bin");
    assert_eq!(plain["compression"], "none");
    for (name, compression) in [("take.bin.gz", "gzip"), ("take.bin.zst", "zstd")] {
        let mut compressed = info(name);
        assert_eq!(compressed["compression"], compression);
        assert_eq!(compressed["file_bytes"], folder.bytes(name).len());
        for key in ["file", "file_bytes", "compression"] {
            compressed[key] = plain[key].clone();
        }
        assert_eq!(compressed, plain);
        let text = run(["info", &folder.path(name)]).code(0);
        assert!(text.text().contains(&format!("compressed with {compression}, version 1.1")), "{}", text.text());
    }
}

#[test]
fn edits_in_place_keep_the_compression() {
    let folder = Folder::new();
    for extension in EXTENSIONS {
        let name = format!("take.{extension}");
        let before = folder.compression(&name);
        assert!(before.is_compressed());
        let commands: [&[&str]; 4] = [&["trim", "--to", "2"], &["optimize"], &["mirror"], &["repair"]];
        for command in commands {
            let (first, rest) = command.split_first().expect("a command");
            let args = [*first, &folder.path(&name), &folder.path(&name), "--force"];
            Run::new(holotape().args(args).args(rest)).code(0);
            assert_eq!(folder.compression(&name), before, "{command:?}");
        }
        assert_eq!(run(["info", "--json", &folder.path(&name)]).json()["duration_secs"], 2.0);
    }
}

#[test]
fn outputs_of_concat_and_merge_are_compressed() {
    let folder = Folder::new();
    let [gz, zst, joined] = ["take.bin.gz", "take.bin.zst", "joined.bin.zst"].map(|name| folder.path(name));
    run(["concat", &gz, &zst, &joined]).code(0);
    assert_eq!(folder.compression("joined.bin.zst"), Compression::Zstd);
    run(["merge", &folder.path("merged.json.gz"), "--camera", &gz, "--left", &zst]).code(0);
    assert_eq!(folder.compression("merged.json.gz"), Compression::Gzip);
    assert_eq!(run(["info", "--json", &folder.path("merged.json.gz")]).json()["file_format"], "json");
}

#[test]
fn out_dir_keeps_or_changes_the_compression() {
    let folder = Folder::new();
    let inputs = ["take.bin", "take.bin.zst"].map(|name| folder.path(name));
    let same = folder.path("same");
    run(["trim", "--to", "1", "--out-dir", &same, &inputs[0], &inputs[1]]).code(0);
    assert_eq!(folder.compression("same/take.bin.zst"), Compression::Zstd);
    assert_eq!(folder.compression("same/take.bin"), Compression::None);
    let packed = folder.path("packed");
    run(["convert", "--to", "bin.zst", "--out-dir", &packed, &inputs[0]]).code(0).assert_stderr_empty();
    assert!(folder.decompressed("packed/take.bin.zst") == folder.bytes("take.bin"));
    let unpacked = folder.path("unpacked");
    run(["convert", "--to", "bin", "--out-dir", &unpacked, &inputs[1]]).code(0).assert_stderr_empty();
    assert!(folder.bytes("unpacked/take.bin") == folder.bytes("take.bin"));
    let sampled = folder.path("sampled");
    run(["sample", "--rate", "5", "--format", "csv", "--out-dir", &sampled, &inputs[1]]).code(0);
    assert_eq!(folder.compression("sampled/take.csv"), Compression::None);
}

#[test]
fn tables_are_compressed_by_name() {
    let folder = Folder::new();
    let [gz, zst] = ["take.bin.gz", "take.bin.zst"].map(|name| folder.path(name));
    run(["convert", &gz, &folder.path("take.csv.gz"), "--rate", "10"]).code(3);
    assert_eq!(folder.compression("take.csv.gz"), Compression::Gzip);
    let all = folder.path("all.csv.zst");
    run(["convert", "--into", &all, "--rate", "10", &gz, &zst]).code(3);
    assert_eq!(folder.compression("all.csv.zst"), Compression::Zstd);
    run(["convert", &folder.path("take.csv.gz"), &folder.path("again.bin")]).code(0);
    run(["convert", &gz, &folder.path("take.zst")]).code(2).assert_stderr_contains("unknown extension");
}

#[test]
fn record_compresses_by_name() {
    let folder = Folder::new();
    let lines = run(["sample", &folder.path("take.bin"), "--rate", "60"]).code(0);
    for extension in ["bin", "bin.gz", "bin.zst"] {
        let name = format!("recorded.{extension}");
        let mut command = holotape();
        command.args(["record", &folder.path(&name)]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        child.stdin.take().expect("piped").write_all(&lines.stdout).expect("accepted");
        Run::from(child.wait_with_output().expect("ends")).code(0).assert_stderr_contains("recorded");
        assert_eq!(folder.compression(&name), Compression::from_path(&name));
        assert!(!folder.0.path().join("recorded.bin.journal").exists(), "the journal is gone");
        assert!(folder.decompressed(&name) == folder.bytes("recorded.bin"));
    }
}

#[test]
fn standard_input_and_output_may_be_compressed() {
    let folder = Folder::new();
    let piped = |args: &[&str], name: &str| {
        let mut command = holotape();
        command.args(args).stdin(fs::File::open(folder.path(name)).expect("opens"));
        Run::new(&mut command).code(0)
    };
    assert_eq!(piped(&["info", "--json", "-"], "take.bin.zst").json()["compression"], "zstd");
    let compressed = piped(&["convert", "-", "-", "--to", "bin.zst"], "take.bin.gz").stdout;
    assert_eq!(Compression::detect(&compressed), Compression::Zstd);
    fs::write(folder.path("piped"), compressed).expect("written");
    assert!(folder.decompressed("piped") == folder.bytes("take.bin"));
    let bin = piped(&["trim", "-", "-", "--to", "2"], "take.bin.zst").stdout;
    assert_eq!(Compression::detect(&bin), Compression::None);
}

#[test]
fn truncated_files_are_refused_and_repaired() {
    let folder = Folder::new();
    for name in ["take.bin.gz", "take.bin.zst"] {
        let bytes = folder.bytes(name);
        let broken = folder.path("broken");
        fs::write(&broken, &bytes[..bytes.len() * 3 / 4]).expect("written");
        for command in ["info", "check", "stats"] {
            run([command, &broken]).code(1).assert_stderr_contains("data is truncated");
        }
        let repaired = folder.path("repaired.bin.zst");
        let report = run(["repair", &broken, &repaired, "--force"]).code(3);
        let report = report.assert_stderr_contains("lost: file: dropped what may follow the first");
        assert!(report.stderr.contains("data is truncated [truncated]"), "{}", report.stderr);
        let json = run(["repair", "--json", &broken, &repaired, "--force"]).code(3).json();
        let lost = json["lost"].as_array().expect("losses");
        assert!(lost.iter().any(|loss| loss["message"].as_str().is_some_and(|it| it.contains("decompressed bytes"))));
        run(["info", &repaired]).code(0);
    }
}

#[test]
fn wrong_checksum_is_an_error_that_repair_survives() {
    let folder = Folder::new();
    let mut bytes = folder.bytes("take.bin.zst");
    *bytes.last_mut().expect("not empty") ^= 1;
    let (broken, repaired) = (folder.path("broken.bin.zst"), folder.path("repaired.bin"));
    fs::write(&broken, bytes).expect("written");
    for command in ["info", "check", "sample"] {
        run([command, &broken, "--json"]).code(if command == "sample" { 2 } else { 1 });
    }
    run(["check", &broken]).code(1).assert_stderr_contains("the zstd data does not match its checksum");
    run(["repair", &broken, &repaired]).code(3).assert_stderr_contains("does not match its checksum [damaged]");
    assert!(folder.bytes("repaired.bin") == folder.bytes("take.bin"));
}
