//! Builds that are killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{holotape, text};
use crate::dataset::{corpus, run_build, write_recording};

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

/// The file that describes a dataset, and its list of groups of recordings.
pub struct Manifest {
    pub name: &'static str,
    pub groups: &'static str,
}

impl Manifest {
    /// The contents without modification times, which are missing for files that were just written.
    fn without_times(&self, bytes: &[u8]) -> Value {
        let mut manifest: Value = serde_json::from_slice(bytes).expect("JSON");
        for group in manifest[self.groups].as_array_mut().expect("groups") {
            for recording in group["recordings"].as_array_mut().expect("recordings") {
                recording["modified_ns"].take();
            }
        }
        manifest
    }

    #[track_caller]
    fn assert_same_dataset(&self, one: &Path, other: &Path) {
        let (mut one, mut other) = (files(one), files(other));
        let [left, right] = [&mut one, &mut other].map(|files| files.remove(self.name).expect("a manifest"));
        assert_eq!(self.without_times(&left), self.without_times(&right));
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        assert!(one == other, "files differ");
    }
}

/// Kills a build ten times. It resumes, and the result equals that of a single run.
#[track_caller]
pub fn assert_killed_build_resumes(command: &str, options: &[&str], manifest: &Manifest) {
    let (folder, study, out) = corpus(200);
    let scratch = folder.path().join("scratch");
    let build = |out: &Path| run_build(command, &study, out, options).code(0).assert_stderr_empty();
    let start = Instant::now();
    build(&scratch);
    let mut duration = start.elapsed();
    let (mut killed, mut round) = (0, 0_u32);
    while killed < 10 {
        round += 1;
        assert!(round < 100, "only {killed} of {round} were killed in time");
        let mut process = holotape();
        process.args(["dataset", command, text(&study), text(&out)]).args(options);
        let mut child = process.spawn().expect("starts");
        // At various times between the start and the end of a complete run.
        sleep(duration.mul_f64(f64::from(round * 7 % 10) / 10.0) + Duration::from_millis(3));
        child.kill().expect("killed");
        if !child.wait().expect("ended").success() {
            killed += 1;
            continue;
        }
        // The build was faster than the first one. Change recordings of every group, so that there is work again.
        duration = duration.mul_f64(0.8);
        for number in (0..200).step_by(5) {
            write_recording(&study, number, u64::from(10 * round) + number);
        }
    }
    build(&out);
    fs::remove_dir_all(&scratch).expect("removed");
    build(&scratch);
    manifest.assert_same_dataset(&out, &scratch);
    assert!(!out.join(".staging").exists());
}
