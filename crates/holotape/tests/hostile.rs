//! Hostile bytes: every truncation and every flipped byte of a small file, absurd counts, and fuzzing regressions. No
//! panic, and no more memory than a small multiple of the input.

use std::fs;
use std::io::Cursor;

use holotape::format::Index;
use holotape::{ErrorKind, Recording};

use crate::alloc::peak_during;
use crate::common::{bin_files, properties, small_file, testdata};

/// The curve headers of a recording need this much, however small the file.
const EMPTY_RECORDING_BYTES: usize = 256 << 10;

fn opening_allocates_a_small_multiple_of_the_file(bytes: &[u8]) {
    let peak = peak_during(|| drop(Recording::from_slice(bytes)));
    let allowed = EMPTY_RECORDING_BYTES + 8 * bytes.len();
    assert!(peak <= allowed, "{} bytes of input took {peak} bytes of memory", bytes.len());
}

#[test]
fn every_truncation_is_an_error_or_a_recording() {
    let whole = small_file();
    let mut opened = 0;
    for end in 0..=whole.len() {
        properties::all(&whole[..end]);
        opening_allocates_a_small_multiple_of_the_file(&whole[..end]);
        opened += usize::from(Recording::from_slice(&whole[..end]).is_ok());
    }
    // The complete file, and the file truncated before its marker list, which is valid too.
    assert_eq!(opened, 2);
}

#[test]
fn every_single_byte_flip_is_an_error_or_a_recording() {
    let mut bytes = small_file();
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80, 0xff] {
            bytes[at] ^= mask;
            properties::all(&bytes);
            opening_allocates_a_small_multiple_of_the_file(&bytes);
            bytes[at] ^= mask;
        }
    }
}

#[test]
fn every_value_of_every_byte_of_the_structure_is_an_error_or_a_recording() {
    // All 255 other values in the most sensitive bytes: header, flags, the first curves, the markers.
    let mut bytes = fs::read(testdata("valid/mrtk28_no_channels.bin")).expect("readable");
    for at in 0..bytes.len() {
        let original = bytes[at];
        for value in 0..=255 {
            bytes[at] = value;
            properties::all(&bytes);
            opening_allocates_a_small_multiple_of_the_file(&bytes);
        }
        bytes[at] = original;
    }
}

#[test]
fn declared_counts_allocate_nothing() {
    for (name, bytes) in bin_files("invalid") {
        println!("{name}");
        properties::all(&bytes);
        opening_allocates_a_small_multiple_of_the_file(&bytes);
    }
}

#[test]
fn many_tiny_markers_allocate_a_small_multiple() {
    let mut bytes = fs::read(testdata("valid/mrtk28_no_channels.bin")).expect("readable");
    bytes.truncate(19);
    let count = (1 << 20) + 1_i32;
    bytes.extend(count.to_le_bytes());
    bytes.extend(std::iter::repeat_n([0; 5], count as usize).flatten());
    opening_allocates_a_small_multiple_of_the_file(&bytes);
    assert_eq!(Recording::from_slice(&bytes).expect("valid").markers.len(), count as usize);
}

#[cfg(feature = "json")]
#[test]
fn json_allocates_a_small_multiple_of_the_input() {
    let document = |keys: &str| {
        format!(
            r#"{{"holotape":1,"version":[1,1],"key_layout":"compact","marker_list":true,"markers":[],
                "channels":{{"camera":true,"hands":false,"gaze":false}},
                "curves":{{"camera.position.x":{{"pre_wrap":8,"post_wrap":8,"keys":{keys}}}}}}}"#
        )
    };
    let many = |what: &str| format!("[{what}{}]", format!(",{what}").repeat(500_000));
    for keys in [many("[0,0]"), many("[0,0,0,0,0,0,0]"), format!("[{}]", many("1")), many("[]"), "[".repeat(500_000)] {
        let json = document(&keys);
        let peak = peak_during(|| drop(Recording::from_json_slice(json.as_bytes())));
        let allowed = EMPTY_RECORDING_BYTES + 8 * json.len();
        assert!(peak <= allowed, "{} bytes of JSON took {peak} bytes of memory", json.len());
    }
}

#[test]
fn files_are_read_and_written_in_chunks() {
    let recording = holotape::demo::DemoOptions::new().with_seconds(30.0).generate().expect("a demo");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    let writing = peak_during(|| assert!(recording.save(&path).expect("saves").is_empty()));
    assert!(writing < 512 << 10, "writing took {writing} bytes");
    let length = fs::metadata(&path).expect("there").len() as usize;
    let reading = peak_during(|| assert_eq!(Recording::open(&path).expect("opens"), recording));
    assert!(reading < length * 5 / 4, "reading {length} bytes took {reading}");
}

#[test]
fn markers_of_a_file_that_became_shorter_are_an_error() {
    let bytes = fs::read(testdata("valid/mrtk28_right_hand_markers.bin")).expect("readable");
    let index = Index::from_slice(&bytes).expect("valid");
    assert!(index.marker_count() > 0);
    for end in [0, 12, bytes.len() / 2, bytes.len() - 1] {
        let error = index.read_markers(Cursor::new(&bytes[..end])).expect_err("truncated");
        assert_eq!(error.kind(), ErrorKind::Truncated, "{end}: {error}");
    }
}

#[test]
fn fuzzing_regressions_stay_fixed() {
    let files = bin_files("regressions");
    assert!(!files.is_empty());
    for (name, bytes) in files {
        println!("{name}");
        properties::all(&bytes);
        properties::salvage_is_valid(&bytes);
        properties::opened_recording_operations(&bytes);
        properties::journals_never_panic(&bytes);
    }
}

#[test]
fn damaged_recordings_can_be_worked_on_and_repaired() {
    for (name, bytes) in bin_files("valid") {
        println!("{name}");
        properties::opened_recording_operations(&bytes);
        properties::salvage_is_valid(&bytes);
    }
    let mut bytes = small_file();
    // Testing every byte would take minutes; a step coprime to the key size covers every byte of a key.
    for at in (0..bytes.len()).step_by(37) {
        bytes[at] ^= 0xff;
        properties::opened_recording_operations(&bytes);
        properties::salvage_is_valid(&bytes);
        bytes[at] ^= 0xff;
    }
}
