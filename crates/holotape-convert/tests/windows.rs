//! Tables and logs of a recording that is sampled in windows are those of the complete recording, byte for byte.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use holotape::demo::DemoOptions;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{Hand, Recording, WindowedRecording, WrapMode};
use holotape_convert::table::{self, TableKind, TableOptions};
use holotape_convert::{FileFormat, Losses, OpenOptions, Space, Timing, WriteOptions, arrow};

const FORMATS: [FileFormat; 4] = [FileFormat::Csv, FileFormat::Parquet, FileFormat::Arrow, FileFormat::Mcap];

fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().unwrap()
}

fn reduced(seconds: f64) -> Recording {
    let mut recording = demo(seconds);
    let _ = optimize(&mut recording, &OptimizeOptions::new());
    recording
}

fn in_file(recording: &Recording) -> WindowedRecording<'static> {
    WindowedRecording::from_reader(Cursor::new(recording.to_vec().unwrap().0)).unwrap()
}

fn written(recording: &WindowedRecording<'_>, options: &WriteOptions, file_format: FileFormat) -> (Vec<u8>, Losses) {
    let mut file = Vec::new();
    let losses = options.write_windowed(recording, file_format, &mut file).unwrap();
    (file, losses)
}

/// Asserts the same files and losses as with the sampler of the complete recording.
fn assert_same_files(name: &str, recording: &Recording, options: &WriteOptions, formats: &[FileFormat]) {
    for file_format in formats.iter().copied().filter(|format| options.unused_option(*format).is_none()) {
        // The default size of a window is larger than these recordings.
        let (expected, losses) = written(&WindowedRecording::new(recording), options, file_format);
        for (source, windowed) in [("memory", WindowedRecording::new(recording)), ("file", in_file(recording))] {
            let (file, window_losses) = written(&windowed.with_max_window_keys(23), options, file_format);
            assert_eq!(window_losses, losses, "{file_format:?} of {name} in {source}");
            assert!(file == expected, "{file_format:?} of {name} in {source}");
        }
    }
}

#[test]
fn files_of_valid_recordings_are_the_same() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid");
    let mut count = 0;
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "bin") {
            let (name, recording) = (path.display().to_string(), Recording::open(&path).unwrap());
            // Each with one format, since all take minutes without optimization.
            assert_same_files(&name, &recording, &WriteOptions::new(), &[FORMATS[count % FORMATS.len()]]);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn files_with_options_are_the_same() {
    let tables = WriteOptions::new().with_untracked_poses(true).with_space(Space::RightHanded);
    for (name, recording) in [("demo", demo(3.0)), ("reduced demo", reduced(12.0))] {
        for options in [
            WriteOptions::new(),
            WriteOptions::new().with_rate_hz(7.3),
            WriteOptions::new().with_rate_hz(200.0),
            WriteOptions::new().with_table(TableKind::Keys),
            tables.clone(),
        ] {
            assert_same_files(name, &recording, &options, &FORMATS);
        }
    }
}

#[test]
fn files_of_recordings_without_windows_are_the_same() {
    let mut looping = demo(2.0);
    looping.camera.as_mut().unwrap().position[0].post_wrap = WrapMode::LOOP;
    let mut unsorted = demo(2.0);
    unsorted.hand_mut(Hand::Left).tracked.keys.reverse();
    let mut incomplete = reduced(5.0);
    incomplete.gaze.as_mut().unwrap().origin[1].keys = holotape::Keys::Linear(Vec::new());
    for (name, recording) in [("looping", looping), ("unsorted", unsorted), ("incomplete", incomplete)] {
        assert_same_files(name, &recording, &WriteOptions::new(), &FORMATS);
    }
}

/// Frames are sampled in tasks of 2048 on several threads, and written after eight tasks.
#[test]
fn files_have_the_rows_of_batches() {
    let mut looping = demo(3.0);
    looping.camera.as_mut().unwrap().position[0].post_wrap = WrapMode::LOOP;
    for (recording, rate_hz) in [(demo(19.9), 1000.0), (looping, 1500.0), (Recording::default(), 60.0)] {
        let options = TableOptions::new().with_timing(Timing::Rate(rate_hz));
        let expected: Vec<_> = table::batches(&recording, &options).unwrap().map(Result::unwrap).collect();
        let batch_rows = expected[0].num_rows();
        let mut file = Vec::new();
        let _ = arrow::write(&recording, &options, &mut file).unwrap();
        let mut start = 0;
        for batch in FileReader::try_new(Cursor::new(&file), None).unwrap().map(Result::unwrap) {
            let rows = batch.num_rows();
            assert!(rows <= 2048, "{rows}");
            let expected = expected[start / batch_rows.max(1)].slice(start % batch_rows.max(1), rows);
            assert!(batch.columns() == expected.columns(), "rows from {start} on");
            start += rows;
        }
        assert_eq!(start, expected.iter().map(RecordBatch::num_rows).sum::<usize>());
    }
}

#[test]
fn other_formats_read_all_keys() {
    let recording = demo(1.0);
    for file_format in [FileFormat::Bin, FileFormat::Json, FileFormat::Glb, FileFormat::Bvh, FileFormat::Iwer] {
        let mut expected = Vec::new();
        let losses = WriteOptions::new().write(&recording, file_format, &mut expected).unwrap();
        assert!(!WriteOptions::new().samples_in_windows(file_format), "{file_format:?}");
        assert_eq!(
            written(&in_file(&recording), &WriteOptions::new(), file_format),
            (expected, losses),
            "{file_format:?}"
        );
    }
}

#[test]
fn only_large_input_animations_are_opened_in_windows() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| OpenOptions::new().open_windowed(folder.path().join(name)).unwrap();
    let (small, large) = (demo(1.0), demo(160.0));
    let _ = small.save(folder.path().join("small.bin")).unwrap();
    let _ = large.save(folder.path().join("large.bin")).unwrap();
    fs::write(folder.path().join("large.csv"), vec![b' '; 17 << 20]).unwrap();
    assert!(open("small.bin").is_none() && open("large.csv").is_none());
    assert!(OpenOptions::new().open_windowed(folder.path()).unwrap().is_none(), "a folder");
    assert!(OpenOptions::new().open_windowed(folder.path().join("missing.bin")).is_err());
    let windowed = open("large.bin").unwrap();
    assert!(windowed.outline().camera.as_ref().unwrap().position[0].keys.len() == 2, "keys stay in the file");
    let mut expected = Vec::new();
    let losses = WriteOptions::new().write(&large, FileFormat::Csv, &mut expected).unwrap();
    assert!(written(&windowed, &WriteOptions::new(), FileFormat::Csv) == (expected, losses));
}
