//! Damaged and malicious logs: errors with their place, never a panic.

use std::sync::OnceLock;

use ::mcap::Compression;
use holotape::ErrorKind;

use super::*;
use crate::isaac::log::{LogBuilder, schemas};

/// The offsets of a message of a hand, as this crate writes it.
const VTABLE: usize = 4;
const TABLE: usize = 12;
const DATA: usize = 40;
const HAND_VTABLE: usize = 44;
const HAND_TABLE: usize = 52;

/// A message of a hand. Written once: tests with every change of a byte need it thousands of times.
fn message() -> Vec<u8> {
    static MESSAGE: OnceLock<Vec<u8>> = OnceLock::new();
    let message = MESSAGE.get_or_init(|| {
        let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.25, 0.5, -1.0])]);
        Log::open(&written(&recording).0).topics["hands/left_hand"][0].data.clone()
    });
    message.clone()
}

/// A log with two messages of a hand, of which the second is the given one.
fn log_with(message_bytes: &[u8], schema: &[u8]) -> Vec<u8> {
    let mut builder = LogBuilder::new(None);
    builder.channel("hands/left_hand", "core.HandPoseRecord", schema);
    builder.message("hands/left_hand", 0, &message());
    builder.message("hands/left_hand", 1_000_000, message_bytes);
    builder.finish()
}

fn error_of(message_bytes: &[u8]) -> String {
    let error = isaac::read(&log_with(message_bytes, &schemas()["core.HandPoseRecord"])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    error.to_string()
}

fn patched(offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut message = message();
    message[offset..offset + bytes.len()].copy_from_slice(bytes);
    message
}

#[test]
fn damaged_messages_are_errors_with_their_place() {
    let cases: [(Vec<u8>, &str); 13] = [
        (Vec::new(), "the root table, at byte 0, is outside of 0 bytes"),
        (message()[..10].to_vec(), "the root table, at byte 0, is outside of 10 bytes"),
        (message()[..50].to_vec(), "the target of a field, at byte 40, is outside of 50 bytes"),
        (message()[..991].to_vec(), "the end of the table at byte 52 is outside of 991 bytes"),
        (patched(0, &u32::MAX.to_le_bytes()), "the root table, at byte 0, is outside of 992 bytes"),
        (patched(TABLE, &i32::MAX.to_le_bytes()), "the vtable of the table at byte 12 is outside of 992 bytes"),
        (patched(TABLE, &i32::MIN.to_le_bytes()), "the vtable of the table at byte 12 is outside of 992 bytes"),
        (patched(VTABLE, &[3, 0]), "the vtable of the table at byte 12 has an invalid size of 3 bytes"),
        (patched(VTABLE, &[0xfe, 0xff]), "the vtable of the table at byte 12 is outside of 992 bytes"),
        (patched(VTABLE + 2, &[0xff, 0xff]), "the end of the table at byte 12 is outside of 992 bytes"),
        (
            patched(VTABLE + 6, &[0xff, 0xff]),
            "field 1 of the table at byte 12 is outside of it: 24 bytes at 65535 of 32",
        ),
        (patched(DATA, &u32::MAX.to_le_bytes()), "the target of a field, at byte 40, is outside of 992 bytes"),
        (
            patched(HAND_VTABLE + 2, &900_u16.to_le_bytes()),
            "field 0 of the table at byte 52 is outside of it: 936 bytes at 4 of 900",
        ),
    ];
    for (bytes, expected) in cases {
        let error = error_of(&bytes);
        let (place, what) = error.split_once(": ").unwrap();
        assert!(place.starts_with("chunk at byte ") && place.ends_with(", record 4"), "{place}");
        assert_eq!(what, format!("message 2 of channel \"hands/left_hand\": {expected}"));
    }
}

#[test]
fn changed_bytes_of_messages_never_panic() {
    let schema = &schemas()["core.HandPoseRecord"];
    for offset in (0..HAND_TABLE + 8).chain([100, 991]) {
        for value in [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff] {
            let _ = isaac::read(&log_with(&patched(offset, &[value]), schema));
        }
    }
}

#[test]
fn other_struct_sizes_are_errors() {
    let original = schemas()["core.HandPoseRecord"].clone();
    let size = original.windows(4).position(|bytes| bytes == 936_i32.to_le_bytes()).unwrap();
    let mut changed = original.clone();
    changed[size..size + 4].copy_from_slice(&900_i32.to_le_bytes());
    let error = isaac::read(&log_with(&message(), &changed)).unwrap_err().to_string();
    let expected =
        "schema core.HandPoseRecord: struct core.HandJoints has 900 bytes; only logs with 936 bytes can be read";
    assert!(error.ends_with(expected), "{error}");
    assert!(isaac::read(&log_with(&message(), &[])).is_ok(), "an empty schema has no sizes");
    for end in 0..original.len() {
        let _ = isaac::read(&log_with(&message(), &original[..end]));
    }
    for offset in 0..original.len() {
        let mut changed = original.clone();
        changed[offset] ^= 0xff;
        let _ = isaac::read(&log_with(&message(), &changed));
    }
}

#[test]
fn truncated_log_is_read_up_to_its_end() {
    let (recording, _) = holotape_convert::from_frames((0..5_u8).map(|n| frame(n.into(), [n.into(), 0.0, 0.0])));
    let (bytes, _) = written(&recording);
    let keys = |bytes: &[u8]| match isaac::read(bytes) {
        Ok((recording, losses)) => {
            let message = format!("dropped the end of the log: it is truncated at byte {}", bytes.len());
            assert_eq!(
                messages(&losses).contains(&message),
                losses.iter().any(|loss| loss.kind() == LossKind::Unusable)
            );
            recording.camera.map_or(0, |camera| camera.position[0].keys.len())
        }
        Err(error) => {
            assert!([ErrorKind::Truncated, ErrorKind::NotARecording].contains(&error.kind()), "{error}");
            0
        }
    };
    let mut last = 0;
    for end in 0..bytes.len() {
        let count = keys(&bytes[..end]);
        assert!(count >= last, "{end}: more bytes give at least as many messages");
        last = count;
    }
    assert_eq!(last, 5);
    assert_eq!(keys(&bytes), 5);
}

#[test]
fn changed_bytes_of_logs_never_panic() {
    let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.0; 3])]);
    let plain = written(&recording).0;
    let compressed = crate::isaac::log::rewritten(&plain, Some(Compression::Zstd), |topic| Some(topic.to_owned()));
    for bytes in [plain, compressed] {
        for offset in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[offset] ^= change;
                let _ = isaac::read(&changed);
            }
        }
    }
}

#[test]
fn damaged_chunks_are_errors_with_their_place() {
    let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.0; 3])]);
    let (bytes, _) = written(&recording);
    let joint = bytes.windows(4).position(|window| window == 0.025_f32.to_le_bytes()).unwrap();
    let mut changed = bytes.clone();
    changed[joint] ^= 1;
    let error = isaac::read(&changed).unwrap_err().to_string();
    assert!(error.starts_with("chunk at byte ") && error.ends_with("; the file is damaged"), "{error}");
    let mut unknown = LogBuilder::new(None);
    unknown.channel("head", "core.HeadPoseRecord", &[]);
    unknown.message("head", 0, &[]);
    let mut unknown = unknown.finish();
    // The schema number of the channel, between its own number and its topic.
    let topic = unknown.windows(8).position(|window| window == b"\x04\0\0\0head").unwrap();
    unknown[topic - 2] = 9;
    let error = isaac::read(&unknown).unwrap_err().to_string();
    assert!(error.ends_with(", record 2: channel \"head\" has the unknown schema 9"), "{error}");
}

#[test]
fn other_compressions_are_errors() {
    let mut bytes = LogBuilder::new(Some(Compression::Zstd));
    bytes.channel("head", "core.HeadPoseRecord", &[]);
    bytes.message("head", 0, &[]);
    let mut bytes = bytes.finish();
    let name = bytes.windows(4).position(|window| window == b"zstd").unwrap();
    bytes[name..name + 4].copy_from_slice(b"lz4x");
    let error = isaac::read(&bytes).unwrap_err().to_string();
    assert!(error.ends_with("unsupported compression lz4x; decompress the log with `mcap decompress`"), "{error}");
}

/// Accepts a limited number of bytes.
struct FullDisk(usize);

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("the disk is full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disk_is_an_error() {
    let recording = demo();
    let size = written(&recording).0.len();
    for capacity in [0, 100, size / 2, size - 1] {
        let error = isaac::write(&recording, Timing::Keys, FullDisk(capacity)).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, "the disk is full"));
    }
    assert!(isaac::write(&recording, Timing::Keys, FullDisk(size)).is_ok());
}
