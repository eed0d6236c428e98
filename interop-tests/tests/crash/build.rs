//! Builds of datasets: what readers see after a crash, and that the next build completes the dataset.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use holotape::demo::DemoOptions;

use crate::states::{Loss, State, replay};
use crate::trace::Trace;
use crate::tree::{Paths, Tree, write_paths};
use crate::{folder, strace};

/// A command that builds datasets.
pub struct BuildCommand {
    /// The arguments, without the folders.
    pub args: &'static [&'static str],
    /// Builds in this process with the same options. Returns the number of partitions or data files that were written.
    pub resume: fn(source: &Path, out: &Path) -> holotape::Result<usize>,
    /// The files that readers see; `None` if they cannot open the dataset.
    pub visible_files: fn(at: &str, out: &Path) -> Option<Paths>,
    /// Whether a build is replacing files: until it ends, the dataset cannot be opened.
    pub is_committing: fn(out: &Path) -> bool,
    /// The start of the names of complete partitions or data files before they are part of the dataset.
    pub staged_prefix: &'static str,
}

/// Writes a recording with an old modification time, by which builds recognize unchanged files.
pub fn write_source(folder: &Path, name: &str, seed: u64) {
    let path = folder.join(name);
    let demo = DemoOptions::new().with_seed(seed).with_seconds(0.2).generate().expect("a demo");
    assert!(demo.save(&path).expect("saved").is_empty());
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seed);
    File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("a time");
}

pub fn write_sources(folder: &Path, names: &[&str]) {
    for (seed, name) in (0..).zip(names) {
        write_source(folder, name, seed);
    }
}

impl BuildCommand {
    /// Builds the dataset `out` in a folder.
    pub fn trace(&self, source: &Path, root: &Path) -> Trace {
        let log = folder();
        let initial = Tree::read(root);
        let args = self.args.iter().map(PathBuf::from).chain([source.to_owned(), root.join("out")]);
        let calls = strace::run(&log.path().join("log"), args);
        Trace::new(root, initial, &calls)
    }

    /// Checks that after each crash the dataset is the old one, the new one or cannot be opened while files are replaced,
    /// and that the next build completes it. `to_write` is the number of partitions or data files that the build writes.
    pub fn check(&self, name: &str, source: &Path, root: &Path, to_write: usize) {
        let out = root.join("out");
        let old = (self.visible_files)(name, &out);
        let trace = self.trace(source, root);
        let new = (self.visible_files)(name, &out).expect("a dataset");
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
            let (present, is_committing) = ((self.visible_files)(&at, &out), (self.is_committing)(&out));
            let is_new = present.as_ref() == Some(&new);
            match present.is_some() {
                true => assert!(is_new || present == old, "{at}: neither the old nor the new dataset"),
                false => {
                    assert!(old.is_none() || is_committing, "{at}: the old dataset is gone, the new one incomplete")
                }
            }
            assert!(!is_last || is_new, "{at}: the command has ended, but the dataset is not durable");
            let written = (self.resume)(source, &out).unwrap_or_else(|error| panic!("{at}: {error}"));
            assert!(Tree::read(folder.path()).paths() == complete, "{at}: the next build ends differently");
            if *loss == Loss::Killed {
                let is_staged = |path: &&String| path.starts_with(self.staged_prefix) && path.ends_with(".json");
                let staged = paths.keys().filter(is_staged).count();
                let left = if is_new || is_committing { 0 } else { to_write - staged };
                assert_eq!(written, left, "{at}: {staged} were complete");
            }
        });
        println!("{name}: {} different states", seen.len());
        assert!(states >= 600 && seen.len() >= 100, "{states} states, {} different", seen.len());
    }
}
