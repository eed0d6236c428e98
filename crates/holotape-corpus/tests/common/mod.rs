//! Test recordings, and columns by name.

use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape_corpus::{RecordingFile, RecordingRows, RowOptions, Table, schema};

pub fn demo(seed: u64, seconds: f64) -> Recording {
    DemoOptions::new().with_seed(seed).with_seconds(seconds).generate().unwrap()
}

pub fn bytes(recording: &Recording) -> Vec<u8> {
    recording.to_vec().unwrap().0
}

pub fn save(recording: &Recording, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = recording.save(path).unwrap();
}

/// The valid recordings of the test data.
pub fn valid_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bin"));
    paths.sort();
    assert!(paths.len() > 8);
    paths
}

pub fn file(name: &str) -> RecordingFile {
    RecordingFile::new(name, Path::new("study").join(name))
}

pub fn rows(recording: &Recording) -> RecordingRows {
    RecordingRows::from_bytes(&file("p01/a.bin"), &bytes(recording), &RowOptions::new())
}

/// The rows of a table in one batch, whose schema is checked.
pub fn one(rows: &RecordingRows, table: Table) -> RecordBatch {
    let batches: Vec<_> = rows.table(table).map(|batch| batch.unwrap()).collect();
    assert!(batches.iter().all(|batch| batch.schema() == schema(table)));
    arrow_select::concat::concat_batches(&schema(table), &batches).unwrap()
}

pub fn text(batch: &RecordBatch, column: &str, row: usize) -> Option<String> {
    let column = batch.column_by_name(column).unwrap().as_string::<i32>();
    column.is_valid(row).then(|| column.value(row).to_owned())
}

pub fn number(batch: &RecordBatch, column: &str, row: usize) -> Option<f64> {
    let column = batch.column_by_name(column).unwrap();
    let value = |column: &dyn Array| match column.data_type() {
        arrow_schema::DataType::Float32 => f64::from(column.as_primitive::<Float32Type>().value(row)),
        arrow_schema::DataType::Float64 => column.as_primitive::<Float64Type>().value(row),
        _ => column.as_primitive::<Int64Type>().value(row) as f64,
    };
    column.is_valid(row).then(|| value(column))
}
