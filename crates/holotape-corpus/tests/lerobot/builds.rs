//! Incremental and interrupted builds.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use holotape_corpus::{BuildOptions, LerobotOptions, build, build_lerobot, find_recordings};

use crate::common::{bytes, demo};
use crate::lerobot::table::{integers, json, table, texts};
use crate::lerobot::{Study, go_on};

/// Small files: one to three episodes of [`content`].
fn options() -> LerobotOptions {
    LerobotOptions::new().with_file_mb(0.015)
}

fn content(number: u64) -> Vec<u8> {
    bytes(&demo(number % 5, 0.1 + 0.1 * (number % 3) as f64))
}

/// A study whose modification times differ and are old enough to be trusted.
struct Changes {
    study: Study,
    clock_secs: Cell<u64>,
}

impl Changes {
    fn new(count: u64) -> Self {
        let changes = Self { study: Study::new(), clock_secs: Cell::new(1_000_000_000) };
        (0..count).for_each(|number| changes.put(number, &content(number)));
        changes
    }

    fn path(&self, number: u64) -> PathBuf {
        self.study.path(&format!("r-{number:03}.bin"))
    }

    fn put(&self, number: u64, bytes: &[u8]) {
        fs::write(self.path(number), bytes).unwrap();
        self.clock_secs.set(self.clock_secs.get() + 1);
        let file = File::options().write(true).open(self.path(number)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(self.clock_secs.get())).unwrap();
    }

    /// Checks that the dataset equals one that is built from nothing.
    #[track_caller]
    fn assert_as_new(&self) {
        self.study.build_into("scratch", &options());
        let scratch = self.study.folder.path().join("scratch");
        assert_same(&self.study.out(), &scratch);
        fs::remove_dir_all(scratch).unwrap();
    }
}

fn all_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (all_files(one), all_files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &one {
        assert!(other[path] == *bytes, "{} differs", path.display());
    }
}

#[test]
fn files_and_numbers_are_consecutive() {
    let changes = Changes::new(12);
    let report = changes.study.build(&options());
    let out = changes.study.out();
    assert!(report.file_count >= 4 && report.written_file_count == report.file_count, "{report:?}");
    let (rows, episodes, info) = (table(&out, "data"), table(&out, "meta/episodes"), json(&out, "meta/info.json"));
    assert_eq!(integers(&rows, "index"), (0..rows.num_rows() as i64).collect::<Vec<_>>());
    assert_eq!(integers(&episodes, "episode_index"), (0..12).collect::<Vec<_>>());
    assert_eq!((&info["total_episodes"], &info["total_frames"]), (&12.into(), &rows.num_rows().into()));
    assert_eq!((&info["fps"], &info["splits"]["train"]), (&30.into(), &"0:12".into()));
    assert_eq!(texts(&episodes, "recording")[11], "r-011.bin");
    let mut next = 0;
    for row in 0..12 {
        let of = |name: &str| integers(&episodes, name)[row];
        assert_eq!((of("dataset_from_index"), of("dataset_to_index")), (next, next + of("length")));
        let path = format!("data/chunk-{:03}/file-{:03}.parquet", of("data/chunk_index"), of("data/file_index"));
        let file = crate::lerobot::table::read(&out.join(path));
        let frames: Vec<_> = integers(&file, "episode_index").iter().filter(|it| **it == row as i64).copied().collect();
        assert_eq!(frames.len() as i64, of("length"));
        next += of("length");
    }
}

#[test]
fn incremental_build_equals_full_build() {
    let changes = Changes::new(20);
    let mut existing: BTreeSet<u64> = (0..20).collect();
    let mut random = 7_u64;
    let mut below = |max: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % max
    };
    changes.study.build(&options());
    for _ in 0..6 {
        let mut changed = BTreeSet::new();
        for _ in 0..1 + below(3) {
            let number = below(30);
            match below(4) {
                0 if existing.remove(&number) => {
                    fs::remove_file(changes.path(number)).unwrap();
                    changed.remove(&number);
                    continue;
                }
                1 => changes.put(number, &content(number)[..500]),
                _ => changes.put(number, &content(number + 1 + below(4))),
            }
            existing.insert(number);
            changed.insert(number);
        }
        let report = changes.study.build(&options());
        assert!(report.read_recording_count <= changed.len(), "{report:?} {changed:?}");
        assert_eq!(report.episode_count as usize + report.broken.len(), existing.len());
        changes.assert_as_new();
    }
}

#[test]
fn unchanged_recordings_are_not_read() {
    let changes = Changes::new(12);
    let first = changes.study.build(&options());
    assert_eq!((first.read_recording_count, first.changed_recording_count), (12, 12));
    let before = all_files(&changes.study.out());
    let again = changes.study.build(&options());
    assert_eq!((again.read_recording_count, again.written_file_count, again.changed_recording_count), (0, 0, 0));
    assert!(all_files(&changes.study.out()) == before, "an unchanged dataset is not touched");

    // Files before the changed one are kept, and episodes after it are copied.
    changes.put(6, &content(7));
    let changed = changes.study.build(&options());
    assert_eq!((changed.read_recording_count, changed.changed_recording_count), (1, 1));
    assert!(changed.written_file_count < changed.file_count, "{changed:?}");
    changes.assert_as_new();

    changes.put(99, &content(1));
    let added = changes.study.build(&options());
    assert_eq!((added.read_recording_count, added.written_file_count), (1, 1));
    changes.assert_as_new();
    fs::remove_file(changes.path(0)).unwrap();
    let removed = changes.study.build(&options());
    assert_eq!((removed.read_recording_count, removed.removed_recording_count), (0, 1));
    changes.assert_as_new();
}

#[test]
fn broken_recordings_are_left_out() {
    let changes = Changes::new(3);
    changes.put(1, b"GIF89a, not hands");
    fs::write(changes.path(9), &content(0)[..1000]).unwrap();
    let report = changes.study.build(&options());
    let broken: Vec<_> = report.broken.iter().map(|broken| broken.recording.as_str()).collect();
    assert_eq!((report.episode_count, broken), (2, vec!["r-001.bin", "r-009.bin"]));
    assert_eq!(changes.study.build(&options()).broken, report.broken);

    // A dataset does not become empty.
    let before = all_files(&changes.study.out());
    for number in [0, 2] {
        fs::remove_file(changes.path(number)).unwrap();
    }
    let error = changes.study.fail(&changes.study.out(), &options());
    assert!(error.contains("no recording could be read: r-001.bin: "), "{error}");
    let after = all_files(&changes.study.out());
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}

#[test]
fn cancelled_build_resumes() {
    let changes = Changes::new(12);
    let out = changes.study.out();
    let seen = AtomicUsize::new(0);
    let stop = |_| match seen.fetch_add(1, Ordering::Relaxed) {
        ..9 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let one_job = options().with_jobs(NonZeroUsize::new(1));
    let cancelled = build_lerobot([changes.study.path("")], &out, &one_job, stop).unwrap_err();
    assert!(cancelled.to_string().contains("cancelled"), "{cancelled}");
    assert!(!out.join("meta/info.json").exists());
    let resumed = changes.study.build(&options());
    assert!((1..=6).contains(&resumed.read_recording_count), "{resumed:?}");
    changes.assert_as_new();

    // Files of an interrupted build with other options are not used.
    fs::remove_dir_all(&out).unwrap();
    seen.store(0, Ordering::Relaxed);
    build_lerobot([changes.study.path("")], &out, &one_job, stop).unwrap_err();
    let other = changes.study.build(&options().with_fps(20));
    assert_eq!(other.read_recording_count, 12);
    assert!(!out.join(".staging").exists());
}

#[test]
fn other_options_rebuild_the_dataset() {
    let changes = Changes::new(3);
    changes.study.build(&options());
    let report = changes.study.build(&options().with_task("pour"));
    assert_eq!(report.rebuild_reason.as_deref(), Some("other options, or another version of holotape"));
    assert_eq!((report.read_recording_count, report.changed_recording_count), (3, 3));
    assert_eq!(json(&changes.study.out(), "meta/info.json")["total_tasks"], 1);
}

#[test]
fn missing_files_are_written_again() {
    let changes = Changes::new(6);
    changes.study.build(&options());
    let out = changes.study.out();
    let before = all_files(&out);
    for name in [
        "meta/info.json",
        "meta/stats.json",
        "data/chunk-000/file-001.parquet",
        "meta/episodes/chunk-000/file-000.parquet",
    ] {
        fs::remove_file(out.join(name)).unwrap();
        changes.study.build(&options());
        assert!(all_files(&out) == before, "{name}");
    }
}

#[test]
fn other_folders_are_rejected() {
    let changes = Changes::new(1);
    let (tables, out) = (changes.study.folder.path().join("tables"), changes.study.out());
    build([changes.study.path("")], &tables, &BuildOptions::new(), go_on).unwrap();
    assert!(changes.study.fail(&tables, &options()).contains("not a LeRobot dataset"));
    changes.study.build(&options());
    let error = build([changes.study.path("")], &out, &BuildOptions::new(), go_on).unwrap_err();
    assert!(error.to_string().contains("not a dataset"), "{error}");
    assert!(changes.study.fail(&changes.path(0), &options()).contains("must be the folder"));
    for invalid in [options().with_fps(0), options().with_task(" "), options().with_file_mb(f64::NAN)] {
        assert!(changes.study.fail(&out, &invalid).contains("invalid"));
    }
}

#[test]
fn files_of_a_lerobot_dataset_are_not_recordings() {
    let study = Study::of([&demo(1, 0.2)]);
    let inside = study.path("lerobot");
    for _ in 0..2 {
        let report = build_lerobot([study.path("")], &inside, &options(), go_on).unwrap();
        assert_eq!((report.episode_count, report.broken.len()), (1, 0));
    }
    assert_eq!(find_recordings([study.path("")]).unwrap().len(), 1);
    // Also if another program wrote it.
    fs::remove_file(inside.join(".holotape-lerobot-lock")).unwrap();
    assert_eq!(find_recordings([study.path("")]).unwrap().len(), 1);
    fs::remove_file(inside.join("meta/info.json")).unwrap();
    assert!(find_recordings([study.path("")]).unwrap().len() > 1);
}

#[test]
fn second_concurrent_build_is_rejected() {
    let study = Study::of([&demo(1, 0.2)]);
    let mut rejected = String::new();
    let cell = std::sync::Mutex::new(&mut rejected);
    let progress = |_| {
        **cell.lock().unwrap() = study.fail(&study.out(), &options());
        ControlFlow::Continue(())
    };
    build_lerobot([study.path("")], study.out(), &options(), progress).unwrap();
    assert!(rejected.contains("another build is running"), "{rejected}");
}
