//! Truncated, damaged and hostile journals.

use std::fs;

use holotape::record::Journal;
use holotape::{ErrorKind, Recording};
use proptest::prelude::*;

use crate::alloc::peak_during;
use crate::journal::{HEADER_BYTES, events, frame_count, journal_of_events, place, recording_of_events};

#[test]
fn truncated_journal_keeps_all_complete_records() {
    let (bytes, ends) = journal_of_events();
    let events = events();
    for cut in 0..=bytes.len() {
        let journal = Journal::from_reader(&bytes[..cut]);
        if cut < HEADER_BYTES {
            let error = journal.expect_err("no header");
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, Some(cut as u64)), "cut at {cut}");
            continue;
        }
        let journal = journal.expect("a journal");
        let whole = ends.iter().filter(|end| **end <= cut).count();
        let end = if whole == 0 { HEADER_BYTES } else { ends[whole - 1] };
        assert_eq!(journal.frame_count, frame_count(&events[..whole]), "cut at {cut}");
        assert_eq!(journal.dropped_bytes, (cut - end) as u64, "cut at {cut}");
        assert!(journal.recording == recording_of_events(&events[..whole]), "cut at {cut}");
    }
}

#[test]
fn every_bit_flip_drops_only_its_record() {
    let (mut bytes, ends) = journal_of_events();
    let events = events();
    let mut start = HEADER_BYTES;
    for (n, &end) in ends.iter().enumerate() {
        let others = events.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, event)| event);
        let without = recording_of_events(others);
        for at in start..end {
            for mask in [0x01, 0x80, 0xff] {
                bytes[at] ^= mask;
                let journal = Journal::from_reader(&bytes[..]).expect("a journal");
                bytes[at] ^= mask;
                // After a wrong length the next record cannot be found.
                if at - start < 4 {
                    assert!(journal.dropped_bytes >= (end - start) as u64, "byte {at}");
                    assert!(journal.frame_count >= frame_count(&events[..n]), "byte {at}");
                } else {
                    assert_eq!(journal.dropped_bytes, (end - start) as u64, "byte {at}");
                    assert!(journal.recording == without, "byte {at}");
                }
            }
        }
        start = end;
    }
}

#[test]
fn every_header_flip_is_an_error_or_harmless() {
    let (mut bytes, _) = journal_of_events();
    let whole = recording_of_events(&events());
    for at in 0..HEADER_BYTES {
        for mask in [0x01, 0x80, 0xff] {
            bytes[at] ^= mask;
            let journal = Journal::from_reader(&bytes[..]);
            bytes[at] ^= mask;
            match at {
                0..8 => assert_eq!(journal.expect_err("no magic").kind(), ErrorKind::NotARecording),
                8..12 => assert_eq!(journal.expect_err("which version?").kind(), ErrorKind::UnsupportedVersion),
                _ => {
                    let journal = journal.expect("a journal");
                    assert_eq!(journal.dropped_bytes, HEADER_BYTES as u64);
                    assert!(journal.recording == whole, "byte {at}");
                }
            }
        }
    }
}

/// A record as documented, with a bitwise checksum.
fn sealed(payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    let crc = !length
        .iter()
        .chain(payload)
        .fold(!0_u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1))));
    [&length, &crc.to_le_bytes(), payload].concat()
}

fn frame_payload(time: f64, present: u64, values: &[f32]) -> Vec<u8> {
    let values = values.iter().flat_map(|value| value.to_le_bytes());
    [1].into_iter().chain(time.to_le_bytes()).chain(present.to_le_bytes()).chain(values).collect()
}

fn marker_payload(time: f64, name: &[u8]) -> Vec<u8> {
    [2].into_iter().chain(time.to_le_bytes()).chain(name.iter().copied()).collect()
}

const CAMERA: u64 = 1;
const GAZE: u64 = 1 << 55;

#[test]
fn invalid_record_with_a_valid_checksum_is_dropped() {
    let (bytes, ends) = journal_of_events();
    let header = &bytes[..HEADER_BYTES];
    let pose = [0.5; 7];
    let nonsense = [
        vec![],
        vec![1],
        frame_payload(2.0, CAMERA, &pose)[..9].to_vec(),
        frame_payload(f64::NAN, CAMERA, &pose),
        frame_payload(f64::INFINITY, CAMERA, &pose),
        frame_payload(1.0, CAMERA, &pose),
        frame_payload(0.5, CAMERA, &pose),
        frame_payload(2.0, CAMERA, &pose[..6]),
        frame_payload(2.0, CAMERA | GAZE, &pose),
        frame_payload(2.0, CAMERA | 1 << 60, &pose),
        frame_payload(2.0, u64::MAX, &pose),
        frame_payload(2.0, CAMERA, &[0.5, 0.5, 0.5, f32::NAN, 0.5, 0.5, 0.5]),
        [frame_payload(2.0, CAMERA, &pose), vec![0]].concat(),
        marker_payload(2.0, b"\xff"),
        marker_payload(f64::NAN, b"never"),
        [3].into_iter().chain(2.0_f64.to_le_bytes()).collect(),
    ];
    let good = [sealed(&frame_payload(1.0, CAMERA, &pose)), sealed(&frame_payload(3.0, CAMERA, &pose))];
    for payload in nonsense {
        let bad = sealed(&payload);
        let journal = Journal::from_reader(&[header, &good[0], &bad, &good[1]].concat()[..]).expect("a journal");
        assert_eq!((journal.frame_count, journal.dropped_bytes), (2, bad.len() as u64), "{payload:?}");
        assert_eq!(journal.recording.duration_secs(), 2.0);
        assert!(journal.recording.markers.is_empty());
    }
    assert!(ends[0] > HEADER_BYTES);
}

#[test]
fn trailing_zeros_are_not_records() {
    let (mut bytes, _) = journal_of_events();
    let whole = bytes.len();
    bytes.resize(whole + 100_001, 0);
    let journal = Journal::from_reader(&bytes[..]).expect("a journal");
    assert_eq!((journal.frame_count, journal.dropped_bytes), (12, 100_001));
}

#[test]
fn hostile_lengths_allocate_no_memory() {
    let (mut bytes, _) = journal_of_events();
    bytes.truncate(HEADER_BYTES);
    for length in [u32::MAX, 1 << 31, 65_537, 65_536, 9, 0] {
        let mut hostile = bytes.clone();
        while hostile.len() < 1 << 20 {
            hostile.extend(length.to_le_bytes());
            hostile.extend([0; 4]);
        }
        let peak = peak_during(|| {
            let journal = Journal::from_reader(&hostile[..]).expect("a journal");
            assert_eq!(journal.dropped_bytes, (hostile.len() - HEADER_BYTES) as u64);
        });
        assert!(peak < 512 << 10, "{peak} bytes for lengths of {length}");
    }
}

#[test]
fn files_that_are_not_journals_are_rejected() {
    let (_folder, path) = place();
    fs::write(&path, "dear diary").expect("writes");
    let error = Journal::open(&path).expect_err("no journal");
    assert_eq!(error.kind(), ErrorKind::NotARecording);
    assert!(error.to_string().contains("take.journal: not a journal"), "{error}");
    let missing = Journal::open(path.with_extension("none")).expect_err("nothing there");
    assert_eq!((missing.kind(), missing.path().is_some()), (ErrorKind::Io, true));
    let (bytes, _) = journal_of_events();
    assert!(Recording::from_slice(&bytes).expect_err("a journal").to_string().contains("holotape repair"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_bytes_are_a_journal_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
        has_magic in any::<bool>(),
    ) {
        let start = if has_magic { [&b"holojrnl"[..], &[1, 0, 0, 0]].concat() } else { vec![] };
        let bytes = [start, bytes].concat();
        if let Ok(journal) = Journal::from_reader(&bytes[..]) {
            prop_assert!(journal.dropped_bytes <= bytes.len() as u64);
        }
    }
}
