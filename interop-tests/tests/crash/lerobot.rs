//! `dataset lerobot`: the dataset can be opened only while it is complete, and the next build continues after a crash.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use holotape::demo::DemoOptions;
use holotape_corpus::{LerobotOptions, LerobotReport, build_lerobot};

use crate::states::{Loss, State, replay};
use crate::trace::Trace;
use crate::tree::{Paths, Tree, write_paths};
use crate::{folder, strace};

/// Each episode fills a data file.
const FILE_MB: &str = "0.005";

const NAMES: [&str; 3] = ["a.bin", "c.bin", "e.bin"];

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
    let options = ["dataset", "lerobot", "--file-size", FILE_MB, "--jobs", "2", "--quiet"].map(PathBuf::from);
    let calls = strace::run(&log.path().join("log"), options.into_iter().chain([source.to_owned(), root.join("out")]));
    Trace::new(root, initial, &calls)
}

fn resume(source: &Path, out: &Path) -> holotape::Result<LerobotReport> {
    let options = LerobotOptions::new().with_file_mb(FILE_MB.parse().expect("a size")).with_jobs(NonZeroUsize::new(1));
    build_lerobot([source], out, &options, |_| ControlFlow::Continue(()))
}

/// All files that readers can see; `None` if they cannot open the dataset.
fn visible_files(out: &Path) -> Option<Paths> {
    out.join("meta/info.json").exists().then(|| {
        let is_visible = |path: &str| !path.split('/').any(|name| name.starts_with('.'));
        Tree::read(out).paths().into_iter().filter(|(path, content)| is_visible(path) && content.is_some()).collect()
    })
}

/// Checks that the dataset is the old one, the new one or cannot be opened after each crash, and that the next build completes
/// it.
fn check_build(name: &str, source: &Path, root: &Path, to_write: usize) {
    let out = root.join("out");
    let old = visible_files(&out);
    let trace = traced_build(source, root);
    let new = visible_files(&out).expect("a dataset");
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
        let present = visible_files(&out);
        let is_committing = out.join(".staging/commit.json").exists();
        match &present {
            Some(files) => assert!(old.as_ref() == Some(files) || *files == new, "{at}: neither old nor new"),
            None => assert!(old.is_none() || is_committing, "{at}: the old dataset is gone, the new one incomplete"),
        }
        assert!(
            !is_last || present.as_ref() == Some(&new),
            "{at}: the command has ended, but the dataset is not durable"
        );
        let report = resume(source, &out).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert!(Tree::read(folder.path()).paths() == complete, "{at}: the next build ends differently");
        if *loss == Loss::Killed {
            let is_staged = |path: &&String| path.starts_with("out/.staging/file-") && path.ends_with(".json");
            let staged = paths.keys().filter(is_staged).count();
            let is_done = is_committing || present.as_ref() == Some(&new);
            let left = if is_done { 0 } else { to_write - staged };
            assert_eq!(report.written_file_count, left, "{at}: {staged} files were complete");
        }
    });
    println!("{name}: {} different states", seen.len());
    assert!(states >= 600 && seen.len() >= 100, "{states} states, {} different", seen.len());
}

#[test]
fn first_lerobot_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    for (seed, name) in NAMES.into_iter().enumerate() {
        write_source(source.path(), name, seed as u64);
    }
    check_build("first LeRobot build", source.path(), root.path(), 3);
}

#[test]
fn incremental_lerobot_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    for (seed, name) in NAMES.into_iter().chain(["f.bin"]).enumerate() {
        write_source(source.path(), name, seed as u64);
    }
    traced_build(source.path(), root.path());
    // Keeps the first file, adds an episode before the second, changes the third, and removes the last two.
    write_source(source.path(), "b.bin", 11);
    for removed in ["e.bin", "f.bin"] {
        fs::remove_file(source.path().join(removed)).expect("removed");
    }
    check_build("incremental LeRobot build", source.path(), root.path(), 2);
}
