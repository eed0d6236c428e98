//! `holotape convert` into and out of other people's formats, and `holotape plot`.

mod common;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Run, holotape, project, run, text, valid};
use tempfile::{TempDir, tempdir};

fn demo() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let take = folder.path().join("take.bin");
    run(["demo", text(&take), "--seconds", "2", "--seed", "5"]).code(0);
    (folder, take)
}

fn start_of(path: &Path) -> Vec<u8> {
    fs::read(path).expect("readable").into_iter().take(8).collect()
}

#[test]
fn names_say_what_is_written() {
    let (folder, take) = demo();
    let starts: [(&str, &[u8]); 9] = [
        ("out.csv", b"time,cam"),
        ("out.parquet", b"PAR1"),
        ("out.arrow", b"ARROW1"),
        ("out.glb", b"glTF"),
        ("out.gltf", b"{"),
        ("out.BVH", b"HIERARCH"),
        ("out.mcap", b"\x89MCAP0"),
        ("out.iwer.json", b"{\"schema"),
        ("out.json", b"{"),
    ];
    for (name, start) in starts {
        let out = folder.path().join(name);
        let converted = run(["convert", text(&take), text(&out)]);
        assert!([Some(0), Some(3)].contains(&converted.code), "{name}: {}", converted.stderr);
        assert_eq!(converted.code == Some(3), converted.stderr.contains("lost: "), "{name}: {}", converted.stderr);
        assert!(start_of(&out).starts_with(start), "{name}");
    }
}

#[test]
fn what_loses_nothing_comes_back_the_same() {
    let (folder, take) = demo();
    for (name, options) in [
        ("keys.csv", &["--table", "keys"][..]),
        ("keys.parquet", &["--table", "keys"]),
        ("x.parquet", &[]),
        ("x.glb", &[]),
    ] {
        let (there, back) = (folder.path().join(name), folder.path().join("back.bin"));
        Run::of(holotape().args(["convert", text(&take), text(&there)]).args(options));
        run(["convert", text(&there), text(&back), "--force"]).code(0).silently();
        run(["diff", text(&take), text(&back), "--tolerance", "0.000001,0.001"]).code(0);
    }
}

#[test]
fn strict_refuses_and_writes_nothing() {
    let (folder, take) = demo();
    let out = folder.path().join("out.bvh");
    run(["convert", text(&take), text(&out), "--strict"]).code(1).says("error: ");
    assert!(!out.exists());
    let piped = run(["convert", text(&take), "-", "--to", "iwer", "--strict"]).code(1);
    assert!(piped.stdout.is_empty());
    run(["convert", text(&take), text(&folder.path().join("all.parquet")), "--strict"]).code(0).silently();
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let (folder, take) = demo();
    let wrong: [(&str, &[&str], &str); 6] = [
        ("x.csv", &["--hierarchy"], "--hierarchy means nothing for a CSV table"),
        ("x.glb", &["--table", "keys"], "--table means nothing for a binary glTF"),
        ("x.bin", &["--rate", "30"], "--rate means nothing for an MRTK input animation"),
        ("x.csv", &["--table", "keys", "--rate", "30"], "--rate means nothing for --table keys"),
        ("x.mcap", &["--bones", "fixed"], "--bones means nothing for an MCAP log"),
        ("x.parquet", &["--version", "1.0"], "--version means nothing for a Parquet table"),
    ];
    for (name, options, message) in wrong {
        let out = folder.path().join(name);
        Run::of(holotape().args(["convert", text(&take), text(&out)]).args(options)).code(2).says(message);
        assert!(!out.exists());
    }
}

#[test]
fn many_go_into_one_table() {
    let (folder, take) = demo();
    let other = folder.path().join("other.bin");
    run(["demo", text(&other), "--seconds", "1", "--seed", "6"]).code(0);
    let table = folder.path().join("all.csv");
    let into = |files: &[&Path], options: &[&str]| {
        Run::of(holotape().args(["convert", "--into", text(&table), "--force"]).args(options).args(files))
    };
    into(&[&take, &other], &["--rate", "10"]).code(3).says("lost: ").says("; so in 2 of 2");
    let rows = fs::read_to_string(&table).expect("readable");
    let names: Vec<_> = rows.lines().map(|row| row.split(',').next().expect("a cell").to_owned()).collect();
    assert_eq!(names[0], "recording");
    assert_eq!(names.iter().filter(|name| name.ends_with("take.bin")).count(), 21);
    assert_eq!(names.iter().filter(|name| name.ends_with("other.bin")).count(), 11);
    // One that cannot be read is told of, and the others are there.
    let broken = project("testdata/invalid/truncated_in_markers.bin");
    let told = into(&[&take, &broken, &other], &["--table", "keys"]).code(1).says("truncated_in_markers.bin: ");
    assert!(!told.stderr.contains("nothing was written"), "{}", told.stderr);
    assert!(fs::read_to_string(&table).expect("readable").contains("other.bin,gaze.direction.z"));
    // A table of many is not one recording.
    run(["convert", text(&table), text(&folder.path().join("no.bin"))]).code(1).says("more than one recording");
    run(["convert", text(&take), "--into", "x.glb"]).code(2).says("--into wants a .parquet, .arrow or .csv");
    into(&[&take, &take], &[]).code(2).says("take.bin is there twice");
    let before = fs::read(&table).expect("readable");
    // Nothing that could be read, or not everything where that is asked for: no table.
    into(&[&broken, &broken.with_file_name("no.bin")], &[]).code(1);
    into(&[&take, &broken], &["--table", "keys", "--strict"]).code(1);
    assert_eq!(fs::read(&table).expect("readable"), before);
    into(&[&take, &other], &["--rate", "10", "--strict"]).code(1).says("error: ");
    assert_eq!(fs::read(&table).expect("readable"), before, "strict left the old table alone");
}

#[test]
fn spaces_are_those_of_what_is_read_and_what_is_written() {
    let (folder, take) = demo();
    let at = |name: &str| folder.path().join(name);
    let same = |a: &Path, b: &Path| run(["diff", text(a), text(b), "--tolerance", "0.000001,0.001"]).code;
    run(["convert", text(&take), text(&at("r.csv")), "--table", "keys", "--space", "right-handed"]).code(0);
    run(["convert", text(&at("r.csv")), text(&at("r.bin")), "--from-space", "right-handed"]).code(0);
    assert_eq!(same(&take, &at("r.bin")), Some(0));
    run(["convert", text(&at("r.csv")), text(&at("wrong.bin"))]).code(0);
    assert_ne!(same(&take, &at("wrong.bin")), Some(0), "nobody said that it is right-handed");
    let both = ["--from-space", "right-handed", "--space", "right-handed", "--table", "keys"];
    Run::of(holotape().args(["convert", text(&at("r.csv")), text(&at("r.parquet"))]).args(both)).code(0);
    run(["convert", text(&at("r.parquet")), text(&at("p.bin"))]).code(0);
    assert_eq!(same(&take, &at("p.bin")), Some(0), "a Parquet table says what it is");
}

#[test]
fn losses_of_many_are_counted_by_file() {
    let folder = tempdir().expect("a folder");
    let source = fs::read_to_string(project("testdata/import/stream_recorder_head_hand_eye.csv")).expect("readable");
    let first = source.lines().next().expect("a row");
    let names = ["a.csv", "b.csv", "c.csv"].map(|name| folder.path().join(name));
    for name in &names {
        // The first row again is late.
        fs::write(name, format!("{source}{first}\n")).expect("writes");
    }
    let table = folder.path().join("all.parquet");
    let told = Run::of(holotape().args(["convert", "--into", text(&table)]).args(&names)).code(3);
    assert_eq!(told.stderr.matches("so in 3 of 3").count(), told.stderr.lines().count(), "{}", told.stderr);
    told.says("rows that are not after the one before").says("how far the eyes looked");
}

#[test]
fn a_folder_gets_the_right_names() {
    let (folder, take) = demo();
    let iwer = folder.path().join("hands.iwer.json");
    run(["convert", text(&take), text(&iwer)]).code(3);
    let out = folder.path().join("out");
    run(["convert", text(&take), text(&iwer), "--out-dir", text(&out), "--to", "csv"]).code(3);
    assert!(out.join("take.csv").exists() && out.join("hands.csv").exists());
}

#[test]
fn other_peoples_recordings_come_in() {
    let folder = tempdir().expect("a folder");
    let sources = [
        ("hl2ss_spatial_input.bin", 3),
        ("stream_recorder_head_hand_eye.csv", 3),
        ("psi", 0),
        ("psi/Hands/Left.txt", 0),
        ("psi_stereokit", 0),
        ("holoassist", 0),
    ];
    for (source, code) in sources {
        let source = project("testdata/import").join(source);
        let out = folder.path().join("out.bin");
        run(["convert", text(&source), text(&out), "--force"]).code(code);
        let info = run(["info", "--json", text(&out)]).code(0).json();
        assert!(info["duration"].as_f64().is_some_and(|seconds| (0.05..0.2).contains(&seconds)), "{info}");
    }
    let hl2ss = project("testdata/import/hl2ss_spatial_input.bin");
    let stdin = Stdio::from(File::open(&hl2ss).expect("readable"));
    Run::of(holotape().args(["convert", "-", "-", "--to", "bin"]).stdin(stdin)).code(3).says("lost: radii of joints");
    run(["info", text(&hl2ss)])
        .code(1)
        .says("this is an hl2ss spatial input; `holotape convert` makes a recording of it");
}

#[test]
fn spoilt_rotations_are_warned_of() {
    let folder = tempdir().expect("a folder");
    let spoilt = valid("mrtk27_rotation_w_lost.bin");
    let out = folder.path().join("out.csv");
    run(["convert", text(&spoilt), text(&out)]).says("warning: 53 rotations have lost their w");
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_nothing_behind() {
    let folder = tempdir().expect("a folder");
    let (take, output) = (folder.path().join("take.bin"), folder.path().join("out"));
    fs::create_dir(&output).expect("a folder");
    run(["demo", text(&take), "--seconds", "120"]).code(0);
    // A row for each of two million keys takes a while; it is told to end while it writes.
    let table = output.join("keys.csv");
    let mut child = holotape().args(["convert", text(&take), text(&table), "--table", "keys"]).spawn().expect("starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_dir(&output).expect("a folder").count() == 0 && Instant::now() < deadline {
        sleep(Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kills").success());
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    assert_eq!(fs::read_dir(&output).expect("a folder").count(), 0, "nothing is left, whatever its name");
}

#[test]
fn what_cannot_be_read_says_what_it_is() {
    let (folder, take) = demo();
    let log = folder.path().join("x.mcap");
    run(["convert", text(&take), text(&log)]);
    run(["convert", text(&log), text(&folder.path().join("y.bin"))])
        .code(1)
        .says("MCAP log, which can be written but not read");
    let csv = folder.path().join("x.csv");
    fs::write(&csv, "time,left.tracked\n0,true\n1,perhaps\n").expect("writes");
    run(["convert", text(&csv), text(&folder.path().join("y.bin"))])
        .code(1)
        .says("x.csv: row 3, column 2 (left.tracked)");
    let empty = folder.path().join("nobody");
    fs::create_dir(&empty).expect("a folder");
    run(["convert", text(&empty), text(&folder.path().join("y.bin"))]).code(1).says("nobody: ");
}

#[test]
fn plots_are_drawn() {
    let (folder, take) = demo();
    let (svg, png) = (folder.path().join("p.svg"), folder.path().join("p.png"));
    run(["plot", text(&take), text(&svg)]).code(0).silently();
    assert!(fs::read_to_string(&svg).expect("readable").contains("take.bin"), "the name is its title");
    run(["plot", text(&take), text(&png), "--size", "600x500", "--dark"]).code(0).silently();
    assert!(start_of(&png).starts_with(b"\x89PNG"));
    run(["plot", text(&take), text(&svg)]).code(1).says("--force replaces it");
    let plot = |options: &[&str]| Run::of(holotape().args(["plot", text(&take), text(&svg), "--force"]).args(options));
    plot(&["--curves", "camera.position.*,*.pinching", "--from", "0.5", "--to", "1"]).code(0).silently();
    plot(&["--curves", "camera.positon.*"]).code(1).says("camera.positon.*");
    plot(&["--from", "3", "--to", "1"]).code(2).says("nothing to show");
    plot(&["--to", "30"]).code(0).silently();
    plot(&["--scale", "2"]).code(2).says("--scale means nothing for an SVG");
    assert!(run(["plot", text(&take), "-"]).code(0).text().starts_with("<svg"));
    plot(&["--size", "12"]).code(2).says("not like 1200x800");
    run(["plot", text(&take), "picture.gif"]).code(2).says("picture.gif: neither .svg nor .png");
    run(["plot", text(&valid("empty10.bin")), text(&svg), "--force"]).code(0);
}
