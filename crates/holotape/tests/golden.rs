//! Every file of `testdata/valid` has the values in its `.json` and is written back byte for byte.

use holotape::format::{Format, Index, KeyLayout, Layout, LayoutEvidence, Version};
use holotape::{CurveId, CurveRef, Hand, Joint, Recording};
use serde_json::{Value, json};

use crate::common::{properties, valid_pairs};

#[test]
fn unchanged_recordings_are_written_byte_for_byte() {
    for (name, bytes, _) in valid_pairs() {
        println!("{name}");
        properties::all(&bytes);
        assert!(Recording::from_slice(&bytes).is_ok(), "{name}");
    }
}

#[test]
fn index_reports_format_and_channels() {
    for (name, bytes, expected) in valid_pairs() {
        let index = Index::from_slice(&bytes).expect(&name);
        let Format { layout, marker_list } = index.format();
        assert_eq!(json!(layout.version().numbers()), expected["version"], "{name}");
        assert_eq!(json!(layout.keys().name()), expected["keys"], "{name}");
        assert_eq!(json!(marker_list), expected["marker_list"], "{name}");
        let channels = index.channels();
        let channels = json!({"camera": channels.camera, "hands": channels.hands, "gaze": channels.gaze});
        assert_eq!(channels, expected["channels"], "{name}");
        let counts = index.curves().iter().filter(|curve| curve.key_count > 0);
        let counts: Value = counts.map(|curve| (curve.id.to_string(), json!(curve.key_count))).collect();
        let expected_counts = expected["key_counts"].as_object().expect("an object");
        assert_eq!(counts.as_object().map_or(0, |counts| counts.len()), expected_counts.len(), "{name}");
        for (curve, count) in expected_counts {
            assert_eq!(counts[curve], *count, "{name} {curve}");
        }
    }
}

#[test]
fn index_reports_the_layout_evidence() {
    for (name, bytes, expected) in valid_pairs() {
        let evidence = Index::from_slice(&bytes).expect(&name).layout_evidence();
        let has_keys = expected["key_counts"].as_object().is_some_and(|counts| !counts.is_empty());
        let expected = match (expected["version"] == json!([1, 0]), has_keys) {
            (true, _) => LayoutEvidence::Version,
            (false, true) => LayoutEvidence::Structure,
            (false, false) => LayoutEvidence::NoKeys,
        };
        assert_eq!(evidence, expected, "{name}");
    }
}

#[test]
fn duration_and_markers_are_right() {
    for (name, bytes, expected) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let duration = expected["duration"].as_f64().expect("a number") as f32;
        assert_eq!(recording.duration_secs(), duration, "{name}");
        let markers = expected["markers"].as_array().expect("an array");
        assert_eq!(recording.markers.len(), markers.len(), "{name}");
        for (marker, expected) in recording.markers.iter().zip(markers) {
            assert_eq!(json!(marker.name), expected["name"], "{name}");
            assert_eq!(marker.time, expected["time"].as_f64().expect("a number") as f32, "{name}");
        }
    }
}

/// Within 1e-5, relative for values above 1.
fn is_close(value: f64, expected: &Value) -> bool {
    match expected.as_str() {
        Some("NaN") => value.is_nan(),
        Some(infinity) => value == infinity.parse::<f64>().expect("an infinity"),
        None => {
            let expected = expected.as_f64().expect("a number");
            (value - expected).abs() <= 1e-5 * expected.abs().max(1.0)
        }
    }
}

#[test]
fn curves_evaluate_to_the_listed_values() {
    let mut compared = 0;
    for (name, bytes, expected) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        // The times are 32-bit floats, printed in full.
        let times = expected["times"].as_array().expect("an array");
        let times: Vec<_> = times.iter().map(|time| f64::from(time.as_f64().expect("a number") as f32)).collect();
        for (curve_name, values) in expected["values"].as_object().expect("an object") {
            let id: CurveId = curve_name.parse().expect("a curve");
            let values = values.as_array().expect("an array");
            assert_eq!(values.len(), times.len());
            for (time, expected) in times.iter().zip(values) {
                let value = match recording.curve(id).expect("present") {
                    CurveRef::Float(curve) => curve.value_at(*time).expect("has keys"),
                    CurveRef::Bool(curve) => f64::from(u8::from(curve.value_at(*time))),
                };
                assert!(is_close(value, expected), "{name} {id} at {time}: {value}, expected {expected}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 79_163, "only {compared} values compared");
}

/// The expected component of a pose or ray, normalized if `unit` is set.
fn expected_parts(values: &Value, owner: &str, parts: &[&str], index: usize, unit: bool) -> Option<Vec<f64>> {
    let part = |part: &&str| values.get(format!("{owner}.{part}"))?[index].as_f64();
    let raw: Vec<f64> = parts.iter().map(part).collect::<Option<_>>()?;
    let length = if unit { raw.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
    assert!(length > 0.01, "{owner}: nothing in the test data has no direction");
    Some(raw.iter().map(|x| x / length).collect())
}

fn assert_parts(name: &str, got: &[f32], expected: &[f64]) {
    let close = |(got, expected): (&f32, &f64)| (f64::from(*got) - expected).abs() <= 2e-5 * expected.abs().max(1.0);
    assert!(got.len() == expected.len() && got.iter().zip(expected).all(close), "{name}: {got:?}, {expected:?}");
}

const POSITION: [&str; 3] = ["position.x", "position.y", "position.z"];
const ROTATION: [&str; 4] = ["rotation.x", "rotation.y", "rotation.z", "rotation.w"];
const ORIGIN: [&str; 3] = ["origin.x", "origin.y", "origin.z"];
const DIRECTION: [&str; 3] = ["direction.x", "direction.y", "direction.z"];

#[test]
fn poses_and_rays_are_normalized_curve_values() {
    let mut compared = 0;
    for (name, bytes, expected) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|joint| (hand, joint)));
        let joints = joints.map(|(hand, joint)| (format!("{hand}.{joint}"), recording.hand(hand).joint(joint)));
        let camera = recording.camera.iter().map(|camera| ("camera".to_owned(), camera));
        let poses: Vec<_> = camera.chain(joints).collect();
        for (index, time) in expected["times"].as_array().expect("an array").iter().enumerate() {
            let time = f64::from(time.as_f64().expect("a number") as f32);
            let values = &expected["values"];
            for (owner, pose) in &poses {
                let position = expected_parts(values, owner, &POSITION, index, false);
                // The curves of this file are not quaternions, and pass through zero.
                let unit = name != "curves_every_rule";
                let rotation = expected_parts(values, owner, &ROTATION, index, unit);
                let place = format!("{name} {owner} at {time}");
                match (pose.pose_at(time), position, rotation) {
                    (None, position, rotation) => assert!(position.is_none() || rotation.is_none(), "{place}"),
                    (Some(pose), Some(position), Some(rotation)) => {
                        assert_parts(&place, &pose.position, &position);
                        if unit {
                            assert_parts(&place, &pose.rotation, &rotation);
                        }
                        compared += 1;
                    }
                    (Some(_), ..) => panic!("{place}: a pose without keys"),
                }
            }
            if let Some(ray) = recording.gaze.as_ref().and_then(|gaze| gaze.ray_at(time)) {
                let place = format!("{name} gaze at {time}");
                let origin = expected_parts(values, "gaze", &ORIGIN, index, false).expect("keys");
                let direction = expected_parts(values, "gaze", &DIRECTION, index, true).expect("keys");
                assert_parts(&place, &ray.origin, &origin);
                assert_parts(&place, &ray.direction, &direction);
                compared += 1;
            }
        }
    }
    assert!(compared >= 8_000, "only {compared} poses compared");
}

#[test]
fn every_layout_keeps_what_it_supports() {
    for (name, bytes, expected) in valid_pairs() {
        let original = Recording::from_slice(&bytes).expect(&name);
        for layout in [Layout::Full10, Layout::Full11, Layout::Compact11] {
            for marker_list in [true, false] {
                let mut recording = original.clone();
                recording.format = Format { layout, marker_list };
                let (bytes, losses) = recording.to_vec().expect(&name);
                let back = Recording::from_slice(&bytes).expect(&name);
                let lost: Vec<_> = losses.as_slice().iter().map(ToString::to_string).collect();
                let loses = |word: &str| lost.iter().any(|loss| loss.contains(word));

                let gaze = layout.version() == Version::V1_0 && original.gaze.is_some();
                assert_eq!(loses("gaze"), gaze, "{name} {layout:?}: {lost:?}");
                assert_eq!(loses("marker"), !marker_list && !original.markers.is_empty(), "{name}: {lost:?}");
                let bent = name == "curves_every_rule" && layout.keys() == KeyLayout::Compact;
                assert_eq!(loses("tangents"), bent, "{name} {layout:?}: {lost:?}");

                if !loses("tangents") {
                    same_curves(&name, &original, &back, expected["times"].as_array().expect("an array"));
                }
                if marker_list {
                    assert_eq!(back.markers, original.markers, "{name}");
                }
            }
        }
    }
}

fn same_curves(name: &str, original: &Recording, back: &Recording, times: &[Value]) {
    for (id, curve) in back.curves() {
        let before = original.curve(id);
        assert_eq!(curve.key_count(), before.map_or(0, CurveRef::key_count), "{name} {id}");
        for time in times.iter().filter_map(Value::as_f64) {
            match (curve, before) {
                (CurveRef::Float(curve), Some(CurveRef::Float(before))) => {
                    assert_eq!(curve.value_at(time), before.value_at(time), "{name} {id} at {time}");
                }
                (CurveRef::Bool(curve), Some(CurveRef::Bool(before))) => {
                    assert_eq!(curve.value_at(time), before.value_at(time), "{name} {id} at {time}");
                }
                _ => {}
            }
        }
    }
}
