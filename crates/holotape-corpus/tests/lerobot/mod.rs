//! LeRobot datasets: features, tasks, statistics, and builds that do not depend on earlier ones.

mod builds;
mod features;
mod table;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use holotape::Recording;
use holotape_corpus::{LerobotOptions, LerobotReport, Progress, build_lerobot};
use tempfile::{TempDir, tempdir};

/// A folder of recordings, and the folder of the dataset.
struct Study {
    folder: TempDir,
}

impl Study {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        fs::create_dir(folder.path().join("study")).unwrap();
        Self { folder }
    }

    /// A study of these recordings, `000.bin`, `001.bin` …
    fn of<'a>(recordings: impl IntoIterator<Item = &'a Recording>) -> Self {
        let study = Self::new();
        for (number, recording) in recordings.into_iter().enumerate() {
            crate::common::save(recording, &study.path(&format!("{number:03}.bin")));
        }
        study
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("study").join(name)
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    #[track_caller]
    fn build(&self, options: &LerobotOptions) -> LerobotReport {
        self.build_into("out", options)
    }

    #[track_caller]
    fn build_into(&self, out: &str, options: &LerobotOptions) -> LerobotReport {
        build_lerobot([self.path("")], self.folder.path().join(out), options, go_on).unwrap()
    }

    #[track_caller]
    fn fail(&self, out: &Path, options: &LerobotOptions) -> String {
        build_lerobot([self.path("")], out, options, go_on).unwrap_err().to_string()
    }
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
