//! `holotape convert` to and from other formats, and `holotape plot`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, project, run, signals, text, valid};

fn demo() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let demo = folder.path().join("demo.bin");
    run(["demo", text(&demo), "--seconds", "2", "--seed", "5"]).code(0);
    (folder, demo)
}

fn start_of(path: &Path) -> Vec<u8> {
    fs::read(path).expect("readable").into_iter().take(8).collect()
}

#[test]
fn extension_selects_the_format() {
    let (folder, demo) = demo();
    let starts: [(&str, &[u8]); 10] = [
        ("out.csv", b"time,cam"),
        ("out.parquet", b"PAR1"),
        ("out.arrow", b"ARROW1"),
        ("out.glb", b"glTF"),
        ("out.gltf", b"{"),
        ("out.BVH", b"HIERARCH"),
        ("out.mcap", b"\x89MCAP0"),
        ("out.isaac.mcap", b"\x89MCAP0"),
        ("out.iwer.json", b"{\"schema"),
        ("out.json", b"{"),
    ];
    for (name, start) in starts {
        let out = folder.path().join(name);
        let converted = run(["convert", text(&demo), text(&out)]);
        assert!([Some(0), Some(3)].contains(&converted.code), "{name}: {}", converted.stderr);
        assert_eq!(converted.code == Some(3), converted.stderr.contains("lost: "), "{name}: {}", converted.stderr);
        assert!(start_of(&out).starts_with(start), "{name}");
    }
}

#[test]
fn lossless_formats_round_trip() {
    let (folder, demo) = demo();
    for (name, options) in [
        ("keys.csv", &["--table", "keys"][..]),
        ("keys.parquet", &["--table", "keys"]),
        ("x.parquet", &[]),
        ("x.glb", &[]),
    ] {
        let (there, back) = (folder.path().join(name), folder.path().join("back.bin"));
        Run::new(holotape().args(["convert", text(&demo), text(&there)]).args(options));
        run(["convert", text(&there), text(&back), "--force"]).code(0).assert_stderr_empty();
        run(["diff", text(&demo), text(&back), "--tolerance", "0.000001,0.001"]).code(0);
    }
}

#[test]
fn strict_writes_nothing_on_losses() {
    let (folder, demo) = demo();
    let out = folder.path().join("out.bvh");
    run(["convert", text(&demo), text(&out), "--strict"]).code(1).assert_stderr_contains("error: ");
    assert!(!out.exists());
    let piped = run(["convert", text(&demo), "-", "--to", "iwer", "--strict"]).code(1);
    assert!(piped.stdout.is_empty());
    run(["convert", text(&demo), text(&folder.path().join("all.parquet")), "--strict"]).code(0).assert_stderr_empty();
}

#[test]
fn options_without_effect_are_rejected() {
    let (folder, demo) = demo();
    let wrong: [(&str, &[&str], &str); 6] = [
        ("x.csv", &["--hierarchy"], "--hierarchy has no effect on a CSV table"),
        ("x.glb", &["--table", "keys"], "--table has no effect on a binary glTF"),
        ("x.bin", &["--rate", "30"], "--rate has no effect on an MRTK input animation"),
        ("x.csv", &["--table", "keys", "--rate", "30"], "--rate has no effect on --table keys"),
        ("x.mcap", &["--bones", "fixed"], "--bones has no effect on an MCAP log"),
        ("x.parquet", &["--version", "1.0"], "--version has no effect on a Parquet table"),
    ];
    for (name, options, message) in wrong {
        let out = folder.path().join(name);
        Run::new(holotape().args(["convert", text(&demo), text(&out)]).args(options))
            .code(2)
            .assert_stderr_contains(message);
        assert!(!out.exists());
    }
}

#[test]
fn excessive_rates_are_rejected_for_every_format() {
    let (folder, demo) = demo();
    for name in ["x.csv", "x.parquet", "x.arrow", "x.glb", "x.gltf", "x.bvh", "x.mcap"] {
        let out = folder.path().join(name);
        run(["convert", text(&demo), text(&out), "--rate", "1e6"])
            .code(2)
            .assert_stderr_contains("--rate 1000000: ")
            .assert_stderr_contains("too many frames");
        assert!(!out.exists(), "{name}");
    }
    let iwer = run(["convert", text(&demo), "-", "--to", "iwer", "--rate", "1e6"])
        .code(2)
        .assert_stderr_contains("--rate 1000000");
    assert!(iwer.stdout.is_empty());
    let table = folder.path().join("all.csv");
    run(["convert", "--into", text(&table), text(&demo), "--rate", "1e6"])
        .assert_stderr_contains("--rate 1000000: too many frames");
    assert!(!table.exists());
}

#[test]
fn into_writes_one_table() {
    let (folder, demo) = demo();
    let other = folder.path().join("other.bin");
    run(["demo", text(&other), "--seconds", "1", "--seed", "6"]).code(0);
    let table = folder.path().join("all.csv");
    let into = |files: &[&Path], options: &[&str]| {
        Run::new(holotape().args(["convert", "--into", text(&table), "--force"]).args(options).args(files))
    };
    into(&[&demo, &other], &["--rate", "10"])
        .code(3)
        .assert_stderr_contains("lost: ")
        .assert_stderr_contains("; in 2 of 2 files");
    let rows = fs::read_to_string(&table).expect("readable");
    let names: Vec<_> = rows.lines().map(|row| row.split(',').next().expect("a cell").to_owned()).collect();
    assert_eq!(names[0], "recording");
    assert_eq!(names.iter().filter(|name| name.ends_with("demo.bin")).count(), 21);
    assert_eq!(names.iter().filter(|name| name.ends_with("other.bin")).count(), 11);
    // An unreadable file is reported, and the others are in the table.
    let broken = project("testdata/invalid/truncated_in_markers.bin");
    let output = into(&[&demo, &broken, &other], &["--table", "keys"])
        .code(1)
        .assert_stderr_contains("truncated_in_markers.bin: ");
    assert!(!output.stderr.contains("nothing was written"), "{}", output.stderr);
    assert!(fs::read_to_string(&table).expect("readable").contains("other.bin,,gaze.direction.z"));
    // A table of several recordings cannot be read as one recording.
    run(["convert", text(&table), text(&folder.path().join("no.bin"))])
        .code(1)
        .assert_stderr_contains("more than one recording");
    run(["convert", text(&demo), "--into", "x.glb"])
        .code(2)
        .assert_stderr_contains("--into needs a .parquet, .arrow or .csv file");
    into(&[&demo, &demo], &[]).code(2).assert_stderr_contains("demo.bin: given twice");
    let before = fs::read(&table).expect("readable");
    // No table is written if no file is readable, or with --strict, if one is not.
    into(&[&broken, &broken.with_file_name("no.bin")], &[]).code(1);
    into(&[&demo, &broken], &["--table", "keys", "--strict"]).code(1);
    assert_eq!(fs::read(&table).expect("readable"), before);
    into(&[&demo, &other], &["--rate", "10", "--strict"]).code(1).assert_stderr_contains("error: ");
    assert_eq!(fs::read(&table).expect("readable"), before, "strict keeps the old table");
}

#[test]
fn space_options_convert_coordinates() {
    let (folder, demo) = demo();
    let at = |name: &str| folder.path().join(name);
    let same = |a: &Path, b: &Path| run(["diff", text(a), text(b), "--tolerance", "0.000001,0.001"]).code;
    run(["convert", text(&demo), text(&at("r.csv")), "--table", "keys", "--space", "right-handed"]).code(0);
    run(["convert", text(&at("r.csv")), text(&at("r.bin")), "--from-space", "right-handed"]).code(0);
    assert_eq!(same(&demo, &at("r.bin")), Some(0));
    run(["convert", text(&at("r.csv")), text(&at("wrong.bin"))]).code(0);
    assert_ne!(same(&demo, &at("wrong.bin")), Some(0), "a CSV without --from-space is left-handed");
    let both = ["--from-space", "right-handed", "--space", "right-handed", "--table", "keys"];
    Run::new(holotape().args(["convert", text(&at("r.csv")), text(&at("r.parquet"))]).args(both)).code(0);
    run(["convert", text(&at("r.parquet")), text(&at("p.bin"))]).code(0);
    assert_eq!(same(&demo, &at("p.bin")), Some(0), "Parquet metadata has the coordinate system");
}

#[test]
fn losses_are_counted_per_file() {
    let folder = tempdir().expect("a folder");
    let source = fs::read_to_string(project("testdata/import/stream_recorder_head_hand_eye.csv")).expect("readable");
    let first = source.lines().next().expect("a row");
    let names = ["a.csv", "b.csv", "c.csv"].map(|name| folder.path().join(name));
    for name in &names {
        // Repeat the first row, whose time is then out of order.
        fs::write(name, format!("{source}{first}\n")).expect("writes");
    }
    let table = folder.path().join("all.parquet");
    let output = Run::new(holotape().args(["convert", "--into", text(&table)]).args(&names)).code(3);
    assert_eq!(output.stderr.matches("in 3 of 3 files").count(), output.stderr.lines().count(), "{}", output.stderr);
    output.assert_stderr_contains("rows that are not after the one before").assert_stderr_contains("gaze distance");
}

#[test]
fn out_dir_replaces_known_extensions() {
    let (folder, demo) = demo();
    let iwer = folder.path().join("hands.iwer.json");
    run(["convert", text(&demo), text(&iwer)]).code(3);
    let out = folder.path().join("out");
    run(["convert", text(&demo), text(&iwer), "--out-dir", text(&out), "--to", "csv"]).code(3);
    assert!(out.join("demo.csv").exists() && out.join("hands.csv").exists());
}

#[test]
fn recordings_of_other_programs_are_imported() {
    let folder = tempdir().expect("a folder");
    let sources = [
        ("hl2ss_spatial_input.bin", 3),
        ("stream_recorder_head_hand_eye.csv", 3),
        ("psi", 0),
        ("psi/Hands/Left.txt", 0),
        ("psi_stereokit", 0),
        ("holoassist", 0),
        ("egodex/reach/0.hdf5", 3),
        ("vision_pro", 3),
        ("vision_pro/tracking.jsonl", 3),
        ("aria_mps", 3),
        ("aria_mps/eye_gaze/general_eye_gaze.csv", 3),
    ];
    for (source, code) in sources {
        let source = project("testdata/import").join(source);
        let out = folder.path().join("out.bin");
        run(["convert", text(&source), text(&out), "--force"]).code(code);
        let info = run(["info", "--json", text(&out)]).code(0).json();
        assert!(info["duration_secs"].as_f64().is_some_and(|seconds| (0.05..0.2).contains(&seconds)), "{info}");
    }
    let hl2ss = project("testdata/import/hl2ss_spatial_input.bin");
    let stdin = Stdio::from(File::open(&hl2ss).expect("readable"));
    Run::new(holotape().args(["convert", "-", "-", "--to", "bin"]).stdin(stdin))
        .code(3)
        .assert_stderr_contains("lost: dropped the joint radii");
    run(["info", text(&hl2ss)])
        .code(1)
        .assert_stderr_contains("this is an hl2ss spatial input; import it with `holotape convert`");
}

#[test]
fn hand_captures_are_converted_optimized_and_converted_back() {
    let folder = tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let source = project("testdata/handsbin/v2_gestures_aim.handsbin");
    run(["convert", text(&source), text(&at("a.bin"))])
        .code(3)
        .assert_stderr_contains("dropped the name \"Reach and pinch\"");
    run(["optimize", text(&at("a.bin")), text(&at("b.bin"))]).code(0);
    let report = run(["check", "--json", text(&at("b.bin"))]).json();
    assert_eq!(report["error_count"], 0, "{report}");
    // Frames between the keys that are left are resampled, which is the only loss.
    let output = run(["convert", text(&at("b.bin")), text(&at("b.handsbin"))]);
    assert!(output.stderr.lines().all(|line| line.contains("resampled")), "{}", output.stderr);
    run(["convert", text(&at("b.handsbin")), text(&at("c.bin")), "--strict"]).code(0);
    run(["diff", text(&at("b.bin")), text(&at("c.bin")), "--tolerance", "0.0001,0.1"]).code(0);
    run(["diff", text(&at("a.bin")), text(&at("c.bin")), "--tolerance", "0.0021,0.3"]).code(0);
    run(["info", text(&source)])
        .code(1)
        .assert_stderr_contains("this is a Unity hand capture; import it with `holotape convert`");
}

#[test]
fn hand_captures_are_written_in_both_versions() {
    let (folder, demo) = demo();
    let at = |name: &str| folder.path().join(name);
    let version = |name: &str| fs::read(at(name)).expect("written")[0];
    run(["convert", text(&demo), text(&at("demo.handsbin"))]).code(3).assert_stderr_contains("dropped the gaze");
    run(["convert", text(&at("demo.handsbin")), text(&at("old.handsbin")), "--handsbin-version", "1"]).code(3);
    run(["convert", text(&at("old.handsbin")), text(&at("new")), "--to", "handsbin"]).code(3);
    assert_eq!(["demo.handsbin", "old.handsbin", "new"].map(version), [2, 1, 2]);
    run(["convert", text(&demo), text(&at("x.csv")), "--handsbin-version", "1"])
        .code(2)
        .assert_stderr_contains("--handsbin-version has no effect on a CSV table; remove it");
    let damaged = project("testdata/handsbin/invalid/joint_count_zero.handsbin");
    run(["convert", text(&damaged), text(&at("x.bin"))])
        .code(1)
        .assert_stderr_contains("invalid joint count 0; a hand has 26 joints (frame 0, byte 438)");
}

#[test]
fn lost_rotations_are_reported() {
    let folder = tempdir().expect("a folder");
    let damaged = valid("mrtk27_rotation_w_lost.bin");
    let out = folder.path().join("out.csv");
    run(["convert", text(&damaged), text(&out)]).assert_stderr_contains("warning: 53 poses have lost rotation w");
}

/// Interrupts a command when it has created a file in a folder. Returns its exit code.
fn interrupt_at_first_file(command: &mut Command, folder: &Path) -> Option<i32> {
    let mut child = signals::interruptible(command).spawn().expect("starts");
    while fs::read_dir(folder).expect("a folder").count() == 0 {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        sleep(Duration::from_millis(1));
    }
    signals::send("-INT", &child);
    child.wait().expect("ends").code()
}

#[test]
fn interrupted_command_leaves_no_files() {
    let folder = tempdir().expect("a folder");
    let (demo, output) = (folder.path().join("demo.bin"), folder.path().join("out"));
    fs::create_dir(&output).expect("a folder");
    run(["demo", text(&demo), "--seconds", "120"]).code(0);
    let table = output.join("keys.csv");
    // Writing two million rows takes seconds. Repeats it if this process was not scheduled in time.
    let mut codes = (0..20).map(|_| {
        fs::remove_file(&table).ok();
        let mut convert = holotape();
        interrupt_at_first_file(convert.args(["convert", text(&demo), text(&table), "--table", "keys"]), &output)
    });
    assert_eq!(codes.find(|code| *code != Some(0)), Some(Some(130)));
    assert_eq!(fs::read_dir(&output).expect("a folder").count(), 0, "no file is left");
}

#[test]
fn unreadable_formats_are_named() {
    let (folder, demo) = demo();
    let log = folder.path().join("x.mcap");
    run(["convert", text(&demo), text(&log)]);
    run(["convert", text(&log), text(&folder.path().join("y.bin"))])
        .code(1)
        .assert_stderr_contains("cannot read an MCAP log: the format is write-only; of MCAP logs, only those of Isaac");
    let csv = folder.path().join("x.csv");
    fs::write(&csv, "time,left.tracked\n0,true\n1,perhaps\n").expect("writes");
    run(["convert", text(&csv), text(&folder.path().join("y.bin"))])
        .code(1)
        .assert_stderr_contains("x.csv: row 3, column 2 (left.tracked)");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    run(["convert", text(&empty), text(&folder.path().join("y.bin"))]).code(1).assert_stderr_contains("empty: ");
}

#[test]
fn plot_draws_svg_and_png() {
    let (folder, demo) = demo();
    let (svg, png) = (folder.path().join("p.svg"), folder.path().join("p.png"));
    run(["plot", text(&demo), text(&svg)]).code(0).assert_stderr_empty();
    assert!(fs::read_to_string(&svg).expect("readable").contains("demo.bin"), "the title is the file name");
    run(["plot", text(&demo), text(&png), "--size", "600x500", "--dark"]).code(0).assert_stderr_empty();
    assert!(start_of(&png).starts_with(b"\x89PNG"));
    run(["plot", text(&demo), text(&svg)]).code(1).assert_stderr_contains("pass --force to overwrite it");
    let plot = |options: &[&str]| Run::new(holotape().args(["plot", text(&demo), text(&svg), "--force"]).args(options));
    plot(&["--curves", "camera.position.*,*.pinching", "--from", "0.5", "--to", "1"]).code(0).assert_stderr_empty();
    plot(&["--curves", "camera.positon.*"]).code(2).assert_stderr_contains("camera.positon.*");
    plot(&["--from", "3", "--to", "1"]).code(2).assert_stderr_contains("--from 3 is after --to 1");
    plot(&["--from", "1", "--to", "1"]).code(2).assert_stderr_contains("empty span");
    run(["plot", text(&demo), text(&png), "--force", "--scale", "1000"]).code(2).assert_stderr_contains("too large");
    plot(&["--size", "1x1"]).code(2).assert_stderr_contains("invalid plot size");
    plot(&["--to", "30"]).code(0).assert_stderr_empty();
    plot(&["--scale", "2"]).code(2).assert_stderr_contains("--scale has no effect on an SVG");
    assert!(run(["plot", text(&demo), "-"]).code(0).text().starts_with("<svg"));
    plot(&["--size", "12"]).code(2).assert_stderr_contains("such as 1200x800");
    run(["plot", text(&demo), "picture.gif"])
        .code(2)
        .assert_stderr_contains("picture.gif: unknown extension; use .svg or .png");
    run(["plot", text(&valid("empty10.bin")), text(&svg), "--force"]).code(0);
}
