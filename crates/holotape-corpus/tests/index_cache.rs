//! Indexes on disk: other processes use them, and neither changed recordings nor damaged indexes give wrong rows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use holotape_corpus::{FileIndexCache, RecordingFile, ScanOptions, Table, find_recordings, scan};

use crate::common::{demo, save};

/// Makes a file older: recent files are not cached, because they may change again with the same time.
fn age(path: &Path) {
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
}

/// A study of three folders, with a place for indexes.
struct Study {
    folder: tempfile::TempDir,
    files: Vec<RecordingFile>,
}

impl Study {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for seed in 1..10 {
            save(&demo(seed, 2.0), &folder.path().join(format!("study/p{}/{seed}.bin", seed % 3)));
        }
        let files = find_recordings([folder.path().join("study")]).unwrap();
        files.iter().for_each(|file| age(&file.path));
        Self { folder, files }
    }

    fn indexes(&self) -> PathBuf {
        self.folder.path().join("cache/indexes")
    }

    /// Scans as another process would: it shares only the files on disk. Returns the rows and the number of bytes read.
    fn scan(&self) -> (RecordBatch, u64) {
        scan_with(&self.files, FileIndexCache::in_dir(self.indexes()))
    }

    fn expected(&self) -> RecordBatch {
        scan_with(&self.files, FileIndexCache::default()).0
    }
}

fn scan_with(files: &[RecordingFile], cache: FileIndexCache) -> (RecordBatch, u64) {
    let options = ScanOptions::new().with_columns(["recording", "time", "left.Palm.position.x", "camera.position.y"]);
    let mut rows = scan(files.to_vec(), Table::Frames, &options).unwrap().with_index_cache(&Arc::new(cache));
    let batches: Vec<_> = rows.by_ref().map(|batch| batch.unwrap()).collect();
    (concat_batches(&rows.schema(), &batches).unwrap(), rows.counts().bytes)
}

#[test]
fn other_processes_use_the_indexes() {
    let study = Study::new();
    let (first, first_bytes) = study.scan();
    let (again, again_bytes) = study.scan();
    assert_eq!((&first, &again), (&study.expected(), &study.expected()));
    assert!(again_bytes < first_bytes / 10, "{again_bytes} of {first_bytes} bytes");
    assert_eq!(fs::read_dir(study.indexes()).unwrap().count(), 3, "one file per folder");
}

#[test]
fn new_and_changed_recordings_are_indexed_again() {
    let mut study = Study::new();
    study.scan();
    let [changed, new] = ["study/p1/1.bin", "study/p1/new.bin"].map(|name| study.folder.path().join(name));
    for (seed, path) in [(50, &changed), (51, &new)] {
        save(&demo(seed, 2.5), path);
        age(path);
    }
    study.files = find_recordings([study.folder.path().join("study")]).unwrap();
    let (rows, bytes) = study.scan();
    assert_eq!(rows, study.expected());
    let (again, again_bytes) = study.scan();
    assert_eq!(again, rows);
    assert!(again_bytes < bytes / 2, "{again_bytes} of {bytes} bytes");
}

/// A recording whose first camera curves have these numbers of keys.
fn with_key_counts(counts: [u8; 3]) -> holotape::Recording {
    use holotape::{Curve, LinearKey};

    let mut recording = demo(1, 2.0);
    let curves = &mut recording.camera.as_mut().unwrap().position;
    for (curve, count) in curves.iter_mut().zip(counts) {
        *curve = (0..count).map(|n| LinearKey::new(n.into(), 10.0 * f32::from(count))).collect::<Curve>();
    }
    recording
}

#[test]
fn replacement_of_the_same_size_and_time_is_detected() {
    let mut study = Study::new();
    let path = study.folder.path().join("study/p1/1.bin");
    let replace = |counts| {
        let new = study.folder.path().join("new.bin");
        save(&with_key_counts(counts), &new);
        age(&new);
        fs::rename(&new, &path).unwrap();
        fs::metadata(&path).unwrap()
    };
    let before = replace([2, 5, 3]);
    study.files.retain(|file| file.path == path);
    let (first, _) = study.scan();
    let after = replace([3, 2, 5]);
    assert_eq!((before.len(), before.modified().unwrap()), (after.len(), after.modified().unwrap()));
    let (second, _) = study.scan();
    assert_ne!(second, first);
    assert_eq!(second, study.expected());
}

#[test]
fn damaged_indexes_are_replaced() {
    let study = Study::new();
    let (expected, complete_bytes) = study.scan();
    let path = fs::read_dir(study.indexes()).unwrap().next().unwrap().unwrap().path();
    let good = fs::read(&path).unwrap();
    let flipped = (0..good.len()).step_by(997).map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x20;
        bytes
    });
    let cut = [0, 1, 7, 8, 39, 40, 41, good.len() / 2, good.len() - 1].map(|len| good[..len].to_vec());
    for damaged in flipped.chain(cut) {
        fs::write(&path, &damaged).unwrap();
        let (rows, bytes) = study.scan();
        assert_eq!(rows, expected);
        assert!(
            bytes > complete_bytes / 4,
            "the recordings of this folder are read again: {bytes} of {complete_bytes}"
        );
        assert!(study.scan().1 < complete_bytes / 10, "the file is replaced");
    }
}

#[test]
fn processes_can_share_the_folder() {
    let study = Study::new();
    let expected = study.expected();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| assert_eq!(study.scan().0, expected)));
        }
    });
    assert_eq!(fs::read_dir(study.indexes()).unwrap().count(), 3, "no temporary file is left");
}

#[test]
fn folder_that_cannot_be_made_is_no_error() {
    let study = Study::new();
    fs::write(study.folder.path().join("cache"), "a file").unwrap();
    assert_eq!(study.scan().0, study.expected());
}
