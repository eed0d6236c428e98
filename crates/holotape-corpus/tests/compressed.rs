//! Compressed recordings in folders: found by name, with the same rows as others.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use holotape::Recording;
use holotape_convert::compression::Compression;
use holotape_convert::{FileFormat, WriteOptions};
use holotape_corpus::{
    BuildOptions, FileIndexCache, HandFilter, RecordingRows, RowOptions, ScanOptions, Table, build, find_recordings,
    scan, schema,
};

use crate::common::{bytes, demo, number, text};

fn write(recording: &Recording, path: &Path) {
    let mut file = Vec::new();
    let file_format = FileFormat::from_path(path).unwrap();
    let _ = Compression::from_path(path)
        .write(&mut file, |out| WriteOptions::new().write(recording, file_format, out))
        .unwrap();
    fs::write(path, file).unwrap();
}

const NAMES: [&str; 5] = ["a.bin", "b.bin.zst", "c.bin.gz", "d.json.gz", "e.bin.zst"];

/// The same recording under all names; `e.bin.zst` is truncated.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    NAMES.iter().for_each(|name| write(&demo(1, 1.5), &folder.path().join(name)));
    let broken = folder.path().join("e.bin.zst");
    let bytes = fs::read(&broken).unwrap();
    fs::write(broken, &bytes[..bytes.len() - 100]).unwrap();
    fs::write(folder.path().join("notes.gz"), "no recording").unwrap();
    folder
}

fn rows(folder: &Path, table: Table, options: &ScanOptions) -> RecordBatch {
    let scan = scan(find_recordings([folder]).unwrap(), table, options).unwrap();
    let schema = scan.schema();
    concat_batches(&schema, &scan.map(|batch| batch.unwrap()).collect::<Vec<_>>()).unwrap()
}

#[test]
fn compressed_recordings_are_found_by_name() {
    let folder = corpus();
    let names: Vec<_> = find_recordings([folder.path()]).unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, NAMES);
}

#[test]
fn rows_of_recordings_describe_the_contents() {
    let folder = corpus();
    let recordings = rows(folder.path(), Table::Recordings, &ScanOptions::new());
    let headers = ScanOptions::new().with_columns(["recording", "file_bytes", "error", "file_format", "key_count"]);
    let headers = rows(folder.path(), Table::Recordings, &headers);
    assert_eq!(recordings.num_rows(), NAMES.len());
    for (row, name) in NAMES.into_iter().enumerate() {
        let on_disk = fs::metadata(folder.path().join(name)).unwrap().len() as f64;
        for table in [&recordings, &headers] {
            assert_eq!(number(table, "file_bytes", row), Some(on_disk));
            let file_format = if name == "d.json.gz" { "json" } else { "bin" };
            assert_eq!(text(table, "file_format", row).as_deref(), Some(file_format), "{name}");
            let error = text(table, "error", row);
            match name {
                "e.bin.zst" => assert_eq!(error.unwrap(), "cannot decompress: the zstd data is truncated"),
                _ => {
                    assert_eq!(error, None, "{name}");
                    assert_eq!(number(table, "key_count", row), number(table, "key_count", 0));
                }
            }
        }
    }
    assert_ne!(text(&recordings, "sha256", 0), text(&recordings, "sha256", 1), "the hash is that of the file");
    assert!(number(&recordings, "error_count", 4).unwrap() > 0.0, "findings are about what could be salvaged");
}

#[test]
fn tables_of_compressed_recordings_equal_those_of_others() {
    let folder = corpus();
    let selected = ["camera.position.x", "left.tracked", "right.IndexTip.position.y"];
    let left = HandFilter { left: true, right: false, none: false };
    let cases = [
        (Table::Frames, ScanOptions::new()),
        (Table::Frames, ScanOptions::new().with_columns(selected)),
        (Table::Events, ScanOptions::new()),
        (Table::Keys, ScanOptions::new()),
        (Table::Keys, ScanOptions::new().with_hands(left)),
    ];
    for (table, options) in cases {
        let uncompressed = tempfile::tempdir().unwrap();
        for name in ["a.bin", "b.bin", "c.bin", "d.bin"] {
            fs::copy(folder.path().join("a.bin"), uncompressed.path().join(name)).unwrap();
        }
        let expected = rows(uncompressed.path(), table, &options);
        let actual = rows(folder.path(), table, &options);
        let schema = actual.schema();
        for (field, (actual, expected)) in schema.fields().iter().zip(actual.columns().iter().zip(expected.columns())) {
            assert!(field.name() == "recording" || actual == expected, "{table:?}, {options:?}, {}", field.name());
        }
        assert!(actual.num_rows() > 4);
    }
}

#[test]
fn index_cache_does_not_change_the_rows_of_compressed_recordings() {
    let folder = corpus();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for name in NAMES {
        fs::File::options().write(true).open(folder.path().join(name)).unwrap().set_modified(old).unwrap();
    }
    let cache = Arc::new(FileIndexCache::default());
    let options = ScanOptions::new().with_columns(["right.Palm.position.x"]);
    let read = || {
        let scan = scan(find_recordings([folder.path()]).unwrap(), Table::Frames, &options).unwrap();
        scan.with_index_cache(&cache).map(|batch| batch.unwrap()).collect::<Vec<_>>()
    };
    let (first, second) = (read(), read());
    assert_eq!(first, second);
    assert_eq!(first.iter().map(RecordBatch::num_rows).sum::<usize>(), 4 * 91);
}

#[test]
fn dataset_is_built_from_mixed_files() {
    let folder = corpus();
    let target = tempfile::tempdir().unwrap();
    let out = target.path().join("dataset");
    let report = build([folder.path()], out, &BuildOptions::new(), |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((report.rows.recordings, report.rows.frames), (5, 4 * 91));
    assert_eq!(report.broken.len(), 1);
}

#[test]
fn rows_from_bytes_decompress() {
    let mut file = Vec::new();
    Compression::Gzip.write(&mut file, |out| Ok(out.write_all(&bytes(&demo(1, 1.0)))?)).unwrap();
    let compressed = RecordingRows::from_bytes(&crate::common::file("a.bin.gz"), &file, &RowOptions::new());
    assert_eq!(compressed.error(), None);
    let frames: Vec<_> = compressed.table(Table::Frames).map(|batch| batch.unwrap()).collect();
    assert_eq!(concat_batches(&schema(Table::Frames), &frames).unwrap().num_rows(), 61);
}
