//! The Parquet files of a dataset: rows, schema, encodings, statistics and row groups.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use holotape_corpus::{
    BuildOptions, Dataset, RecordingRows, RowOptions, SCHEMA_VERSION, Table, build, find_recordings, schema,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::statistics::Statistics;
use tempfile::{TempDir, tempdir};

use crate::common::{demo, save};

const RATE_HZ: f64 = 45.0;

/// A dataset with all tables, of recordings with and without hands, gaze and markers, and a broken one.
fn dataset() -> (TempDir, Dataset) {
    let folder = tempdir().unwrap();
    let study = folder.path().join("study");
    for seed in 0..3 {
        save(&demo(seed, 1.0 + seed as f64), &study.join(format!("p{seed:02}/demo.bin")));
    }
    for path in crate::common::valid_files() {
        std::fs::copy(&path, study.join(path.file_name().unwrap())).unwrap();
    }
    std::fs::write(study.join("broken.bin"), "no recording").unwrap();
    let dataset = built(&study, &folder.path().join("out"));
    (folder, dataset)
}

fn built(study: &Path, out: &Path) -> Dataset {
    let options = BuildOptions::new().with_keys(true).with_rate_hz(RATE_HZ);
    build([study], out, &options, |_| ControlFlow::Continue(())).unwrap();
    Dataset::open(out).unwrap()
}

fn read(path: &Path) -> (Vec<RecordBatch>, ParquetMetaData) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let metadata = builder.metadata().as_ref().clone();
    (builder.build().unwrap().map(Result::unwrap).collect(), metadata)
}

/// All rows of a table, without the metadata of files.
fn table(dataset: &Dataset, table: Table) -> RecordBatch {
    let files = dataset.files(table).unwrap();
    let batches = files.iter().flat_map(|file| read(file).0);
    let batches: Vec<_> =
        batches.map(|batch| RecordBatch::try_new(schema(table), batch.columns().to_vec()).unwrap()).collect();
    concat_batches(&schema(table), &batches).unwrap()
}

#[test]
fn files_have_the_exact_rows_of_recordings() {
    let (folder, dataset) = dataset();
    let options = RowOptions::new().with_rate_hz(RATE_HZ).unwrap();
    let files = find_recordings([folder.path().join("study")]).unwrap();
    let rows: Vec<_> = files
        .iter()
        .map(|file| RecordingRows::from_bytes(file, &std::fs::read(&file.path).unwrap(), &options))
        .collect();
    for of in Table::ALL {
        let expected: Vec<_> = rows.iter().flat_map(|rows| rows.table(of)).map(Result::unwrap).collect();
        let expected = concat_batches(&schema(of), &expected).unwrap();
        assert!(expected.num_rows() > 0);
        assert_eq!(dataset.rows(of), expected.num_rows() as u64, "{of}");
        assert!(table(&dataset, of) == expected, "{of}");
    }
}

#[test]
fn files_have_the_schema_of_their_table() {
    let (_folder, dataset) = dataset();
    for of in Table::ALL {
        for file in dataset.files(of).unwrap() {
            let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap();
            assert_eq!(builder.schema().fields(), schema(of).fields(), "{of}");
            let metadata = builder.schema().metadata();
            assert_eq!(metadata["holotape.corpus_schema_version"], SCHEMA_VERSION.to_string());
            assert_eq!(metadata["holotape.table"], of.name());
            assert_eq!(metadata.get("holotape.rate_hz").map(String::as_str), (of == Table::Frames).then_some("45"));
        }
    }
}

#[test]
fn files_declare_order_and_have_statistics_and_dictionaries() {
    let (_folder, dataset) = dataset();
    for of in Table::ALL {
        let (_, metadata) = read(&dataset.files(of).unwrap()[0]);
        let sorted_by = |group: &parquet::file::metadata::RowGroupMetaData| {
            let columns = group.sorting_columns().unwrap();
            columns.iter().map(|it| group.column(it.column_idx as usize).column_path().string()).collect::<Vec<_>>()
        };
        let expected: &[&str] = match of {
            Table::Frames => &["recording", "time"],
            Table::Events => &["recording", "start_secs"],
            Table::Recordings | Table::Keys => &["recording"],
        };
        assert_eq!(sorted_by(metadata.row_group(0)), expected, "{of}");
        for column in metadata.row_group(0).columns() {
            let path = column.column_path().string();
            assert!(matches!(column.compression(), Compression::ZSTD(_)), "{path}");
            assert!(column.statistics().is_some(), "{path}");
            let encodings: Vec<_> = column.encodings().collect();
            if path == "recording" || path == "time" || path == "kind" || path == "curve" {
                assert!(encodings.contains(&Encoding::RLE_DICTIONARY), "{path}: {encodings:?}");
            }
            if path.ends_with("position.x") {
                assert!(encodings.contains(&Encoding::BYTE_STREAM_SPLIT), "{path}: {encodings:?}");
            }
        }
    }
}

/// Recordings are found by statistics: none is split that fits into one row group.
#[test]
fn row_groups_end_between_recordings() {
    let folder = tempdir().unwrap();
    let study = folder.path().join("study");
    let long = holotape::demo::DemoOptions::new().with_seconds(800.0).with_rate_hz(1.0).generate().unwrap();
    for (name, recording) in
        [("0", &long), ("1", &demo(1, 1.0)), ("2", &long), ("3", &demo(2, 1.0)), ("4", &demo(3, 1.0))]
    {
        save(recording, &study.join(format!("{name}.bin")));
    }
    let out = folder.path().join("out");
    build([&study], &out, &BuildOptions::new().with_rate_hz(RATE_HZ), |_| ControlFlow::Continue(())).unwrap();
    let dataset = Dataset::open(out).unwrap();
    assert_eq!(dataset.rows(Table::Frames), 2 * 36_001 + 3 * 46);
    let mut groups: Vec<(String, String)> = Vec::new();
    for file in dataset.files(Table::Frames).unwrap() {
        for group in read(&file).1.row_groups() {
            let Some(Statistics::ByteArray(names)) = group.column(0).statistics() else { panic!("no statistics") };
            let [first, last] = [names.min_opt(), names.max_opt()].map(|it| it.unwrap().as_utf8().unwrap().to_owned());
            assert!(group.num_rows() <= 1 << 15, "{} rows", group.num_rows());
            groups.push((first, last));
        }
    }
    let groups_of = |name: &str| groups.iter().filter(|(first, last)| &first[..] <= name && name <= &last[..]).count();
    assert_eq!(["0.bin", "1.bin", "2.bin", "3.bin", "4.bin"].map(groups_of), [2, 1, 2, 1, 1], "{groups:?}");
}
