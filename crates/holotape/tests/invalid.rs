//! Invalid files give the right error kind, location and message.

use std::fs;

use holotape::format::{Index, MAGIC};
use holotape::{ErrorKind, Location, Recording};
use serde_json::Value;

use crate::common::{bin_files, small_file, testdata};

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Io => "io",
        ErrorKind::NotARecording => "not_a_recording",
        ErrorKind::UnsupportedVersion => "unsupported_version",
        ErrorKind::Truncated => "truncated",
        ErrorKind::Invalid => "invalid",
        ErrorKind::LimitExceeded => "limit_exceeded",
        _ => "unknown",
    }
}

#[test]
fn every_invalid_file_gives_its_error_kind() {
    let expected = fs::read(testdata("invalid/expected.json")).expect("readable");
    let expected: Value = serde_json::from_slice(&expected).expect("valid JSON");
    let files = bin_files("invalid");
    assert_eq!(files.len(), expected.as_object().expect("an object").len());
    for (name, bytes) in files {
        let error = Recording::from_slice(&bytes).expect_err(&name);
        println!("{name}: {error}");
        assert_eq!(kind_name(error.kind()), expected[&name]["error"], "{name}: {error}");
        assert!(error.offset().is_some() && error.location().is_some(), "{name}: {error}");
        let error = Index::open(testdata("invalid").join(format!("{name}.bin"))).expect_err(&name);
        assert_eq!(kind_name(error.kind()), expected[&name]["error"], "{name}: {error}");
        assert!(error.path().is_some());
    }
}

fn message(bytes: &[u8]) -> String {
    Recording::from_slice(bytes).expect_err("broken").to_string()
}

/// The header, all channels, and empty curves up to the tested one.
fn file_up_to(curve: &str) -> Vec<u8> {
    let whole = holotape::format::Channels::ALL;
    let before = holotape::CurveId::all(whole).take_while(|id| id.to_string() != curve).count();
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1]);
    for _ in 0..before {
        bytes.extend([8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
    }
    bytes
}

#[test]
fn truncation_error_names_hand_joint_component_and_key() {
    let mut bytes = file_up_to("left.IndexTip.rotation.w");
    bytes.extend([8, 0, 0, 0, 8, 0, 0, 0, 100, 0, 0, 0]);
    let count_at = bytes.len() - 4;
    bytes.extend([0; 41 * 8 + 3]);
    assert_eq!(
        message(&bytes),
        format!(
            "truncated file: expected 100 keys (by the count at byte {count_at}), 469 bytes are missing (left IndexTip \
             rotation.w, key 41, byte {})",
            bytes.len()
        )
    );
}

#[test]
fn negative_count_is_reported_with_its_offset() {
    let mut bytes = file_up_to("right.tracked");
    bytes.extend([8, 0, 0, 0, 8, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    let error = Recording::from_slice(&bytes).expect_err("broken");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.offset(), Some(bytes.len() as u64 - 4));
    assert!(error.to_string().contains("invalid key count -2"), "{error}");
    assert!(matches!(error.location(), Some(Location::Curve { key: None, .. })));
}

#[test]
fn flags_are_0_or_1() {
    let mut bytes = small_file();
    bytes[17] = 2;
    assert_eq!(message(&bytes), "the flag for hand data is 2, neither 0 nor 1 (channel flags, byte 17)");
}

#[test]
fn name_lengths_have_one_form() {
    let with_length = |length: &[u8], name: &[u8]| {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(length);
        bytes.extend(name);
        Recording::from_slice(&bytes)
    };
    assert_eq!(with_length(&[0x80, 1], &[b'x'; 128]).expect("the shortest form").markers[0].name.len(), 128);
    assert_eq!(with_length(&[0], &[]).expect("an empty name").markers[0].name, "");
    for (length, message) in [
        (&[0x81, 0][..], "padded with zeros"),
        (&[0x80, 0], "padded with zeros"),
        (&[0xff, 0xff, 0xff, 0xff, 0x08], "does not fit 32 bits"),
        (&[0xff, 0xff, 0xff, 0xff, 0xff, 0], "does not fit 32 bits"),
    ] {
        let error = with_length(length, b"x").expect_err(message);
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Invalid, Some(27)), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn other_file_types_are_recognized() {
    for (bytes, word) in [
        (&b"HL2SSV23........"[..], "hl2ss"),
        (b"glTF\x02\0\0\0........", "glTF"),
        (b"PK\x03\x04............", "ZIP"),
        (b"\x1f\x8b\x08.............", "gzip"),
        (b"{\"holotape\": 1}", "JSON"),
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS"),
        (&[0; 64], "zeros"),
        (b"\x08\0\0\0\x08\0\0\0\x03\0\0\0", "no header"),
        (b"\xff\xfe{\0\"\0", "UTF-16"),
        (b"%YAML 1.1\n%TAG", "Unity"),
        (b"hello", "text"),
        (b"\x7fELF\x02\x01\x01\0", "magic number"),
    ] {
        let error = Recording::from_slice(bytes).expect_err(word);
        assert_eq!(error.kind(), ErrorKind::NotARecording, "{error}");
        assert!(error.to_string().contains(word), "{error}");
        let streamed = Recording::from_reader(bytes).expect_err(word);
        assert_eq!(streamed.to_string(), error.to_string(), "the same from a pipe");
    }
}

#[test]
fn file_matching_no_layout_reports_the_error_of_the_longer_match() {
    // A custom section between gaze and markers: 19 bytes that are not a marker list.
    let mut bytes = small_file();
    let markers_at = bytes.len() - 4;
    bytes.splice(markers_at..markers_at, *b"\x01\0\0\0scene objects...");
    let error = Recording::from_slice(&bytes).expect_err("broken");
    assert!(matches!(error.location(), Some(Location::Marker { .. } | Location::End)), "{error}");
    // The same with full keys.
    let mut bytes = fs::read(testdata("valid/documented11_full_keys_with_markers.bin")).expect("readable");
    let markers_at = bytes.len() - 10;
    bytes.splice(markers_at..markers_at, *b"\x01\0\0\0scene objects...");
    let error = Recording::from_slice(&bytes).expect_err("broken");
    assert!(matches!(error.location(), Some(Location::Marker { .. } | Location::End)), "{error}");
}

#[test]
fn errors_name_a_directory_or_missing_file() {
    let error = Recording::open(testdata("valid")).expect_err("a directory");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("valid: "), "{error}");
    let error = Recording::open("no/such/take.bin").expect_err("missing");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("take.bin: "), "{error}");
}
