//! `dataset lerobot`: the dataset can be opened only while it is complete, and the next build continues after a crash.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use holotape_corpus::{LerobotOptions, build_lerobot};

use crate::build::{BuildCommand, write_source, write_sources};
use crate::folder;
use crate::tree::{Paths, Tree};

/// Each episode fills a data file.
const COMMAND: BuildCommand = BuildCommand {
    args: &["dataset", "lerobot", "--file-size", "0.005", "--jobs", "2", "--quiet"],
    resume: |source, out| {
        let options = LerobotOptions::new().with_file_mb(0.005).with_jobs(NonZeroUsize::new(1));
        build_lerobot([source], out, &options, |_| ControlFlow::Continue(())).map(|report| report.written_file_count)
    },
    visible_files: |_, out| visible_files(out),
    is_committing: |out| out.join(".staging/commit.json").exists(),
    staged_prefix: "out/.staging/file-",
};

/// All files that readers can see; `None` if they cannot open the dataset.
fn visible_files(out: &Path) -> Option<Paths> {
    out.join("meta/info.json").exists().then(|| {
        let is_visible = |path: &str| !path.split('/').any(|name| name.starts_with('.'));
        Tree::read(out).paths().into_iter().filter(|(path, content)| is_visible(path) && content.is_some()).collect()
    })
}

#[test]
fn first_lerobot_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    write_sources(source.path(), &["a.bin", "c.bin", "e.bin"]);
    COMMAND.check("first LeRobot build", source.path(), root.path(), 3);
}

#[test]
fn incremental_lerobot_build_continues_after_a_crash() {
    let (source, root) = (folder(), folder());
    write_sources(source.path(), &["a.bin", "c.bin", "e.bin", "f.bin"]);
    COMMAND.trace(source.path(), root.path());
    // Keeps the first file, adds an episode before the second, changes the third, and removes the last two.
    write_source(source.path(), "b.bin", 11);
    for removed in ["e.bin", "f.bin"] {
        fs::remove_file(source.path().join(removed)).expect("removed");
    }
    COMMAND.check("incremental LeRobot build", source.path(), root.path(), 2);
}
