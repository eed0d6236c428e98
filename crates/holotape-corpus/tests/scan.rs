//! What a scan gives is what the rows of each take are, whatever is asked for, and no more is read than that takes.

mod common;

use std::fs;
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use common::{bytes, demo, number, save, text, valid_files};
use holotape::{Curve, ErrorKind, Hand, Joint, LinearKey, Recording};
use holotape_corpus::{
    BuildOptions, FileIndexCache, HandFilter, OnError, RecordingFile, RecordingRows, RowOptions, Scan, ScanOptions,
    Table, build, find_recordings, scan, schema,
};

/// Takes of all sorts: of the demo, of the test data, of other kinds, strange ones and broken ones.
fn corpus() -> (tempfile::TempDir, Vec<RecordingFile>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for seed in 1..12 {
        save(&demo(seed, 1.0 + seed as f64 / 7.0), &path(&format!("p{:02}/{seed}.bin", seed % 3)));
    }
    for valid in valid_files() {
        fs::copy(&valid, path("p01").join(valid.file_name().unwrap())).unwrap();
    }
    let mut lame = demo(1, 1.0);
    lame.hand_mut(Hand::Left).joint_mut(Joint::Palm).rotation[2] = Curve::new();
    lame.hand_mut(Hand::Left).joint_mut(Joint::Wrist).position[0] = [LinearKey::new(0.1, 1.0)].into_iter().collect();
    lame.gaze.as_mut().unwrap().origin[1] = Curve::new();
    save(&lame, &path("p04/lame.bin"));
    save(&Recording { hands: None, ..demo(2, 1.0) }, &path("p04/head.bin"));
    save(&Recording { camera: None, gaze: None, ..demo(2, 0.5) }, &path("p04/hands.bin"));
    let whole = bytes(&demo(1, 1.0));
    fs::write(path("p04/broken.bin"), &whole[..whole.len() - 99]).unwrap();
    fs::write(path("p04/garbage.bin"), b"GIF89a").unwrap();
    fs::write(path("p04/empty.bin"), b"").unwrap();
    let mut json = Vec::new();
    demo(3, 0.5).write_json_to(&mut json).unwrap();
    fs::write(path("p04/other.json"), json).unwrap();
    let takes = find_recordings([folder.path()]).unwrap();
    (folder, takes)
}

fn all(scan: Scan) -> RecordBatch {
    let schema = scan.schema();
    let batches: Vec<_> = scan.map(|batch| batch.unwrap()).collect();
    assert!(batches.iter().all(|batch| batch.schema() == schema && batch.num_rows() <= 8192));
    concat_batches(&schema, &batches).unwrap()
}

/// The plain way: all rows of each take, one take after the other.
fn plain(takes: &[RecordingFile], table: Table, options: &RowOptions) -> RecordBatch {
    let rows = takes.iter().map(|take| match fs::read(&take.path) {
        Ok(bytes) => RecordingRows::of(take, &bytes, options),
        Err(error) => RecordingRows::unreadable(take, &error.into()),
    });
    let batches: Vec<_> =
        rows.flat_map(|rows| rows.table(table).map(|batch| batch.unwrap()).collect::<Vec<_>>()).collect();
    concat_batches(&schema(table), &batches).unwrap()
}

fn columns(batch: &RecordBatch, names: &[&str]) -> RecordBatch {
    let indices: Vec<_> = names.iter().map(|name| batch.schema().index_of(name).unwrap()).collect();
    batch.project(&indices).unwrap()
}

fn keep(batch: &RecordBatch, keep: impl Fn(usize) -> bool) -> RecordBatch {
    filter_record_batch(batch, &(0..batch.num_rows()).map(|row| Some(keep(row))).collect()).unwrap()
}

#[test]
fn every_table_has_the_rows_of_its_takes_in_order() {
    let (_folder, takes) = corpus();
    for table in Table::ALL {
        let expected = plain(&takes, table, &RowOptions::new());
        for jobs in [1, 3] {
            let scanned = all(scan(takes.clone(), table, &ScanOptions::new().with_jobs(jobs)).unwrap());
            assert_eq!(scanned, expected, "{table}");
        }
    }
}

#[test]
fn columns_are_those_of_the_whole_table() {
    let (_folder, takes) = corpus();
    let rows = RowOptions::new().with_rate_hz(25.0).unwrap();
    let choices: [(Table, &[&[&str]]); 4] = [
        (
            Table::Frames,
            &[
                &["take"],
                &["time", "take"],
                &["left.Palm.position.y"],
                &["left.Palm.rotation.w", "left.Wrist.position.x", "left.tracked", "take"],
                &["right.pinching"],
                &["gaze.direction.z", "camera.position.y", "gaze.origin.x"],
                &["camera.rotation.x"],
                &["right.IndexTip.position.z", "time", "right.IndexTip.rotation.y", "right.IndexTip.position.x"],
            ],
        ),
        (
            Table::Recordings,
            &[
                &["take", "folder"],
                &["bytes"],
                &["sha256", "take"],
                &["error", "kind", "version", "layout", "duration_secs", "key_count", "left_keys", "markers", "bytes"],
                &["left_pinches", "findings"],
            ],
        ),
        (Table::Events, &[&["end_secs", "take", "kind"]]),
        (Table::Keys, &[&["value", "curve"]]),
    ];
    for (table, choices) in choices {
        let expected = plain(&takes, table, &rows);
        for names in choices {
            let options = ScanOptions::new().with_rows(rows).with_columns(names.iter().copied());
            let scanned = all(scan(takes.clone(), table, &options).unwrap());
            assert_eq!(scanned, columns(&expected, names), "{names:?}");
        }
    }
}

#[test]
fn every_curve_alone_is_what_it_is_among_all() {
    let (_folder, takes) = corpus();
    let takes: Vec<_> =
        takes.into_iter().filter(|take| take.take.contains("lame") || take.take.contains("rule")).collect();
    assert_eq!(takes.len(), 2);
    let expected = plain(&takes, Table::Frames, &RowOptions::new());
    for name in schema(Table::Frames).fields().iter().map(|field| field.name()) {
        let scanned =
            all(scan(takes.clone(), Table::Frames, &ScanOptions::new().with_jobs(1).with_columns([name])).unwrap());
        assert_eq!(scanned, columns(&expected, &[name]));
    }
}

#[test]
fn times_and_hands_are_those_that_are_asked_for() {
    let (_folder, takes) = corpus();
    let spans = [
        (Bound::Included(0.3), Bound::Excluded(0.9)),
        (Bound::Excluded(0.5), Bound::Unbounded),
        (Bound::Unbounded, Bound::Included(0.25)),
        (Bound::Included(7.0), Bound::Included(6.0)),
    ];
    let hands = [
        HandFilter { left: true, right: false, none: false },
        HandFilter { left: false, right: true, none: true },
        HandFilter { left: false, right: false, none: true },
    ];
    for (table, time) in [(Table::Frames, "time"), (Table::Events, "start_secs"), (Table::Keys, "time")] {
        let whole = plain(&takes, table, &RowOptions::new());
        for span in spans {
            let is_within = |secs: f64| std::ops::RangeBounds::contains(&span, &secs);
            let expected = keep(&whole, |row| number(&whole, time, row).is_some_and(is_within));
            let options = ScanOptions::new().with_times_secs(span);
            assert_eq!(all(scan(takes.clone(), table, &options).unwrap()), expected, "{table} {span:?}");
        }
        for hands in hands.into_iter().filter(|_| table != Table::Frames) {
            let has = |row| hands.contains(text(&whole, "hand", row).map(|hand| hand.parse().unwrap()));
            let scanned = scan(takes.clone(), table, &ScanOptions::new().with_hands(hands)).unwrap();
            assert_eq!(all(scanned), keep(&whole, has), "{table} {hands:?}");
        }
    }
}

#[test]
fn nan_is_later_than_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = demo(1, 0.5);
    recording.markers.add(f32::NAN, "nowhen");
    save(&recording, &folder.path().join("a.bin"));
    let takes = find_recordings([folder.path()]).unwrap();
    let has_it = |options: &ScanOptions| {
        let events = all(scan(takes.clone(), Table::Events, options).unwrap());
        (0..events.num_rows()).any(|row| text(&events, "name", row).as_deref() == Some("nowhen"))
    };
    assert!(has_it(&ScanOptions::new().with_times_secs(100.0..)));
    assert!(!has_it(&ScanOptions::new().with_times_secs(..=1e300)));
    assert!(has_it(&ScanOptions::new()));
}

#[test]
fn only_what_is_asked_for_is_read() {
    let folder = tempfile::tempdir().unwrap();
    save(&demo(1, 2.0), &folder.path().join("a.bin"));
    let takes = find_recordings([folder.path()]).unwrap();
    let counts = |table, columns: &[&str]| {
        let mut rows = scan(takes.clone(), table, &ScanOptions::new().with_columns(columns.iter().copied())).unwrap();
        assert!(rows.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>() > 0);
        rows.counts()
    };
    assert_eq!(counts(Table::Frames, &["take", "time"]).curves, 0);
    assert_eq!(counts(Table::Frames, &["right.tracked"]).curves, 1);
    assert_eq!(counts(Table::Frames, &["camera.position.y", "camera.position.x"]).curves, 3);
    assert_eq!(counts(Table::Frames, &["right.Palm.rotation.w"]).curves, 5, "four, and whether the hand is tracked");
    assert_eq!(counts(Table::Recordings, &["take", "bytes", "duration_secs", "error"]).bytes, 0);
    assert_eq!(counts(Table::Recordings, &["left_pinches"]).bytes, fs::metadata(&takes[0].path).unwrap().len());
}

#[test]
fn a_large_file_is_read_in_parts_with_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    save(&demo(1, 200.0), &folder.path().join("a.bin"));
    let takes = find_recordings([folder.path()]).unwrap();
    assert!(fs::metadata(&takes[0].path).unwrap().len() > 16 << 20);
    let names = ["take", "time", "left.Palm.position.x", "right.pinching"];
    let expected = columns(&plain(&takes, Table::Frames, &RowOptions::new()), &names);
    let mut rows = scan(takes.clone(), Table::Frames, &ScanOptions::new().with_columns(names)).unwrap();
    let batches: Vec<_> = rows.by_ref().map(|batch| batch.unwrap()).collect();
    assert_eq!(concat_batches(&rows.schema(), &batches).unwrap(), expected);
    assert!(rows.counts().bytes < 1 << 20, "{:?}", rows.counts());
    let left = HandFilter { right: false, none: false, ..HandFilter::ALL };
    let keys = plain(&takes, Table::Keys, &RowOptions::new());
    let scanned = all(scan(takes.clone(), Table::Keys, &ScanOptions::new().with_hands(left)).unwrap());
    assert_eq!(scanned, keep(&keys, |row| text(&keys, "hand", row).as_deref() == Some("left")));
    let row = all(scan(takes.clone(), Table::Recordings, &ScanOptions::new()).unwrap());
    assert_eq!(row, plain(&takes, Table::Recordings, &RowOptions::new()));
}

#[test]
fn files_that_are_known_are_read_in_parts_until_they_change() {
    let (folder, mut takes) = corpus();
    takes.retain(|take| take.take.ends_with(".bin"));
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let age = |path| fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    takes.iter().for_each(|take| age(&take.path));
    let names = ["take", "time", "left.Palm.position.x", "gaze.direction.y", "right.pinching"];
    let outlines = Arc::new(FileIndexCache::default());
    let read = || {
        let options = ScanOptions::new().with_columns(names);
        let mut rows = scan(takes.clone(), Table::Frames, &options).unwrap().with_index_cache(&outlines);
        let batches: Vec<_> = rows.by_ref().map(|batch| batch.unwrap()).collect();
        (concat_batches(&rows.schema(), &batches).unwrap(), rows.counts().bytes)
    };
    let expected = || columns(&plain(&takes, Table::Frames, &RowOptions::new()), &names);
    let (first, whole) = read();
    let (again, parts) = read();
    assert_eq!((&first, &again), (&expected(), &expected()));
    assert!(parts < whole / 10, "{parts} of {whole} bytes");
    save(&demo(77, 2.0), &folder.path().join("p01/1.bin"));
    let changed = read().0;
    assert_ne!(changed, first);
    assert_eq!(changed, expected());
    // Also where it was changed long ago, as by a copy that keeps times.
    let longer_ago = long_ago - std::time::Duration::from_secs(60);
    let path = &takes.iter().find(|take| take.take == "p02/2.bin").unwrap().path;
    save(&demo(78, 2.0), path);
    fs::File::options().write(true).open(path).unwrap().set_modified(longer_ago).unwrap();
    assert_ne!(read().0, changed);
    assert_eq!(read().0, expected());
}

#[test]
fn broken_takes_are_skipped_and_counted_or_end_the_scan() {
    let (_folder, mut takes) = corpus();
    takes.push(RecordingFile::new("p99/gone.bin", "nowhere/gone.bin"));
    for table in [Table::Frames, Table::Events, Table::Keys] {
        let mut rows = scan(takes.clone(), table, &ScanOptions::new()).unwrap();
        assert!(rows.by_ref().all(|batch| batch.is_ok()));
        assert_eq!((rows.counts().takes, rows.counts().skipped), (takes.len() as u64, 4));

        let mut rows = scan(takes.clone(), table, &ScanOptions::new().with_on_error(OnError::Fail)).unwrap();
        let error = rows.by_ref().find_map(Result::err).unwrap();
        assert!(error.to_string().contains("broken.bin"), "the first in order: {error}");
        assert!(rows.next().is_none());
    }
    let recordings = all(scan(takes, Table::Recordings, &ScanOptions::new().with_on_error(OnError::Fail)).unwrap());
    let errors = (0..recordings.num_rows()).filter(|row| text(&recordings, "error", *row).is_some());
    assert_eq!(errors.count(), 4);
}

/// A pipe that nobody writes into, and a file that no memory holds, though it takes no room on the disk.
#[cfg(unix)]
#[test]
fn what_is_no_file_or_too_large_is_told_by_scans_and_builds_alike() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    save(&demo(1, 0.5), &study.join("a.bin"));
    assert!(std::process::Command::new("mkfifo").arg(study.join("pipe.bin")).status().unwrap().success());
    fs::File::create(study.join("vast.bin")).unwrap().set_len(1 << 40).unwrap();
    let takes = find_recordings([&study]).unwrap();
    let told =
        [("a.bin", None), ("pipe.bin", Some("this is not a file")), ("vast.bin", Some("more than 4294967296 bytes"))]
            .map(|(take, error)| (take.to_owned(), error.map(str::to_owned)));
    for names in [&["take", "error"][..], &["take", "error", "sha256"], &["take", "error", "left_pinches"]] {
        let options = ScanOptions::new().with_columns(names.iter().copied());
        let rows = all(scan(takes.clone(), Table::Recordings, &options).unwrap());
        let errors = (0..3).map(|row| (text(&rows, "take", row).unwrap(), text(&rows, "error", row)));
        assert!(errors.eq(told.clone()), "{rows:?}");
    }
    for table in [Table::Frames, Table::Events, Table::Keys] {
        let mut rows = scan(takes.clone(), table, &ScanOptions::new()).unwrap();
        assert!(rows.by_ref().all(|batch| batch.is_ok()));
        assert_eq!(rows.counts().skipped, 2, "{table}");
    }
    // Sizes are those that the system tells, whatever else is asked for.
    for names in [&["bytes"][..], &["bytes", "error"], &["bytes", "sha256"], &["bytes", "left_pinches"]] {
        let options = ScanOptions::new().with_columns(names.iter().copied());
        let rows = all(scan(takes.clone(), Table::Recordings, &options).unwrap());
        let sizes = [1, 2].map(|row| number(&rows, "bytes", row));
        assert_eq!(sizes, [Some(0.0), Some((1_u64 << 40) as f64)], "{names:?}");
    }
    let out = folder.path().join("out");
    let built = build([&study], &out, &BuildOptions::new(), |_| ControlFlow::Continue(())).unwrap();
    let broken = built.broken.into_iter().map(|it| (it.take, Some(it.error)));
    assert!(broken.eq(told[1..].iter().cloned()));
}

#[test]
fn a_scan_that_is_dropped_ends_and_one_of_nothing_is_empty() {
    let (_folder, takes) = corpus();
    let many: Vec<_> = takes.iter().cycle().take(5000).cloned().collect();
    let mut rows = scan(many, Table::Frames, &ScanOptions::new()).unwrap();
    rows.next().unwrap().unwrap();
    let counter = rows.count_reader();
    drop(rows);
    assert!(counter().takes < 500, "only some ahead: {:?}", counter());
    assert!(scan(Vec::new(), Table::Events, &ScanOptions::new()).unwrap().next().is_none());
}

#[test]
fn no_more_threads_are_started_than_there_is_work_for() {
    let (_folder, takes) = corpus();
    let names = ["take", "bytes"];
    let rows = |jobs| {
        let options = ScanOptions::new().with_columns(names).with_jobs(jobs);
        all(scan(takes.clone(), Table::Recordings, &options).unwrap())
    };
    assert_eq!(rows(usize::MAX), rows(1));
}

#[test]
fn unknown_columns_are_told() {
    let error = scan(Vec::new(), Table::Frames, &ScanOptions::new().with_columns(["left.palm"])).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("\"left.palm\""), "{error}");
}
