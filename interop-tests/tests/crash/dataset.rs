//! `dataset build`: first builds and incremental builds continue after a crash.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use holotape_corpus::{BuildOptions, Dataset, build};

use crate::build::{BuildCommand, write_source, write_sources};
use crate::folder;
use crate::tree::Paths;

const COMMAND: BuildCommand = BuildCommand {
    args: &["dataset", "build", "--rate", "30", "--jobs", "2"],
    resume: |source, out| {
        let options = BuildOptions::new().with_rate_hz(30.0).with_jobs(NonZeroUsize::new(1));
        build([source], out, &options, |_| ControlFlow::Continue(())).map(|report| report.written_partition_count)
    },
    visible_files: dataset_files,
    is_committing: |_| false,
    staged_prefix: "out/.staging/part-",
};

/// Each of them ends a partition.
const NAMES: [&str; 3] = ["reach-019.bin", "reach-025.bin", "reach-033.bin"];

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

#[test]
fn first_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    write_sources(source.path(), &NAMES);
    COMMAND.check("first build", source.path(), root.path(), 3);
}

#[test]
fn incremental_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    write_sources(source.path(), &NAMES);
    COMMAND.trace(source.path(), root.path());
    // Changes the first partition, extends the second, and removes the third.
    write_source(source.path(), NAMES[0], 10);
    write_source(source.path(), "reach-024.bin", 11);
    fs::remove_file(source.path().join(NAMES[2])).expect("removed");
    COMMAND.check("incremental build", source.path(), root.path(), 2);
}
