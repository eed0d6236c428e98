//! Invalid files: the kind of error, the location and the byte.

use std::collections::BTreeMap;
use std::fs;

use holotape::{ErrorKind, Location};
use holotape_convert::handsbin::{self, HandsbinVersion};
use holotape_convert::{FileFormat, from_slice, open};
use proptest::prelude::*;
use serde_json::Value;

use crate::handsbin::{read, sample, testdata, written};

fn error(bytes: &[u8]) -> holotape::Error {
    handsbin::read(bytes).expect_err("something is wrong")
}

/// A file of version 2 with one frame of both hands, and one of version 1.
fn small_files() -> [Vec<u8>; 2] {
    let recording = holotape::demo::DemoOptions::new().with_seconds(0.0).generate().unwrap();
    HandsbinVersion::ALL.map(|version| written(&recording, version).0)
}

fn changed(bytes: &[u8], offset: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[offset..offset + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn invalid_samples_give_the_expected_errors() {
    let expected: BTreeMap<String, Value> =
        serde_json::from_slice(&sample("invalid/expected.json")).expect("a list of files");
    assert_eq!(expected.len(), 6);
    for (name, expected) in expected {
        let path = testdata("handsbin/invalid").join(format!("{name}.handsbin"));
        for error in [error(&fs::read(&path).unwrap()), open(&path).expect_err("invalid")] {
            let kind = expected["error"].as_str().unwrap().replace('_', "-");
            assert_eq!(error.kind().name(), kind, "{error}");
            assert_eq!(error.offset(), expected["at"].as_u64(), "{error}");
            assert!(error.location().is_some() && error.to_string().contains(&format!("byte {}", expected["at"])));
        }
    }
}

#[test]
fn errors_name_the_frame_and_the_field() {
    let expected = [
        ("truncated", "truncated file: the pose of a joint has 28 bytes, 3 bytes missing (frame 3, byte 6657)"),
        (
            "frame_count_absurd",
            "truncated or damaged file: 2147483647 frames need at least 17179869176 bytes, 5856 follow (header, byte 14)",
        ),
        ("name_length_negative", "invalid length of the name: -1 (header, byte 12)"),
        ("version_3", "unsupported version 3 of the Unity hand capture format; 1 and 2 are supported (header, byte 0)"),
        ("joint_count_zero", "invalid joint count 0; a hand has 26 joints (frame 0, byte 438)"),
        ("trailing_bytes", "5 bytes after the last frame, where the file should end (end, byte 6782)"),
    ];
    for (name, message) in expected {
        assert_eq!(error(&sample(&format!("invalid/{name}.handsbin"))).to_string(), message);
    }
}

#[test]
fn invalid_fields_are_rejected_at_their_byte() {
    let [v1, v2] = small_files();
    // The name is "recording", after a length of one byte.
    let name = 12;
    let layout = name + 10 + 4;
    let frame_count = layout + 4 + 4 + 4 + 320;
    let cases: [(Vec<u8>, usize, &str); 9] = [
        (changed(&v2, name + 3, b"\xff"), name + 3, "not UTF-8"),
        (changed(&v2, name, &[0]), name, "the name is empty"),
        (changed(&v2, name, &[0xff, 0xff, 0xff, 0xff, 0xff]), name, "invalid length of the name"),
        (changed(&v2, layout, &[25]), layout, "invalid joint count 25"),
        (changed(&v2, layout + 7, &[7]), layout + 7, "invalid joint layout"),
        (changed(&v2, frame_count, &(-1_i32).to_le_bytes()), frame_count, "invalid frame count -1"),
        (changed(&v1, 18, &(-5_i32).to_le_bytes()), 18, "invalid frame count -5"),
        (changed(&v1, 27, &[2]), 27, "right tracked is 2, neither 0 nor 1"),
        (changed(&v1, 0, &[0]), 0, "unsupported version 0"),
    ];
    for (bytes, offset, message) in cases {
        let error = error(&bytes);
        assert_eq!(error.offset(), Some(offset as u64), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn every_truncation_is_an_error_within_the_file() {
    for bytes in small_files() {
        for end in 0..bytes.len() {
            let error = error(&bytes[..end]);
            assert_eq!(error.kind(), ErrorKind::Truncated, "{end} bytes: {error}");
            assert!(error.offset().is_some_and(|offset| offset <= end as u64), "{end} bytes: {error}");
            assert!(matches!(error.location(), Some(Location::Header | Location::Frame { .. })));
        }
        read(&bytes);
    }
}

#[test]
fn damaged_file_is_recognized_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = sample("invalid/version_3.handsbin");
    assert_eq!(FileFormat::detect(&damaged), None);
    assert_eq!(from_slice(&damaged).expect_err("unknown").kind(), ErrorKind::NotARecording);
    for (name, kind) in [("take.HandsBin", ErrorKind::UnsupportedVersion), ("take.bin", ErrorKind::NotARecording)] {
        let path = folder.path().join(name);
        fs::write(&path, &damaged).unwrap();
        assert_eq!(open(&path).expect_err("invalid").kind(), kind, "{name}");
    }
}

#[test]
fn other_files_are_not_taken_for_captures() {
    let mut files = 0;
    for folder in ["valid", "invalid", "import"] {
        for entry in fs::read_dir(testdata(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let bytes = fs::read(&path).unwrap();
                let start = &bytes[..bytes.len().min(FileFormat::DETECT_BYTES)];
                assert_ne!(FileFormat::detect(start), Some(FileFormat::Handsbin), "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 40, "only {files} files");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_not_taken_for_captures(version in 1_u8..3, rest in prop::collection::vec(any::<u8>(), 0..4000)) {
        let bytes = [&[version, 0, 0, 0][..], &rest].concat();
        prop_assert_ne!(FileFormat::detect(&bytes), Some(FileFormat::Handsbin));
    }
}
