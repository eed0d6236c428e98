//! Reading the tables of a dataset.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

pub fn read(path: &Path) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
    concat_batches(&schema, &batches).unwrap()
}

/// The numbers of rows of the row groups of a file.
pub fn row_groups(path: &Path) -> Vec<i64> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    builder.metadata().row_groups().iter().map(|group| group.num_rows()).collect()
}

/// The files of a folder `data` or `meta/episodes`, in order.
pub fn files(out: &Path, folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(out.join(folder).join("chunk-000")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// All rows of a folder.
pub fn table(out: &Path, folder: &str) -> RecordBatch {
    let batches: Vec<_> = files(out, folder).iter().map(|file| read(file)).collect();
    concat_batches(&batches[0].schema(), &batches).unwrap()
}

/// The rows of a feature.
pub fn floats(batch: &RecordBatch, name: &str) -> Vec<Vec<f32>> {
    let column = batch.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"));
    assert_eq!(column.null_count(), 0, "{name}");
    match column.data_type() {
        DataType::FixedSizeList(_, width) => {
            let values = column.as_fixed_size_list().values().as_primitive::<Float32Type>().values().to_vec();
            values.chunks(*width as usize).map(<[f32]>::to_vec).collect()
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            (0..lists.len()).map(|row| lists.value(row).as_primitive::<Float32Type>().values().to_vec()).collect()
        }
        _ => column.as_primitive::<Float32Type>().values().iter().map(|value| vec![*value]).collect(),
    }
}

pub fn integers(batch: &RecordBatch, name: &str) -> Vec<i64> {
    batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().values().to_vec()
}

pub fn texts(batch: &RecordBatch, name: &str) -> Vec<String> {
    let column = batch.column_by_name(name).unwrap().as_string::<i32>();
    column.iter().map(|text| text.unwrap().to_owned()).collect()
}

/// The texts in lists.
pub fn text_lists(batch: &RecordBatch, name: &str) -> Vec<Vec<String>> {
    let lists = batch.column_by_name(name).unwrap().as_list::<i32>();
    let texts = |row| lists.value(row).as_string::<i32>().iter().map(|text| text.unwrap().to_owned()).collect();
    (0..lists.len()).map(texts).collect()
}

pub fn json(out: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(out.join(name)).unwrap()).unwrap()
}
