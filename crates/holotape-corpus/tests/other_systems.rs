//! Trees of EgoDex, Vision Pro and Aria recordings: one row each, and a change of any of their files is detected.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use holotape_corpus::{
    BuildOptions, BuildReport, RecordingRows, RowOptions, ScanOptions, Table, build, find_recordings, scan, schema,
};
use tempfile::TempDir;

use crate::common::{number, text};

const NAMES: [&str; 5] = [
    "aria_mps/hand_tracking/hand_tracking_results.csv",
    "egodex/compressed_hand.hdf5",
    "egodex/hand.hdf5",
    "egodex/reach/0.hdf5",
    "vision_pro/tracking.jsonl",
];

const TRAJECTORY: &str = "aria_mps/slam/closed_loop_trajectory.csv";

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import");
    for name in ["egodex", "vision_pro", "aria_mps"] {
        copy_folder(&samples.join(name), &folder.path().join("study").join(name));
    }
    fs::write(folder.path().join("study/aria_mps/slam/summary.json"), "{}").unwrap();
    folder
}

fn scan_table(study: &Path, table: Table) -> RecordBatch {
    let files = find_recordings([study]).unwrap();
    let batches: Vec<_> = scan(files, table, &ScanOptions::new()).unwrap().map(|batch| batch.unwrap()).collect();
    concat_batches(&schema(table), &batches).unwrap()
}

fn build_dataset(folder: &Path) -> BuildReport {
    build([folder.join("study")], folder.join("dataset"), &BuildOptions::new(), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn tree_has_one_row_per_recording() {
    let folder = tree();
    let table = scan_table(&folder.path().join("study"), Table::Recordings);
    let column = |name: &str| (0..table.num_rows()).map(|row| text(&table, name, row)).collect::<Vec<_>>();
    assert_eq!(column("recording"), NAMES.map(|name| Some(name.to_owned())));
    assert_eq!(column("error"), [const { None }; 5]);
    let formats = ["aria-mps", "egodex", "egodex", "egodex", "vision-pro"];
    assert_eq!(column("file_format"), formats.map(|name| Some(name.to_owned())));
    assert_eq!(number(&table, "camera_key_count", 0), Some(35.0), "the trajectory belongs to the recording");
    assert_eq!(number(&table, "marker_count", 3), Some(1.0));
}

#[test]
fn scans_equal_the_rows_of_each_recording() {
    let folder = tree();
    let study = folder.path().join("study");
    for table in Table::ALL {
        let rows = find_recordings([&study]).unwrap().into_iter().map(|file| {
            let bytes = fs::read(&file.path).unwrap();
            RecordingRows::from_bytes(&file, &bytes, &RowOptions::new())
        });
        let batches: Vec<_> =
            rows.flat_map(|rows| rows.table(table).map(|batch| batch.unwrap()).collect::<Vec<_>>()).collect();
        let expected = concat_batches(&schema(table), &batches).unwrap();
        assert_eq!(scan_table(&study, table), expected, "{table:?}");
    }
}

#[test]
fn change_of_another_file_is_detected() {
    let folder = tree();
    let first = build_dataset(folder.path());
    assert_eq!((first.recording_count, first.broken.len()), (5, 0));
    assert_eq!(build_dataset(folder.path()).changed_recording_count, 0);
    let trajectory = folder.path().join("study").join(TRAJECTORY);
    let old = fs::read_to_string(&trajectory).unwrap();
    fs::write(&trajectory, old.replace("a-map", "b-map")).unwrap();
    assert_eq!(build_dataset(folder.path()).changed_recording_count, 1);
    fs::remove_file(&trajectory).unwrap();
    assert_eq!(build_dataset(folder.path()).changed_recording_count, 1);
    fs::write(&trajectory, "tracking_timestamp_us,x\n0,0\n").unwrap();
    let report = build_dataset(folder.path());
    assert_eq!(report.broken.len(), 1);
    assert!(report.broken[0].message.contains("unknown table of MPS"), "{}", report.broken[0].message);
}
