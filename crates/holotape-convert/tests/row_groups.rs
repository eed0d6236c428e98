//! Row groups whose columns share contexts for compression are those of Arrow's writer, byte for byte.

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
use arrow_array::RecordBatch;
use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape_convert::parquet::RowGroupWriter;
use holotape_convert::table::{TableKind, TableOptions, batches};

/// Row groups of several batches. The demo loses a hand now and then, so there are columns with and without nulls.
fn row_groups(recording: &Recording, table: TableKind) -> Vec<Vec<RecordBatch>> {
    let batch = batches(recording, &TableOptions::new().with_table(table)).unwrap().next().unwrap().unwrap();
    assert!(batch.num_rows() > 600, "{}", batch.num_rows());
    let rows = batch.num_rows();
    vec![
        vec![batch.slice(0, 100), batch.slice(100, 400)],
        vec![batch.slice(500, 0), batch.slice(500, 1), batch.slice(501, rows - 501)],
    ]
}

fn by_arrow_writer(groups: &[Vec<RecordBatch>], properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), groups[0][0].schema(), Some(properties)).unwrap();
    for group in groups {
        group.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.flush().unwrap();
    }
    writer.into_inner().unwrap()
}

fn by_row_group_writer(groups: &[Vec<RecordBatch>], properties: WriterProperties) -> Vec<u8> {
    let mut writer = RowGroupWriter::new(Vec::new(), groups[0][0].schema(), properties).unwrap();
    for group in groups {
        group.iter().for_each(|batch| writer.push(batch.clone()));
        writer.end_group().unwrap();
    }
    writer.finish().unwrap()
}

fn zstd(level: i32) -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap())
}

#[test]
fn files_are_those_of_the_arrow_writer() {
    let recording = DemoOptions::new().with_seconds(30.0).generate().unwrap();
    let compressed = || WriterProperties::builder().set_compression(zstd(1));
    let properties: [fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder; 9] = [
        |builder| builder,
        |builder| builder.set_dictionary_enabled(false),
        |builder| {
            let names = ["camera.position.x", "left.Wrist.rotation.w", "value"].map(Into::into);
            let builder = builder.set_dictionary_enabled(false);
            names
                .into_iter()
                .fold(builder, |builder, name| builder.set_column_encoding(name, Encoding::BYTE_STREAM_SPLIT))
        },
        |builder| builder.set_statistics_enabled(EnabledStatistics::Chunk).set_offset_index_disabled(true),
        |builder| {
            builder.set_column_compression("time".into(), zstd(9)).set_column_bloom_filter_enabled("time".into(), true)
        },
        |builder| builder.set_column_compression("time".into(), Compression::UNCOMPRESSED),
        // With other sizes, Arrow's writer ends the pages of columns without nulls later.
        |builder| builder.set_dictionary_enabled(false).set_data_page_row_count_limit(100).set_write_batch_size(100),
        |builder| builder.set_compression(Compression::SNAPPY),
        |builder| builder.set_writer_version(WriterVersion::PARQUET_2_0),
    ];
    for table in [TableKind::Frames, TableKind::Keys] {
        let groups = row_groups(&recording, table);
        let mut files = Vec::new();
        for (n, change) in properties.iter().enumerate() {
            let file = by_row_group_writer(&groups, change(compressed()).build());
            assert!(file == by_arrow_writer(&groups, change(compressed()).build()), "{table:?}, properties {n}");
            assert!(!files.contains(&file), "{table:?}: properties {n} change nothing");
            files.push(file);
        }
    }
}

#[test]
fn columns_that_do_not_match_the_schema_are_errors() {
    let recording = DemoOptions::new().with_seconds(30.0).generate().unwrap();
    let [frames, keys] =
        [TableKind::Frames, TableKind::Keys].map(|table| row_groups(&recording, table).remove(0).remove(0));
    let properties = WriterProperties::builder().set_compression(zstd(1)).build();
    let prefix: Vec<_> = (0..keys.num_columns() - 1).collect();
    let prefix = keys.project(&prefix).unwrap();
    for (schema, batch) in [
        (keys.schema(), frames.clone()),
        (frames.schema(), keys.clone()),
        (keys.schema(), prefix.clone()),
        (prefix.schema(), keys),
    ] {
        let mut writer = RowGroupWriter::new(Vec::new(), schema, properties.clone()).unwrap();
        writer.push(batch);
        assert!(writer.end_group().is_err());
    }
}
