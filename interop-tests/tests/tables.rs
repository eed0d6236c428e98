//! pyarrow, DuckDB and Polars read tables.

use std::fs::{self, File};
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{CurveId, Recording};
use holotape_convert::combined_table::{CombinedTableRows, CombinedTableWriter};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{FileFormat, Timing, arrow, parquet};
use holotape_interop_tests::{json_output, python};
use serde_json::{Value, json};

const CURVES: [&str; 5] =
    ["camera.position.y", "left.tracked", "left.IndexTip.position.x", "right.Wrist.rotation.w", "gaze.direction.z"];

fn demo() -> Recording {
    DemoOptions::new().with_seconds(20.0).generate().expect("a recording")
}

fn read(path: &Path, columns: &[&str]) -> Value {
    json_output(python("tables.py").arg(path).args(columns))
}

/// The expected values of a column of frames, computed by the sampler.
fn expected(recording: &Recording, times: &[f64], name: &str) -> Value {
    let id: CurveId = name.parse().expect("a curve");
    let mut sampler = recording.sampler();
    let value = |time: &f64| match sampler.frame_at(*time).value(id) {
        None => Value::Null,
        Some(value) if id.is_bool() => json!(value != 0.0),
        Some(value) => json!(f64::from(value)),
    };
    times.iter().map(value).collect()
}

#[test]
fn all_readers_return_the_sampled_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = demo();
    for timing in [Timing::Keys, Timing::Rate(25.0)] {
        let times = timing.times(&recording).expect("times");
        let options = TableOptions::new().with_timing(timing).with_source(Some("demo.bin".to_owned()));
        for file_format in [FileFormat::Parquet, FileFormat::Arrow] {
            let path = folder.path().join(format!("frames.{}", file_format.extension()));
            let file = File::create(&path).expect("a file");
            let _losses = match file_format {
                FileFormat::Parquet => parquet::write(&recording, &options, file),
                _ => arrow::write(&recording, &options, file),
            };
            let seen = read(&path, &[&["time"], &CURVES[..]].concat());
            assert_eq!((&seen["rows"], &seen["columns"]), (&json!(times.len()), &json!(396)));
            assert_eq!(seen["types"]["left.IndexTip.position.x"], "float");
            assert_eq!(seen["metadata"]["holotape.space"], "unity");
            assert_eq!(seen["metadata"]["holotape.source"], "demo.bin");
            assert_eq!(seen["metadata"]["holotape.duration_secs"], recording.duration_secs().to_string());
            for reader in ["pyarrow", "duckdb", "polars"] {
                if file_format == FileFormat::Arrow && reader == "duckdb" {
                    continue; // DuckDB does not read Arrow files.
                }
                assert_eq!(seen[reader]["time"], json!(times), "{reader}");
                for name in CURVES {
                    assert!(
                        seen[reader][name] == expected(&recording, &times, name),
                        "{reader}: {name} of {file_format:?}"
                    );
                }
            }
        }
    }
    let untracked = expected(&recording, &Timing::Keys.times(&recording).expect("times"), "left.IndexTip.position.x");
    assert!(
        untracked.as_array().is_some_and(|values| values.iter().any(Value::is_null)),
        "a hand is not always tracked in the demo"
    );
}

#[test]
fn all_readers_return_all_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys.parquet");
    let recording = demo();
    let options = TableOptions::new().with_table(TableKind::Keys);
    let losses = parquet::write(&recording, &options, File::create(&path).expect("a file")).expect("written");
    assert!(losses.is_empty());
    let seen = read(&path, &["curve", "time", "value", "marker"]);
    let mut expected: [Vec<Value>; 3] = Default::default();
    for (id, curve) in recording.curves() {
        let keys: Vec<_> = match curve {
            holotape::CurveRef::Float(curve) => curve.keys.iter().collect(),
            holotape::CurveRef::Bool(curve) => curve.keys.clone(),
        };
        let rows = keys.iter().map(|key| (json!(f64::from(key.time)), json!(f64::from(key.value))));
        let empty = keys.is_empty().then_some((Value::Null, Value::Null));
        for (time, value) in rows.chain(empty) {
            expected[0].push(json!(id.to_string()));
            expected[1].push(time);
            expected[2].push(value);
        }
    }
    for marker in recording.markers.iter() {
        expected[0].push(json!("marker"));
        expected[1].push(json!(f64::from(marker.time)));
        expected[2].push(Value::Null);
    }
    for reader in ["pyarrow", "duckdb", "polars"] {
        for (name, expected) in ["curve", "time", "value"].into_iter().zip(&expected) {
            assert!(seen[reader][name] == json!(expected), "{reader}: {name}");
        }
        let names: Vec<_> =
            seen[reader]["marker"].as_array().expect("a column").iter().filter(|name| !name.is_null()).collect();
        let markers: Vec<_> = recording.markers.iter().map(|marker| json!(marker.name)).collect();
        assert_eq!(names, markers.iter().collect::<Vec<_>>(), "{reader}");
    }
}

#[test]
fn combined_table_has_all_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("all.parquet");
    let options = TableOptions::new();
    let mut writer = CombinedTableWriter::create(FileFormat::Parquet, &options, File::create(&path).expect("a file"))
        .expect("created");
    let mut names = Vec::new();
    for seed in 0..70 {
        let recording = DemoOptions::new().with_seed(seed).with_seconds(10.0).generate().expect("a recording");
        let rows = Timing::Keys.times(&recording).expect("times").len();
        names.extend(std::iter::repeat_n(format!("reach {seed}"), rows));
        writer
            .push(CombinedTableRows::new(&format!("reach {seed}"), &recording, &options).expect("rows"))
            .expect("pushed");
    }
    writer.finish().expect("written");
    assert!(names.len() > 1 << 15, "more than one row group");
    let seen = read(&path, &["recording", "right.Palm.position.y"]);
    for reader in ["pyarrow", "duckdb", "polars"] {
        assert!(seen[reader]["recording"] == json!(names), "{reader}");
        assert!(seen[reader]["right.Palm.position.y"] == seen["pyarrow"]["right.Palm.position.y"], "{reader}");
    }
    assert_eq!(seen["metadata"]["holotape.duration_secs"], Value::Null, "not defined for several recordings");
    assert!(fs::metadata(&path).expect("metadata").len() > 1 << 20);
}

#[test]
fn tables_rewritten_by_other_programs_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("frames.parquet");
    let recording = demo();
    let _losses =
        parquet::write(&recording, &TableOptions::new(), File::create(&path).expect("a file")).expect("written");
    let names = json_output(python("rewrite_tables.py").arg(&path).arg(folder.path()));
    let names: Vec<String> = serde_json::from_value(names).expect("names");
    assert_eq!(names.len(), 4);
    let expected = holotape_convert::open(&path).expect("ours").recording;
    for name in names {
        let read_back = holotape_convert::open(&name).expect(&name).recording;
        assert!(read_back.camera == expected.camera && read_back.gaze == expected.gaze, "{name}");
        assert!(read_back.hands == expected.hands, "{name}");
    }
}
