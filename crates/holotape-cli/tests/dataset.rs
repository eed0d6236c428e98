//! `holotape dataset`: built, killed, built on, and shown.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, holotape, run, text};
use holotape::demo::DemoOptions;
use tempfile::{TempDir, tempdir};

/// A folder with takes of a tenth of a second, and where a dataset of them goes.
fn corpus(count: u64) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempdir().expect("a folder");
    let takes = folder.path().join("takes");
    for number in 0..count {
        let person = takes.join(format!("p{:02}", number % 4 + 1));
        fs::create_dir_all(&person).expect("made");
        let demo = DemoOptions::new().with_seed(number % 10).with_seconds(0.1).generate().expect("a demo");
        assert!(demo.save(person.join(format!("take-{number:03}.bin"))).expect("saved").is_empty());
    }
    let out = folder.path().join("dataset");
    (folder, takes, out)
}

fn build(takes: &Path, out: &Path) -> Run {
    run(["dataset", "build", text(takes), text(out)])
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
        match path.is_dir() {
            true => {
                let below = self::files(&path).into_iter();
                files.extend(below.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
            }
            false => drop(files.insert(name, fs::read(&path).expect("readable"))),
        }
    }
    files
}

/// The manifest without times of files, which are not known of files that were just written.
fn timeless(manifest: &[u8]) -> serde_json::Value {
    let mut manifest: serde_json::Value = serde_json::from_slice(manifest).expect("JSON");
    for part in manifest["parts"].as_array_mut().expect("parts") {
        for take in part["takes"].as_array_mut().expect("takes") {
            take["modified_ns"].take();
        }
    }
    manifest
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (mut one, mut other) = (files(one), files(other));
    let [left, right] = [&mut one, &mut other].map(|files| files.remove("dataset.json").expect("a manifest"));
    assert_eq!(timeless(&left), timeless(&right));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    assert!(one == other, "files differ");
}

#[test]
fn a_dataset_is_built_once_and_then_kept_up_to_date() {
    let (_folder, takes, out) = corpus(5);
    let first = build(&takes, &out).code(0).silently();
    assert!(first.text().contains("5 takes in 1 part, of which 1 made now"), "{}", first.text());
    assert!(first.text().contains("frames"), "{}", first.text());
    let again = run(["dataset", "build", text(&takes), text(&out), "--json"]).code(0).silently().json();
    assert_eq!((&again["takes"], &again["parts_made"], &again["rows"]["frames"]), (&5.into(), &0.into(), &35.into()));
    let quiet = run(["dataset", "build", text(&takes), text(&out), "--quiet", "--verify"]).code(0).silently();
    assert_eq!(quiet.text(), "");
    let info = run(["dataset", "info", text(&out), "--json"]).code(0).silently().json();
    assert_eq!((&info["takes"], &info["rate_hz"], &info["broken"]), (&5.into(), &60.0.into(), &0.into()));
    assert_eq!(info["tables"][1]["table"], "frames");
    assert!(run(["dataset", "info", text(&out)]).code(0).silently().text().contains("60 frames a second"));
}

#[test]
fn patterns_and_options() {
    let (_folder, takes, out) = corpus(8);
    let pattern = takes.join("p0[12]/*.bin");
    let args = ["--rate", "20", "--keys", "--jobs", "2"];
    let mut command = holotape();
    command.args(["dataset", "build", text(&pattern), text(&takes.join("p03")), text(&out), "--json"]).args(args);
    let report = Run::of(&mut command).code(0).silently().json();
    assert_eq!((&report["takes"], &report["rows"]["frames"]), (&6.into(), &18.into()));
    assert!(report["rows"]["keys"].as_u64().expect("keys") > 6 * 300);
    build(&takes, &out).code(0).says("note: ").says("made anew: it had 20 frames a second and now has 60");
}

#[test]
fn broken_takes_are_told_of() {
    let (_folder, takes, out) = corpus(3);
    for number in 0..12 {
        fs::write(takes.join(format!("junk-{number:02}.bin")), "no recording").expect("written");
    }
    let report = build(&takes, &out).code(3).says("lost: junk-00.bin: not an input animation").says("2 others");
    assert!(!report.stderr.contains("junk-11"), "{}", report.stderr);
    build(&takes, &out).code(3).says("junk-00.bin");
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    let (folder, takes, out) = corpus(1);
    build(&takes, &takes).code(1).says("it is no dataset");
    run(["dataset", "build", text(&takes)]).code(2);
    run(["dataset", "build", "no-such-folder", text(&out)]).code(1).says("no-such-folder");
    run(["dataset", "build", text(&takes), text(&out), "--rate", "0"]).code(2).says("--rate");
    run(["dataset", "build", text(&takes), text(&out), "--rate", "5000"]).code(1).says("5000");
    run(["dataset", "info", text(folder.path())]).code(1).says("this is no dataset");
    run(["dataset", "info", "no-such-folder"]).code(1).says("no-such-folder: No such file or directory");
    let help = run(["dataset"]).code(2);
    assert!(help.stderr.contains("build") && help.stderr.contains("info"), "{}", help.stderr);
}

/// Killed at ten moments of its work, the program goes on where it was, and what comes of it is what a single run gives.
#[cfg(unix)]
#[test]
fn killed_ten_times() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let (folder, takes, out) = corpus(200);
    let scratch = folder.path().join("scratch");
    let start = Instant::now();
    build(&takes, &scratch).code(0).silently();
    let mut whole = start.elapsed();
    let (mut killed, mut round) = (0, 0_u32);
    while killed < 10 {
        round += 1;
        assert!(round < 100, "only {killed} of {round} were killed at work");
        let mut child =
            holotape().args(["dataset", "build", text(&takes), text(&out), "--quiet"]).spawn().expect("starts");
        // From the very start to when a whole run would be done, in no order.
        sleep(whole.mul_f64(f64::from(round * 7 % 10) / 10.0) + Duration::from_millis(3));
        child.kill().expect("killed");
        if !child.wait().expect("ended").success() {
            killed += 1;
            continue;
        }
        // It was done before, faster than the first. Something changes in every part, so that there is work again.
        whole = whole.mul_f64(0.8);
        for number in (0..200_u32).step_by(5) {
            let demo = DemoOptions::new().with_seed(u64::from(10 * round + number)).with_seconds(0.1);
            let path = takes.join(format!("p{:02}/take-{number:03}.bin", number % 4 + 1));
            assert!(demo.generate().expect("a demo").save(path).expect("saved").is_empty());
        }
    }
    build(&takes, &out).code(0).silently();
    fs::remove_dir_all(&scratch).expect("removed");
    build(&takes, &scratch).code(0).silently();
    assert_same(&out, &scratch);
    assert!(!out.join(".unfinished").exists());
}
