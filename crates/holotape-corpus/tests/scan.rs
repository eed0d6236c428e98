//! Scans return the rows of each recording, for all columns and filters, and read no more than necessary.

use std::fs;
use std::ops::Bound;
#[cfg(unix)]
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{bytes, demo, number, save, text, valid_files};
use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use holotape::{Curve, ErrorKind, Hand, Joint, LinearKey, Recording};
#[cfg(unix)]
use holotape_corpus::{BuildOptions, build};
use holotape_corpus::{
    FileIndexCache, HandFilter, OnError, RecordingFile, RecordingRows, RowOptions, Scan, ScanOptions, Table,
    find_recordings, scan, schema,
};

/// Demo recordings, test data, other file formats, unusual recordings and broken ones.
fn corpus() -> (tempfile::TempDir, Vec<RecordingFile>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for seed in 1..12 {
        save(&demo(seed, 1.0 + seed as f64 / 7.0), &path(&format!("p{:02}/{seed}.bin", seed % 3)));
    }
    for valid in valid_files() {
        fs::copy(&valid, path("p01").join(valid.file_name().unwrap())).unwrap();
    }
    let mut incomplete = demo(1, 1.0);
    incomplete.hand_mut(Hand::Left).joint_mut(Joint::Palm).rotation[2] = Curve::new();
    incomplete.hand_mut(Hand::Left).joint_mut(Joint::Wrist).position[0] =
        [LinearKey::new(0.1, 1.0)].into_iter().collect();
    incomplete.gaze.as_mut().unwrap().origin[1] = Curve::new();
    save(&incomplete, &path("p04/incomplete.bin"));
    save(&Recording { hands: None, ..demo(2, 1.0) }, &path("p04/head.bin"));
    save(&Recording { camera: None, gaze: None, ..demo(2, 0.5) }, &path("p04/hands.bin"));
    let complete = bytes(&demo(1, 1.0));
    fs::write(path("p04/broken.bin"), &complete[..complete.len() - 99]).unwrap();
    fs::write(path("p04/garbage.bin"), b"GIF89a").unwrap();
    fs::write(path("p04/empty.bin"), b"").unwrap();
    let mut json = Vec::new();
    demo(3, 0.5).write_json_to(&mut json).unwrap();
    fs::write(path("p04/other.json"), json).unwrap();
    let files = find_recordings([folder.path()]).unwrap();
    (folder, files)
}

fn all(scan: Scan) -> RecordBatch {
    let schema = scan.schema();
    let batches: Vec<_> = scan.map(|batch| batch.unwrap()).collect();
    assert!(batches.iter().all(|batch| batch.schema() == schema && batch.num_rows() <= 8192));
    concat_batches(&schema, &batches).unwrap()
}

/// The reference: all rows of each recording, one after the other.
fn reference(files: &[RecordingFile], table: Table, options: &RowOptions) -> RecordBatch {
    let rows = files.iter().map(|file| match fs::read(&file.path) {
        Ok(bytes) => RecordingRows::from_bytes(file, &bytes, options),
        Err(error) => RecordingRows::unreadable(file, &error.into()),
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
fn scan_returns_the_rows_of_recordings_in_order() {
    let (_folder, files) = corpus();
    for table in Table::ALL {
        let expected = reference(&files, table, &RowOptions::new());
        for jobs in [1, 3] {
            let scanned = all(scan(files.clone(), table, &ScanOptions::new().with_jobs(jobs)).unwrap());
            assert_eq!(scanned, expected, "{table}");
        }
    }
}

#[test]
fn selected_columns_match_the_complete_table() {
    let (_folder, files) = corpus();
    let rows = RowOptions::new().with_rate_hz(25.0).unwrap();
    let selections: [(Table, &[&[&str]]); 4] = [
        (
            Table::Frames,
            &[
                &["recording"],
                &["time", "recording"],
                &["left.Palm.position.y"],
                &["left.Palm.rotation.w", "left.Wrist.position.x", "left.tracked", "recording"],
                &["right.pinching"],
                &["gaze.direction.z", "camera.position.y", "gaze.origin.x"],
                &["camera.rotation.x"],
                &["right.IndexTip.position.z", "time", "right.IndexTip.rotation.y", "right.IndexTip.position.x"],
            ],
        ),
        (
            Table::Recordings,
            &[
                &["recording", "folder"],
                &["file_bytes"],
                &["sha256", "recording"],
                &[
                    "error",
                    "file_format",
                    "version",
                    "key_layout",
                    "duration_secs",
                    "key_count",
                    "left_key_count",
                    "marker_count",
                    "file_bytes",
                ],
                &["left_pinch_count", "finding_codes"],
            ],
        ),
        (Table::Events, &[&["end_secs", "recording", "kind"]]),
        (Table::Keys, &[&["value", "curve"]]),
    ];
    for (table, selections) in selections {
        let expected = reference(&files, table, &rows);
        for names in selections {
            let options = ScanOptions::new().with_rows(rows).with_columns(names.iter().copied());
            let scanned = all(scan(files.clone(), table, &options).unwrap());
            assert_eq!(scanned, columns(&expected, names), "{names:?}");
        }
    }
}

#[test]
fn single_columns_match_the_complete_table() {
    let (_folder, files) = corpus();
    let files: Vec<_> =
        files.into_iter().filter(|file| file.name.contains("incomplete") || file.name.contains("rule")).collect();
    assert_eq!(files.len(), 2);
    let expected = reference(&files, Table::Frames, &RowOptions::new());
    for name in schema(Table::Frames).fields().iter().map(|field| field.name()) {
        let scanned =
            all(scan(files.clone(), Table::Frames, &ScanOptions::new().with_jobs(1).with_columns([name])).unwrap());
        assert_eq!(scanned, columns(&expected, &[name]));
    }
}

#[test]
fn time_and_hand_filters_select_rows() {
    let (_folder, files) = corpus();
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
        let all_rows = reference(&files, table, &RowOptions::new());
        for span in spans {
            let is_within = |secs: f64| std::ops::RangeBounds::contains(&span, &secs);
            let expected = keep(&all_rows, |row| number(&all_rows, time, row).is_some_and(is_within));
            let options = ScanOptions::new().with_times_secs(span);
            assert_eq!(all(scan(files.clone(), table, &options).unwrap()), expected, "{table} {span:?}");
        }
        for hands in hands.into_iter().filter(|_| table != Table::Frames) {
            let has = |row| hands.contains(text(&all_rows, "hand", row).map(|hand| hand.parse().unwrap()));
            let scanned = scan(files.clone(), table, &ScanOptions::new().with_hands(hands)).unwrap();
            assert_eq!(all(scanned), keep(&all_rows, has), "{table} {hands:?}");
        }
    }
}

#[test]
fn nan_is_greater_than_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = demo(1, 0.5);
    recording.markers.add(f32::NAN, "at NaN");
    save(&recording, &folder.path().join("a.bin"));
    let files = find_recordings([folder.path()]).unwrap();
    let has_it = |options: &ScanOptions| {
        let events = all(scan(files.clone(), Table::Events, options).unwrap());
        (0..events.num_rows()).any(|row| text(&events, "name", row).as_deref() == Some("at NaN"))
    };
    assert!(has_it(&ScanOptions::new().with_times_secs(100.0..)));
    assert!(!has_it(&ScanOptions::new().with_times_secs(..=1e300)));
    assert!(has_it(&ScanOptions::new()));
}

#[test]
fn only_needed_curves_are_read() {
    let folder = tempfile::tempdir().unwrap();
    save(&demo(1, 2.0), &folder.path().join("a.bin"));
    let files = find_recordings([folder.path()]).unwrap();
    let counts = |table, columns: &[&str]| {
        let mut rows = scan(files.clone(), table, &ScanOptions::new().with_columns(columns.iter().copied())).unwrap();
        assert!(rows.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>() > 0);
        rows.counts()
    };
    assert_eq!(counts(Table::Frames, &["recording", "time"]).curves, 0);
    assert_eq!(counts(Table::Frames, &["right.tracked"]).curves, 1);
    assert_eq!(counts(Table::Frames, &["camera.position.y", "camera.position.x"]).curves, 3);
    assert_eq!(
        counts(Table::Frames, &["right.Palm.rotation.w"]).curves,
        5,
        "the rotation, and whether the hand is tracked"
    );
    assert_eq!(counts(Table::Recordings, &["recording", "file_bytes", "duration_secs", "error"]).bytes, 0);
    assert_eq!(counts(Table::Recordings, &["left_pinch_count"]).bytes, fs::metadata(&files[0].path).unwrap().len());
}

#[test]
fn large_file_is_read_partially_with_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    save(&demo(1, 200.0), &folder.path().join("a.bin"));
    let files = find_recordings([folder.path()]).unwrap();
    assert!(fs::metadata(&files[0].path).unwrap().len() > 16 << 20);
    let names = ["recording", "time", "left.Palm.position.x", "right.pinching"];
    let expected = columns(&reference(&files, Table::Frames, &RowOptions::new()), &names);
    let mut rows = scan(files.clone(), Table::Frames, &ScanOptions::new().with_columns(names)).unwrap();
    let batches: Vec<_> = rows.by_ref().map(|batch| batch.unwrap()).collect();
    assert_eq!(concat_batches(&rows.schema(), &batches).unwrap(), expected);
    assert!(rows.counts().bytes < 1 << 20, "{:?}", rows.counts());
    let left = HandFilter { right: false, none: false, ..HandFilter::ALL };
    let keys = reference(&files, Table::Keys, &RowOptions::new());
    let scanned = all(scan(files.clone(), Table::Keys, &ScanOptions::new().with_hands(left)).unwrap());
    assert_eq!(scanned, keep(&keys, |row| text(&keys, "hand", row).as_deref() == Some("left")));
    let row = all(scan(files.clone(), Table::Recordings, &ScanOptions::new()).unwrap());
    assert_eq!(row, reference(&files, Table::Recordings, &RowOptions::new()));
}

#[test]
fn indexed_files_are_read_partially_until_they_change() {
    let (folder, mut files) = corpus();
    files.retain(|file| file.name.ends_with(".bin"));
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let age = |path| fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    files.iter().for_each(|file| age(&file.path));
    let names = ["recording", "time", "left.Palm.position.x", "gaze.direction.y", "right.pinching"];
    let cache = Arc::new(FileIndexCache::default());
    let read = || {
        let options = ScanOptions::new().with_columns(names);
        let mut rows = scan(files.clone(), Table::Frames, &options).unwrap().with_index_cache(&cache);
        let batches: Vec<_> = rows.by_ref().map(|batch| batch.unwrap()).collect();
        (concat_batches(&rows.schema(), &batches).unwrap(), rows.counts().bytes)
    };
    let expected = || columns(&reference(&files, Table::Frames, &RowOptions::new()), &names);
    let (first, first_bytes) = read();
    let (again, again_bytes) = read();
    assert_eq!((&first, &again), (&expected(), &expected()));
    assert!(again_bytes < first_bytes / 10, "{again_bytes} of {first_bytes} bytes");
    save(&demo(77, 2.0), &folder.path().join("p01/1.bin"));
    let changed = read().0;
    assert_ne!(changed, first);
    assert_eq!(changed, expected());
    // Also with an old modification time, as after a copy that preserves times.
    let longer_ago = long_ago - std::time::Duration::from_secs(60);
    let path = &files.iter().find(|file| file.name == "p02/2.bin").unwrap().path;
    save(&demo(78, 2.0), path);
    fs::File::options().write(true).open(path).unwrap().set_modified(longer_ago).unwrap();
    assert_ne!(read().0, changed);
    assert_eq!(read().0, expected());
}

#[test]
fn broken_recordings_are_skipped_or_end_the_scan() {
    let (_folder, mut files) = corpus();
    files.push(RecordingFile::new("p99/missing.bin", "nowhere/missing.bin"));
    for table in [Table::Frames, Table::Events, Table::Keys] {
        let mut rows = scan(files.clone(), table, &ScanOptions::new()).unwrap();
        assert!(rows.by_ref().all(|batch| batch.is_ok()));
        assert_eq!((rows.counts().recordings, rows.counts().skipped), (files.len() as u64, 4));

        let mut rows = scan(files.clone(), table, &ScanOptions::new().with_on_error(OnError::Raise)).unwrap();
        let error = rows.by_ref().find_map(Result::err).unwrap();
        assert!(error.to_string().contains("broken.bin"), "the first in order: {error}");
        assert!(rows.next().is_none());
    }
    let recordings = all(scan(files, Table::Recordings, &ScanOptions::new().with_on_error(OnError::Raise)).unwrap());
    let errors = (0..recordings.num_rows()).filter(|row| text(&recordings, "error", *row).is_some());
    assert_eq!(errors.count(), 4);
}

/// A pipe without a writer, and a sparse file of 1 TiB. On Windows, pipes are not in folders, and files are not sparse.
#[cfg(unix)]
#[test]
fn scans_and_builds_reject_pipes_and_huge_files() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    save(&demo(1, 0.5), &study.join("a.bin"));
    assert!(std::process::Command::new("mkfifo").arg(study.join("pipe.bin")).status().unwrap().success());
    fs::File::create(study.join("vast.bin")).unwrap().set_len(1 << 40).unwrap();
    let files = find_recordings([&study]).unwrap();
    let expected = [
        ("a.bin", None),
        ("pipe.bin", Some("not a regular file")),
        ("vast.bin", Some("the file has more than 4294967296 bytes")),
    ]
    .map(|(file, error)| (file.to_owned(), error.map(str::to_owned)));
    for names in
        [&["recording", "error"][..], &["recording", "error", "sha256"], &["recording", "error", "left_pinch_count"]]
    {
        let options = ScanOptions::new().with_columns(names.iter().copied());
        let rows = all(scan(files.clone(), Table::Recordings, &options).unwrap());
        let errors = (0..3).map(|row| (text(&rows, "recording", row).unwrap(), text(&rows, "error", row)));
        assert!(errors.eq(expected.clone()), "{rows:?}");
    }
    for table in [Table::Frames, Table::Events, Table::Keys] {
        let mut rows = scan(files.clone(), table, &ScanOptions::new()).unwrap();
        assert!(rows.by_ref().all(|batch| batch.is_ok()));
        assert_eq!(rows.counts().skipped, 2, "{table}");
    }
    // File sizes do not depend on the other columns.
    for names in
        [&["file_bytes"][..], &["file_bytes", "error"], &["file_bytes", "sha256"], &["file_bytes", "left_pinch_count"]]
    {
        let options = ScanOptions::new().with_columns(names.iter().copied());
        let rows = all(scan(files.clone(), Table::Recordings, &options).unwrap());
        let sizes = [1, 2].map(|row| number(&rows, "file_bytes", row));
        assert_eq!(sizes, [Some(0.0), Some((1_u64 << 40) as f64)], "{names:?}");
    }
    let out = folder.path().join("out");
    let built = build([&study], &out, &BuildOptions::new(), |_| ControlFlow::Continue(())).unwrap();
    let broken = built.broken.into_iter().map(|it| (it.recording, Some(it.message)));
    assert!(broken.eq(expected[1..].iter().cloned()));
}

#[test]
fn dropped_scan_stops_and_scan_of_no_files_is_empty() {
    let (_folder, files) = corpus();
    let many: Vec<_> = files.iter().cycle().take(5000).cloned().collect();
    let mut rows = scan(many, Table::Frames, &ScanOptions::new()).unwrap();
    rows.next().unwrap().unwrap();
    let counter = rows.count_reader();
    drop(rows);
    assert!(counter().recordings < 500, "only some ahead: {:?}", counter());
    assert!(scan(Vec::new(), Table::Events, &ScanOptions::new()).unwrap().next().is_none());
}

#[test]
fn number_of_threads_is_limited_by_the_work() {
    let (_folder, files) = corpus();
    let names = ["recording", "file_bytes"];
    let rows = |jobs| {
        let options = ScanOptions::new().with_columns(names).with_jobs(jobs);
        all(scan(files.clone(), Table::Recordings, &options).unwrap())
    };
    assert_eq!(rows(usize::MAX), rows(1));
}

#[test]
fn unknown_column_is_an_error() {
    let error = scan(Vec::new(), Table::Frames, &ScanOptions::new().with_columns(["left.palm"])).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("\"left.palm\""), "{error}");
}
