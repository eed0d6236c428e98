//! `dataset build`: first builds and incremental builds continue after a crash.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use holotape::demo::DemoOptions;
use holotape_corpus::{BuildOptions, Dataset, build};

use crate::states::{Loss, State, replay};
use crate::trace::Trace;
use crate::tree::{Paths, Tree, write_paths};
use crate::{folder, strace};

const RATE_HZ: &str = "30";

/// Each of them ends a partition.
const NAMES: [&str; 3] = ["reach-019.bin", "reach-025.bin", "reach-033.bin"];

/// Writes a recording with an old modification time, by which builds recognize unchanged files.
fn write_source(folder: &Path, name: &str, seed: u64) {
    let path = folder.join(name);
    let demo = DemoOptions::new().with_seed(seed).with_seconds(0.2).generate().expect("a demo");
    assert!(demo.save(&path).expect("saved").is_empty());
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seed);
    File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("a time");
}

fn traced_build(source: &Path, root: &Path) -> Trace {
    let log = folder();
    let initial = Tree::read(root);
    let options = ["dataset", "build", "--rate", RATE_HZ, "--jobs", "2"].map(PathBuf::from);
    let calls = strace::run(&log.path().join("log"), options.into_iter().chain([source.to_owned(), root.join("out")]));
    Trace::new(root, initial, &calls)
}

/// The files that a dataset consists of.
fn dataset_files(at: &str, folder: &Path) -> Option<Paths> {
    if !folder.join("dataset.json").exists() {
        return None;
    }
    let dataset = Dataset::open(folder).unwrap_or_else(|error| panic!("{at}: {error}"));
    let mut files = Paths::new();
    let mut add = |path: &Path| {
        let content = fs::read(path).unwrap_or_else(|error| panic!("{at}: {}: {error}", path.display()));
        let name = path.strip_prefix(folder).expect("a file of the dataset").to_string_lossy().into_owned();
        files.insert(name, Some(content));
    };
    add(&folder.join("dataset.json"));
    for table in dataset.tables() {
        dataset.files(table).expect("a table").iter().for_each(|file| add(file));
    }
    Some(files)
}

/// Checks that the dataset is the old or the new one after each crash, and that the next build completes it.
fn check_build(name: &str, source: &Path, root: &Path, to_build: usize) {
    let out = root.join("out");
    let old = dataset_files(name, &out);
    let trace = traced_build(source, root);
    let new = dataset_files(name, &out).expect("a dataset");
    assert!(old.as_ref() != Some(&new), "the build changes the dataset");
    let complete = Tree::read(root).paths();
    let mut seen = HashSet::new();
    let states = replay(name, &trace, |State { point, loss, paths }| {
        let mut hasher = DefaultHasher::new();
        let is_last = *point == trace.ops.len();
        (paths, is_last, *loss == Loss::Killed).hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            return;
        }
        let at = format!("{name}: {loss:?} after {point} operations");
        let folder = folder();
        write_paths(paths, folder.path());
        let out = folder.path().join("out");
        let present = dataset_files(&at, &out);
        assert!(present == old || present.as_ref() == Some(&new), "{at}: neither the old nor the new dataset");
        assert!(
            !is_last || present.as_ref() == Some(&new),
            "{at}: the command has ended, but the dataset is not durable"
        );
        let options =
            BuildOptions::new().with_rate_hz(RATE_HZ.parse().expect("a rate")).with_jobs(NonZeroUsize::new(1));
        let report = build([source], &out, &options, |_| ControlFlow::Continue(()));
        let report = report.unwrap_or_else(|error| panic!("{at}: {error}"));
        assert!(Tree::read(folder.path()).paths() == complete, "{at}: the next build ends differently");
        if *loss == Loss::Killed {
            let is_staged = |path: &&String| path.starts_with("out/.staging/part-") && path.ends_with(".json");
            let staged = paths.keys().filter(is_staged).count();
            let left = if present.as_ref() == Some(&new) { 0 } else { to_build - staged };
            assert_eq!(report.written_partition_count, left, "{at}: {staged} partitions were complete");
        }
    });
    println!("{name}: {} different states", seen.len());
    assert!(states >= 600 && seen.len() >= 100, "{states} states");
}

#[test]
fn first_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    for (seed, name) in NAMES.into_iter().enumerate() {
        write_source(source.path(), name, seed as u64);
    }
    check_build("first build", source.path(), root.path(), 3);
}

#[test]
fn incremental_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    for (seed, name) in NAMES.into_iter().enumerate() {
        write_source(source.path(), name, seed as u64);
    }
    traced_build(source.path(), root.path());
    // Changes the first partition, extends the second, and removes the third.
    write_source(source.path(), NAMES[0], 10);
    write_source(source.path(), "reach-024.bin", 11);
    fs::remove_file(source.path().join(NAMES[2])).expect("removed");
    check_build("incremental build", source.path(), root.path(), 2);
}
