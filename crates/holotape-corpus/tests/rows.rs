//! The rows of one recording agree with the library.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use holotape::check::{CheckOptions, check};
use holotape::stats::{Stats, StatsOptions, fixations};
use holotape::{BodyPart, Error, ErrorKind, Hand, Joint, LinearKey, Recording, Summary, WrapMode};
use holotape_convert::table::{self, TableOptions};
use holotape_corpus::{RecordingRows, RowOptions, SCHEMA_VERSION, Table, schema};

use crate::common::{bytes, demo, file, number, one, rows, text, valid_files};

/// A hash of names, types and units of all columns. A change affects other programs, and needs another version.
#[test]
fn changed_columns_need_another_schema_version() {
    let columns = Table::ALL.into_iter().flat_map(|table| {
        let fields: Vec<_> = schema(table).fields().iter().map(|field| (**field).clone()).collect();
        fields.into_iter().map(move |field| {
            let unit = field.metadata().get("unit").cloned().unwrap_or_default();
            format!("{table}.{} {} {} {unit}\n", field.name(), field.data_type(), field.is_nullable())
        })
    });
    // FNV-1a.
    let hash = columns
        .collect::<String>()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    assert_eq!((SCHEMA_VERSION, hash), (1, 0xbafa_7d2e_8145_7cd0));
}

#[test]
fn recording_row_matches_summary_check_and_stats() {
    let files = valid_files().into_iter().map(|path| std::fs::read(path).unwrap());
    for contents in files.chain([bytes(&demo(3, 6.0))]) {
        let recording = Recording::from_slice(&contents).unwrap();
        let row =
            one(&RecordingRows::from_bytes(&file("p01/s1/a.bin"), &contents, &RowOptions::new()), Table::Recordings);
        assert_eq!(row.num_rows(), 1);
        let summary = Summary::from_recording(&recording);
        let texts = ["recording", "folder", "path", "error", "file_format", "version", "key_layout"]
            .map(|name| text(&row, name, 0));
        let layout = summary.format.layout;
        let [version, keys] = [layout.version().to_string(), layout.keys().to_string()];
        let path = std::path::Path::new("study").join("p01/s1/a.bin").to_string_lossy().into_owned();
        let expected = ["p01/s1/a.bin", "p01/s1", &path, "", "bin", &version, &keys];
        assert_eq!(texts.map(Option::unwrap_or_default), expected);
        assert_eq!(number(&row, "file_bytes", 0), Some(contents.len() as f64));
        assert_eq!(number(&row, "duration_secs", 0), Some(f64::from(summary.duration_secs)));
        assert_eq!(number(&row, "key_count", 0), Some(summary.key_count() as f64));
        for (column, part) in [("camera_key_count", BodyPart::Camera), ("right_key_count", BodyPart::Hand(Hand::Right))]
        {
            assert_eq!(number(&row, column, 0), summary.body_part(part).map(|part| part.key_count as f64));
        }
        assert_eq!(number(&row, "marker_count", 0), Some(recording.markers.len() as f64));

        let findings = check(&recording, &CheckOptions::new());
        let counted = ["error_count", "warning_count", "note_count"].map(|name| number(&row, name, 0).unwrap());
        assert_eq!(counted.iter().sum::<f64>(), findings.len() as f64);
        let mut codes: Vec<_> = findings.iter().map(|finding| finding.kind.code().to_owned()).collect();
        codes.sort();
        codes.dedup();
        let listed = row.column_by_name("finding_codes").unwrap().as_list::<i32>().value(0);
        assert_eq!(listed.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), codes);

        let stats = Stats::from_recording(&recording, &StatsOptions::new()).unwrap();
        assert_eq!(number(&row, "head_path_m", 0), stats.head.map(|head| head.path_m));
        for (hand, of) in [("left", stats.left), ("right", stats.right)] {
            let column = |name: &str| number(&row, &format!("{hand}_{name}"), 0);
            assert_eq!(column("tracked_fraction"), of.map(|hand| hand.tracked_fraction));
            assert_eq!(column("tracked_span_count"), of.map(|hand| hand.tracked_span_count as f64));
            assert_eq!(column("rotation_deg"), of.map(|hand| hand.movement.rotation_deg));
            assert_eq!(column("max_speed_m_per_sec"), of.map(|hand| hand.movement.max_speed_m_per_sec));
            assert_eq!(column("pinch_count"), of.map(|hand| hand.pinches.count as f64));
            let max_secs = of.filter(|hand| hand.pinches.count > 0).map(|hand| hand.pinches.max_secs);
            assert_eq!(column("pinch_max_secs"), max_secs);
        }
        assert_eq!(number(&row, "gaze_fixation_count", 0), stats.gaze.map(|gaze| gaze.fixation_count as f64));
        let max_speed = stats.gaze.map(|gaze| gaze.max_speed_deg_per_sec);
        assert_eq!(number(&row, "gaze_max_speed_deg_per_sec", 0), max_speed);
    }
}

#[test]
fn hand_capture_has_rows_and_its_format() {
    let sample = include_bytes!("../../../testdata/handsbin/v1_gaps.handsbin");
    let rows = RecordingRows::from_bytes(&file("a.handsbin"), sample, &RowOptions::new());
    assert_eq!(rows.error(), None);
    let row = one(&rows, Table::Recordings);
    assert_eq!(text(&row, "file_format", 0).as_deref(), Some("handsbin"));
    assert_eq!((text(&row, "version", 0), text(&row, "key_layout", 0)), (None, None));
    assert!(one(&rows, Table::Frames).num_rows() > 200);
}

#[test]
fn recording_row_names_the_file_format() {
    for (name, expected) in [("isaac/teleop_monado.mcap", "isaac"), ("isaac/webxr.json", "isaac-webxr")] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
        let contents = std::fs::read(path).unwrap();
        let row = one(&RecordingRows::from_bytes(&file(name), &contents, &RowOptions::new()), Table::Recordings);
        assert_eq!((text(&row, "file_format", 0).as_deref(), text(&row, "error", 0)), (Some(expected), None));
        assert_eq!(text(&row, "version", 0), None, "only input animations have a version");
    }
}

#[test]
fn sha256_is_the_hash_of_the_bytes() {
    let row = one(&RecordingRows::from_bytes(&file("a.bin"), b"", &RowOptions::new()), Table::Recordings);
    let empty_hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(text(&row, "sha256", 0).as_deref(), Some(empty_hash));
}

#[test]
fn broken_file_has_one_row_with_its_error() {
    let complete = bytes(&demo(1, 1.0));
    for broken in [&complete[..complete.len() / 2], b"GIF89a", b"", b"{\"version\": [1, 1]", b"time,x\n0,abc\n"] {
        let rows = RecordingRows::from_bytes(&file("a.bin"), broken, &RowOptions::new());
        let row = one(&rows, Table::Recordings);
        assert_eq!(text(&row, "error", 0).as_deref(), rows.error());
        assert!(rows.error().is_some_and(|error| !error.is_empty()));
        assert_eq!(number(&row, "file_bytes", 0), Some(broken.len() as f64));
        assert_eq!(number(&row, "duration_secs", 0), None);
        assert_eq!(number(&row, "left_pinch_count", 0), None);
        for table in [Table::Frames, Table::Events, Table::Keys] {
            assert_eq!(one(&rows, table).num_rows(), 0);
        }
    }
    let row = one(
        &RecordingRows::from_bytes(&file("a.bin"), &complete[..complete.len() / 2], &RowOptions::new()),
        Table::Recordings,
    );
    let findings = row.column_by_name("finding_codes").unwrap().as_list::<i32>().value(0);
    assert_eq!(findings.as_string::<i32>().value(0), "truncated");

    let missing = RecordingRows::unreadable(&file("a.bin"), &Error::new(ErrorKind::Io, "no such file"));
    let row = one(&missing, Table::Recordings);
    assert_eq!(text(&row, "error", 0).as_deref(), Some("no such file"));
    assert_eq!((text(&row, "sha256", 0), number(&row, "file_bytes", 0)), (None, None));
}

#[test]
fn recording_above_24_hours_has_an_error_and_no_frames() {
    let mut long = demo(1, 1.0);
    long.hand_mut(Hand::Left).tracked.keys.push(LinearKey::new(1e30, 0.0));
    let rows = rows(&long);
    assert!(rows.error().unwrap().contains("exceeds the limit of 24 h"), "{:?}", rows.error());
    let row = one(&rows, Table::Recordings);
    assert_eq!(number(&row, "duration_secs", 0), Some(f64::from(1e30_f32)));
    assert_eq!(number(&row, "head_path_m", 0), None);
    assert_eq!(one(&rows, Table::Frames).num_rows(), 0);
}

#[test]
fn small_recording_with_a_distant_key_has_an_error_and_no_frames() {
    let mut long = demo(1, 1.0);
    long.hand_mut(Hand::Left).tracked.keys.push(LinearKey::new(36_000.0, 0.0));
    let rows = rows(&long);
    assert!(rows.error().unwrap().contains("too many frames: 36000 s at a rate of 60 Hz"), "{:?}", rows.error());
    assert_eq!(one(&rows, Table::Frames).num_rows(), 0);
}

#[test]
fn frames_match_the_sampler() {
    let recording = demo(5, 3.0);
    let frames = one(&rows(&recording), Table::Frames);
    let mut sampler = recording.sampler();
    let times: Vec<_> = sampler.times_at_rate(60.0).collect();
    assert_eq!(frames.num_rows(), times.len());
    assert_eq!(number(&frames, "time", times.len() - 1), Some(3.0), "the last frame is at the end");
    for (row, time) in times.into_iter().enumerate().step_by(17) {
        let frame = sampler.frame_at(time);
        assert_eq!(text(&frames, "recording", row).as_deref(), Some("p01/a.bin"));
        assert_eq!(number(&frames, "time", row), Some(time));
        for name in ["camera.position.y", "left.Palm.position.x", "right.IndexTip.rotation.w", "gaze.direction.z"] {
            let expected = frame.value(name.parse().unwrap()).map(f64::from);
            assert_eq!(number(&frames, name, row), expected, "{name} at {time}");
        }
    }
}

#[test]
fn rate_sets_the_number_of_frames() {
    let options = RowOptions::new().with_rate_hz(25.0).unwrap();
    let rows = RecordingRows::from_bytes(&file("a.bin"), &bytes(&demo(1, 2.0)), &options);
    assert_eq!(one(&rows, Table::Frames).num_rows(), 51);
    for rate_hz in [-1.0, 0.0, f64::NAN, f64::INFINITY, 1e6] {
        assert_eq!(RowOptions::new().with_rate_hz(rate_hz).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn events_match_the_counts_of_summary_and_stats() {
    for recording in (1..8).map(|seed| demo(seed, 12.0)) {
        let events = one(&rows(&recording), Table::Events);
        let count = |kind: &str, hand: Option<Hand>| {
            let is_it = |row: &usize| {
                text(&events, "kind", *row).as_deref() == Some(kind)
                    && text(&events, "hand", *row).as_deref() == hand.map(Hand::name)
            };
            let rows: Vec<_> = (0..events.num_rows()).filter(is_it).collect();
            let secs =
                |row: &usize| number(&events, "end_secs", *row).unwrap() - number(&events, "start_secs", *row).unwrap();
            (rows.len(), rows.iter().map(secs).sum::<f64>())
        };
        let summary = Summary::from_recording(&recording);
        let stats = Stats::from_recording(&recording, &StatsOptions::new()).unwrap();
        for hand in Hand::ALL {
            let of = summary.hand(hand);
            assert_eq!(count("tracked", Some(hand)), (of.tracked.count, of.tracked.total_secs));
            let pinches = [stats.left, stats.right][hand as usize].unwrap().pinches;
            assert_eq!(count("pinch", Some(hand)), (pinches.count, pinches.total_secs));
            let lost = count("untracked", Some(hand)).1;
            assert!((lost + of.tracked.total_secs - f64::from(summary.duration_secs)).abs() < 1e-9);
        }
        assert_eq!(count("marker", None).0, recording.markers.len());
        let gaze = stats.gaze.unwrap();
        assert_eq!(count("fixation", None).0, gaze.fixation_count);
        assert_eq!(fixations(&recording, &StatsOptions::new()).unwrap().len(), gaze.fixation_count);
        let key =
            |row| (number(&events, "start_secs", row).unwrap(), text(&events, "kind", row), text(&events, "hand", row));
        assert!((1..events.num_rows()).all(|row| key(row - 1) <= key(row)), "in order of time, kind and hand");
    }
}

#[test]
fn events_have_the_position_at_their_start() {
    let recording = demo(2, 12.0);
    let events = one(&rows(&recording), Table::Events);
    let mut seen = std::collections::HashSet::new();
    for row in 0..events.num_rows() {
        let kind = text(&events, "kind", row).unwrap();
        let start = number(&events, "start_secs", row).unwrap();
        let position = ["x", "y", "z"].map(|axis| number(&events, axis, row).map(|number| number as f32));
        let frame = recording.sampler().frame_at(start);
        let hand = text(&events, "hand", row).map(|hand| frame.hand(hand.parse().unwrap()).unwrap().clone());
        let expected = match kind.as_str() {
            "marker" => frame.camera.unwrap().position,
            "tracked" => hand.unwrap().joint(Joint::Palm).unwrap().position,
            "pinch" => {
                let [thumb, index] = [Joint::ThumbTip, Joint::IndexTip]
                    .map(|joint| hand.as_ref().unwrap().joint(joint).unwrap().position);
                std::array::from_fn(|axis| 0.5 * (thumb[axis] + index[axis]))
            }
            "fixation" => {
                let direction = ["x", "y", "z"].map(|axis| number(&events, &format!("direction_{axis}"), row).unwrap());
                assert!((direction.iter().map(|component| component * component).sum::<f64>() - 1.0).abs() < 1e-5);
                continue;
            }
            _ => {
                // The last tracked position, one frame before.
                assert_eq!(position[0].is_some(), start > 0.0);
                continue;
            }
        };
        assert_eq!(position, expected.map(Some), "{kind} at {start}");
        seen.insert(kind);
    }
    assert_eq!(seen.len(), 3, "the demo has markers, pinches and hands");
}

#[test]
fn keys_match_the_table_of_one_recording() {
    for path in valid_files() {
        let recording = Recording::open(&path).unwrap();
        let keys = one(&rows(&recording), Table::Keys);
        let options = TableOptions::new().with_table(table::TableKind::Keys);
        let expected: Vec<_> = table::batches(&recording, &options).unwrap().map(Result::unwrap).collect();
        let expected = arrow_select::concat::concat_batches(&table::schema(&options), &expected).unwrap();
        assert_eq!(keys.num_rows(), expected.num_rows());
        for (field, column) in expected.schema().fields().iter().zip(expected.columns()) {
            let ours = keys.column_by_name(field.name()).unwrap();
            assert_eq!(ours, &arrow_cast::cast(column, ours.data_type()).unwrap(), "{}", field.name());
        }
        for row in 0..keys.num_rows() {
            let curve = text(&keys, "curve", row).unwrap();
            let hand = curve.split_once('.').map(|(part, _)| part).filter(|part| ["left", "right"].contains(part));
            assert_eq!(text(&keys, "hand", row).as_deref(), hand);
        }
    }
}

#[test]
fn unusual_recordings_have_rows() {
    let mut strange = demo(1, 0.5);
    strange.hand_mut(Hand::Left).tracked.post_wrap = WrapMode::LOOP;
    strange.hand_mut(Hand::Right).pinching.keys = vec![LinearKey::new(f32::NAN, 1.0), LinearKey::new(-5.0, 1.0)];
    strange.markers.add(f32::NAN, "at NaN");
    for recording in [Recording::default(), strange] {
        let rows = rows(&recording);
        assert_eq!(rows.error(), None);
        for table in Table::ALL {
            one(&rows, table);
        }
        let names = one(&rows, Table::Events);
        assert_eq!(
            names.column_by_name("name").unwrap().null_count() < names.num_rows(),
            !recording.markers.is_empty()
        );
    }
}
