//! Round trips of tables: keys are exact, frames give the same samples.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_ipc::reader::FileReader;
use holotape::Tolerance;
use holotape::demo::DemoOptions;
use holotape::diff::Diff;
use holotape::format::{Channels, Format, Layout};
use holotape::{
    BezierKey, Curve, CurveId, CurveMut, Hand, Keys, LinearKey, Marker, Recording, WeightedMode, WrapMode,
    times_at_rate,
};
use holotape_convert::table::{self, TableKind, TableOptions};
use holotape_convert::{FileFormat, LossKind, Losses, Space, Timing, arrow, csv, from_slice, parquet};

fn demo() -> Recording {
    DemoOptions::new().with_seconds(4.0).generate().unwrap()
}

fn valid() -> Vec<(PathBuf, Recording)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "bin"));
    let recordings: Vec<_> = files.map(|path| (path.clone(), Recording::open(path).unwrap())).collect();
    assert!(recordings.len() > 10);
    recordings
}

/// Writes and reads a recording in each of the three file formats.
fn through_all(recording: &Recording, options: &TableOptions) -> [(FileFormat, Recording, Losses); 3] {
    let mut file = Vec::new();
    let losses = arrow::write(recording, options, &mut file).unwrap();
    let reader = FileReader::try_new(Cursor::new(&file), None).unwrap();
    let (again, _) = table::recording(reader.map(|batch| Ok(batch.unwrap())), Space::Unity).unwrap();
    let arrow = (FileFormat::Arrow, again, losses);

    let mut file = Vec::new();
    let losses = csv::write(recording, options, &mut file).unwrap();
    let csv = (FileFormat::Csv, read_lossless(&file, FileFormat::Csv), losses);

    let mut file = Vec::new();
    let losses = parquet::write(recording, options, &mut file).unwrap();
    [csv, (FileFormat::Parquet, read_lossless(&file, FileFormat::Parquet), losses), arrow]
}

fn read_lossless(file: &[u8], file_format: FileFormat) -> Recording {
    let opened = from_slice(file).unwrap();
    assert_eq!(opened.file_format, file_format);
    assert!(opened.losses.is_empty(), "{:?}", opened.losses);
    opened.recording
}

fn keys() -> TableOptions {
    TableOptions::new().with_table(TableKind::Keys)
}

#[test]
fn keys_round_trip_exactly() {
    for (path, recording) in valid() {
        for (file_format, again, losses) in through_all(&recording, &keys()) {
            // A CSV has no layout.
            let expected = if file_format == FileFormat::Csv { again.format } else { recording.format };
            assert_eq!(losses.is_empty(), expected == recording.format, "{file_format:?} of {}", path.display());
            assert_eq!(
                again,
                Recording { format: expected, ..recording.clone() },
                "{file_format:?} of {}",
                path.display()
            );
        }
    }
}

#[test]
fn unusual_keys_round_trip() {
    let mut recording = demo();
    recording.format = Format { layout: Layout::Full11, marker_list: false };
    let key = BezierKey {
        time: -1.5,
        value: f32::INFINITY,
        in_tangent: f32::NEG_INFINITY,
        out_tangent: f32::NAN,
        in_weight: f32::MIN_POSITIVE,
        out_weight: -0.0,
        weighted_mode: WeightedMode(77),
    };
    let linear = LinearKey::new(f32::NAN, f32::MAX);
    let Some(CurveMut::Float(curve)) = recording.curve_mut("gaze.origin.z".parse().unwrap()) else { panic!() };
    *curve = Curve {
        keys: Keys::Bezier(vec![key, BezierKey::from(linear), key]),
        pre_wrap: WrapMode(-3),
        post_wrap: WrapMode::PING_PONG,
    };
    recording.hand_mut(Hand::Right).pinching.keys = vec![LinearKey::new(0.5, 0.25), linear];
    recording.hand_mut(Hand::Right).tracked.keys.clear();
    recording.hand_mut(Hand::Right).tracked.pre_wrap = WrapMode(9);
    recording.markers = ["", "comma, \"quote\"\r\nline", "τέλος"]
        .map(|name| Marker { time: f32::NAN, name: name.into() })
        .into_iter()
        .collect();
    for (file_format, again, _) in through_all(&recording, &keys()) {
        let again =
            if file_format == FileFormat::Csv { Recording { format: recording.format, ..again } } else { again };
        assert_eq!(again, recording, "{file_format:?}");
    }
}

#[test]
fn channels_without_keys_round_trip() {
    for channels in [Channels::ALL, Channels::V1_0, Channels { camera: true, hands: false, gaze: false }] {
        let recording = Recording::with_channels(channels);
        for (file_format, again, _) in through_all(&recording, &keys()) {
            assert_eq!(again.channels(), channels, "{file_format:?}");
        }
    }
}

/// Compares with the tolerance below which losses are not reported.
fn assert_same_samples(recording: &Recording, again: &Recording, what: &str) {
    let again = Recording { markers: recording.markers.clone(), ..again.clone() };
    let diff = Diff::between(recording, &again);
    assert!(diff.is_within(&Tolerance { position_m: 1e-6, rotation_deg: 1e-3 }), "{what}: {diff:?}");
}

#[test]
fn frames_at_all_keys_give_the_same_samples() {
    let recordings = valid().into_iter().map(|(path, recording)| (path.display().to_string(), recording));
    let mut count = 0;
    for (name, recording) in recordings.chain([("demo".to_owned(), demo())]) {
        for (file_format, again, losses) in through_all(&recording, &TableOptions::new()) {
            // Without metadata, only a table of keys distinguishes an empty channel from a missing one.
            if file_format == FileFormat::Csv && recording.duration_secs() == 0.0 {
                continue;
            }
            // Other tests cover losses of frames.
            if losses.iter().any(|loss| loss.kind() != LossKind::Markers) {
                continue;
            }
            count += 1;
            assert_same_samples(&recording, &again, &format!("{file_format:?} of {name}"));
            let has_markers = file_format != FileFormat::Csv;
            assert_eq!(again.markers == recording.markers, has_markers || recording.markers.is_empty());
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn reported_loss_of_a_rate_bounds_the_deviation() {
    let recording = demo();
    let mut file = Vec::new();
    let options = TableOptions::new().with_timing(Timing::Rate(10.0));
    let losses = parquet::write(&recording, &options, &mut file).unwrap();
    let [loss] = &losses.into_iter().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(loss.kind(), LossKind::Resampled);
    let message = loss.to_string();
    let stated_mm: f64 = message.split("up to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let (again, _) = parquet::read(&file, Space::Unity).unwrap();
    let (mut left, mut right) = (recording.sampler(), again.sampler());
    let mut max_mm = 0.0_f64;
    for time in times_at_rate(0.0..=f64::from(again.duration_secs()), 60.0) {
        let (left, right) = (left.frame_at(time), right.frame_at(time));
        for hand in Hand::ALL {
            for (a, b) in left.hand(hand).unwrap().joints.iter().zip(&right.hand(hand).unwrap().joints) {
                if let (Some(a), Some(b)) = (a, b) {
                    max_mm = max_mm.max(1e3 * a.distance_m(b));
                }
            }
        }
    }
    assert!(max_mm > 0.1, "{max_mm}");
    assert!(max_mm <= stated_mm + 2e-3, "{max_mm} but stated {stated_mm}");
}

#[test]
fn joints_of_untracked_hands_are_null() {
    let recording = DemoOptions::new().with_seconds(30.0).generate().unwrap();
    let batches: Vec<_> = table::batches(&recording, &TableOptions::new()).unwrap().map(Result::unwrap).collect();
    let mut untracked = 0;
    for batch in &batches {
        let tracked = batch.column_by_name("left.tracked").unwrap();
        let tracked = arrow_array::cast::AsArray::as_boolean(tracked);
        let tip = batch.column_by_name("left.IndexTip.position.x").unwrap();
        for row in 0..batch.num_rows() {
            assert_eq!(tracked.value(row), arrow_array::Array::is_valid(tip, row));
            untracked += usize::from(!tracked.value(row));
        }
    }
    assert!(untracked > 0, "the demo loses a hand now and then");
}

#[test]
fn right_handed_tables_round_trip() {
    let recording = demo();
    for table in [TableKind::Frames, TableKind::Keys] {
        let options = TableOptions::new().with_table(table).with_space(Space::RightHanded);
        let mut text = Vec::new();
        let _ = csv::write(&recording, &options, &mut text).unwrap();
        let (again, _) = csv::read(&text, Space::RightHanded).unwrap();
        assert_same_samples(&recording, &again, table.name());
        let mut file = Vec::new();
        let _ = parquet::write(&recording, &options, &mut file).unwrap();
        let (again, _) = parquet::read(&file, Space::Unity).unwrap();
        assert_same_samples(&recording, &again, table.name());
        let (mirrored, _) = csv::read(&text, Space::Unity).unwrap();
        let z = |recording: &Recording| recording.camera.as_ref().unwrap().pose_at(1.0).unwrap().position[2];
        assert_eq!(z(&mirrored), -z(&recording));
    }
}

fn read_csv(text: &str) -> Result<(Recording, Vec<String>), String> {
    let read = csv::read(text.as_bytes(), Space::Unity).map_err(|error| error.to_string());
    read.map(|(recording, losses)| (recording, losses.iter().map(ToString::to_string).collect()))
}

#[test]
fn csv_errors_have_row_and_column() {
    let errors = [
        ("time,camera.position.x\n0,1\n1,abc\n", "row 3, column 2 (camera.position.x): \"abc\" is not a number"),
        ("time,left.tracked\n0,maybe\n", "row 2, column 2 (left.tracked): \"maybe\" is not true or false"),
        ("time,camera.position.x\n0,1\n1,2,3\n2,3\n", "row 3: 3 cells, but the header has 2"),
        ("time,camera.position.x\n0\n2,3\n", "row 2: 1 cells, but the header has 2"),
        ("recording,camera.position.x\na,1\n", "missing column \"time\""),
        ("curve,time\ncamera.position.x,1\n", "missing column \"value\""),
        ("curve,time,value\ncamera.position.q,1,2\n", "row 2: unknown curve \"camera.position.q\""),
        (
            "curve,time,value\ncamera.position.x,1,\n",
            "row 2: incomplete key; it needs a time, a value, and all tangents and weights or none",
        ),
        (
            "curve,time,value,in_tangent\ncamera.position.x,1,2,3\n",
            "row 2: incomplete key; it needs a time, a value, and all tangents and weights or none",
        ),
        ("time,camera.position.x,camera.position.x\n0,1,2\n", "duplicate column \"camera.position.x\""),
        ("recording,time\na,1\nb,1\n", "the table has more than one recording; select the rows of one"),
    ];
    for (text, message) in errors {
        assert_eq!(read_csv(text).unwrap_err(), message, "{text}");
    }
}

#[test]
fn recoverable_problems_are_reported_as_losses() {
    let text = "\u{feff}time , mood,camera.position.x\r\n0,ok,1\r\n1,bad,\r\n1,late,5\r\n2,fine,3\r\n3,c";
    let text = text.replace("time ", "time");
    let (recording, losses) = read_csv(&text).unwrap();
    let curve = &recording.camera.as_ref().unwrap().position[0];
    assert_eq!(curve.keys, Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(2.0, 3.0)]));
    let expected = [
        "dropped columns that are not curves (1): mood",
        "dropped rows that are not later than the row before: 1",
        "interpolated over rows with missing values: camera 1",
        "dropped camera: some of the curves have no keys",
        "dropped the last row: it is truncated",
    ];
    assert_eq!(losses, expected);
}

#[test]
fn hand_without_tracked_column_is_tracked_while_it_has_joints() {
    let text = "time,left.Wrist.position.x\n0,1\n1,\n2,3\n";
    let (recording, losses) = read_csv(text).unwrap();
    let incomplete = "dropped left.Wrist: some of the curves have no keys";
    assert_eq!(losses, ["derived left.tracked, which has no column: true while the hand has joints", incomplete]);
    let tracked = &recording.hand(Hand::Left).tracked;
    assert_eq!([0.0, 1.5, 2.0].map(|time| tracked.value_at(time)), [true, false, true]);
    assert!(recording.hand(Hand::Right).tracked.keys.is_empty());
}

#[test]
fn missing_joints_are_reported_only_while_the_hand_is_tracked() {
    let text = "time,left.tracked,left.Wrist.position.x\n0,true,1\n1,true,\n2,true,3\n3,false,\n4,true,5\n";
    let (_, losses) = read_csv(text).unwrap();
    let absent = "interpolated over rows with missing values: left 1";
    assert_eq!(losses, [absent, "dropped left.Wrist: some of the curves have no keys"]);
}

/// A table of the camera with all of its columns.
fn read_camera(rows: &[&str]) -> Recording {
    let header = CurveId::all(Channels { camera: true, hands: false, gaze: false }).map(|id| id.to_string());
    let header = ["time".to_owned()].into_iter().chain(header).collect::<Vec<_>>().join(",");
    read_csv(&format!("{header}\n{}\n", rows.join("\n"))).unwrap().0
}

#[test]
fn quaternion_signs_follow_the_row_before() {
    let camera = read_camera(&["0,0,0,0,0,0,0,1", "1,0,0,0,0,0.6,0,-0.8", "2,0,0,0,0,0,0,-1"]).camera.unwrap();
    let values = |curve: &Curve| curve.keys.iter().map(|key| key.value).collect::<Vec<_>>();
    assert_eq!(values(&camera.rotation[1]), [0.0, -0.6, 0.0]);
    assert_eq!(values(&camera.rotation[3]), [1.0, 0.8, 1.0]);
}

#[test]
fn recording_lasts_until_the_last_row() {
    let recording = read_camera(&["0,0,0,0,0,0,0,1", "1,1,0,0,0,0,0,1", "2,,,,,,,"]);
    assert_eq!(recording.duration_secs(), 2.0);
    assert_eq!(recording.camera.unwrap().pose_at(2.0).unwrap().position, [1.0, 0.0, 0.0]);
}

#[test]
fn times_are_rounded_to_those_of_keys() {
    let (recording, losses) = read_csv("time,camera.position.x\n16777216.1,1\n16777216.2,nan\n1e39,3\n").unwrap();
    let camera = recording.camera.unwrap();
    assert_eq!(camera.position[0].keys, Keys::Linear(vec![LinearKey::new(16_777_216.0, 1.0)]));
    let incomplete = "dropped camera: some of the curves have no keys";
    assert_eq!(losses, ["dropped rows that are not later than the row before: 2", incomplete]);
}

#[test]
fn columns_of_other_types_are_errors() {
    let names: ArrayRef = Arc::new(StringArray::from(vec!["1", "abc"]));
    let times: ArrayRef = Arc::new(Float64Array::from(vec![0.0, 1.0]));
    let batch = RecordBatch::try_from_iter([("time", times), ("camera.position.x", names)]).unwrap();
    let error = table::recording([Ok(batch)], Space::Unity).unwrap_err().to_string();
    assert!(error.starts_with("column \"camera.position.x\": "), "{error}");

    let stamps: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![0, 1_000_000]));
    let batch = RecordBatch::try_from_iter([("time", stamps)]).unwrap();
    let error = table::recording([Ok(batch)], Space::Unity).unwrap_err().to_string();
    assert!(error.contains("is not numeric"), "{error}");
}

#[test]
fn columns_and_delimiters_may_vary() {
    for text in [
        ",time,camera.position.x,left.tracked\n7,0,1,\n8,1,2,\n",
        "who;camera.position.x;time\nanna;1;0\nanna;2;1\n",
        "\"camera.position.x\"\t\"time\"\n1\t0\n2\t1\n",
        "time , camera.position.x\n0, 1\n1, 2\n",
        "camera.position.x, \"time\"\n1, 0\n2, 1\n",
    ] {
        let opened = from_slice(text.as_bytes()).unwrap();
        let keys = &opened.recording.camera.unwrap().position[0].keys;
        assert_eq!(*keys, Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(1.0, 2.0)]), "{text}");
        assert!(
            opened.losses.iter().any(|loss| loss.to_string().starts_with("dropped camera: some of the curves")),
            "{text}"
        );
    }
}

#[test]
fn tables_without_a_recording_are_errors() {
    let wide = format!("time{}\n", ",".repeat(100_000));
    let wrong = [
        ("time\n0\n", "no column is a curve"),
        (
            "time,camera.position.x\n3,1\n2,1\n1,1\n0,1\n",
            "3 rows are not later than the row before; sort the table by time",
        ),
        (&wide, "too many columns: 100001; the limit is 4096"),
    ];
    for (text, message) in wrong {
        assert_eq!(read_csv(text).unwrap_err(), message);
    }
}

#[test]
fn damaged_tables_are_errors() {
    let recording = DemoOptions::new().with_seconds(0.2).generate().unwrap();
    let mut file = Vec::new();
    let _ = parquet::write(&recording, &TableOptions::new(), &mut file).unwrap();
    for cut in (0..file.len()).step_by(997) {
        assert!(from_slice(&file[..cut]).is_err(), "{cut} of {}", file.len());
    }
    for place in (8..file.len()).step_by(499) {
        let mut broken = file.clone();
        broken[place] ^= 0x55;
        let _ = from_slice(&broken);
    }
}

#[test]
fn metadata_that_would_take_seconds_or_gigabytes_is_rejected() {
    let regressions =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/regressions/parquet_imports_are_valid");
    for (name, message) in [
        ("two_billion_booleans", "booleans"),
        ("page_with_too_many_values", "more values than its column has"),
        ("group_with_too_many_columns", "its schema contradicts itself"),
    ] {
        let error = from_slice(&fs::read(regressions.join(name)).unwrap()).unwrap_err();
        assert!(error.to_string().contains(message), "{name}: {error}");
    }
}
