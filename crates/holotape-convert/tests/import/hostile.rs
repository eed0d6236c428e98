//! Malicious bytes cause no panic, and do not need more memory than a small multiple of the input.

use std::fs;

use holotape::Recording;
use holotape_convert::{Losses, aria_mps, egodex, from_slice, handsbin, hl2ss, psi, stream_recorder, vision_pro};
use proptest::prelude::*;

use crate::alloc::peak_during;
use crate::import::testdata;

/// The memory of the tracks and curve headers of an empty recording.
const EMPTY_RECORDING_BYTES: usize = 256 << 10;

/// The shortest gaze row has 14 bytes, its six keys 48, and their source is in memory at the same time.
const MAX_INPUT_MULTIPLE: usize = 8;

/// The shortest pose of a trajectory has 16 bytes. It is in memory to place the hands, as a row of the builder, and as
/// seven keys.
const MAX_TABLE_MULTIPLE: usize = 24;

/// Groups of an HDF5 file are searched for each dataset, whatever its size.
const MAX_HDF5_BYTES: usize = 32 << 20;

fn read_all(bytes: &[u8]) {
    type Reader = fn(&[u8]) -> holotape::Result<(Recording, Losses)>;
    let max_bytes = EMPTY_RECORDING_BYTES + MAX_INPUT_MULTIPLE * bytes.len();
    let max_table_bytes = EMPTY_RECORDING_BYTES + MAX_TABLE_MULTIPLE * bytes.len();
    let readers: [(Reader, usize); 7] = [
        (handsbin::read, max_bytes),
        (hl2ss::read, max_bytes),
        (stream_recorder::read, max_bytes),
        (psi::read, max_bytes),
        (vision_pro::read, max_table_bytes),
        (aria_mps::read, max_table_bytes),
        (egodex::read, MAX_HDF5_BYTES),
    ];
    for (read, allowed) in readers {
        let peak = peak_during(|| drop(read(bytes)));
        assert!(peak <= allowed, "{} bytes of input took {peak} bytes of memory", bytes.len());
    }
    drop(from_slice(bytes));
}

/// Opens the bytes as a file with a name that implies its kind.
fn open_as(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("written");
    drop(psi::open(&path));
    drop(holotape_convert::open(&path));
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(testdata(name)).expect("readable")
}

const SAMPLES: [(&str, &str); 13] = [
    ("../handsbin/invalid/trailing_bytes.handsbin", "x.handsbin"),
    ("hl2ss_spatial_input.bin", "x.bin"),
    ("stream_recorder_head_hand_eye.csv", "x.csv"),
    ("psi/Head/Head.txt", "Head.txt"),
    ("psi/Eyes/Eyes.txt", "Eyes.txt"),
    ("holoassist/Export_py/Hands/Left_sync.txt", "Left.txt"),
    ("psi_stereokit/Hands/Left.txt", "Right.txt"),
    ("vision_pro/tracking.jsonl", "tracking.jsonl"),
    ("aria_mps/hand_tracking/hand_tracking_results.csv", "hand_tracking_results.csv"),
    ("aria_mps/slam/closed_loop_trajectory.csv", "closed_loop_trajectory.csv"),
    ("aria_mps/eye_gaze/general_eye_gaze.csv", "x.csv"),
    ("egodex/hand.hdf5", "0.hdf5"),
    ("egodex/compressed_hand.hdf5", "0.hdf5"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_handled(bytes in prop::collection::vec(any::<u8>(), 0..4096), port in 3810_u16..3820) {
        read_all(&bytes);
        let header = crate::import::build::hl2ss::header(b"HL2SSV23", port, b"");
        read_all(&[&header[..], &bytes].concat());
    }

    #[test]
    fn any_table_is_handled(text in "([0-9]{1,3}|nan|-|1e[0-9]{3}|[\t\n,]){0,400}") {
        read_all(text.as_bytes());
        open_as("Left.txt", text.as_bytes());
    }

    #[test]
    fn any_change_is_handled(index in 0..SAMPLES.len(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let (name, as_name) = SAMPLES[index];
        let mut bytes = sample(name);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read_all(&bytes);
        open_as(as_name, &bytes);
    }

    #[test]
    fn any_truncation_is_handled(index in 0..SAMPLES.len(), end in any::<prop::sample::Index>()) {
        let (name, as_name) = SAMPLES[index];
        let bytes = sample(name);
        let bytes = &bytes[..end.index(bytes.len())];
        read_all(bytes);
        open_as(as_name, bytes);
    }
}

#[test]
fn extreme_times_are_handled() {
    let poses = "tracking_timestamp_us,tx_world_device,ty_world_device,tz_world_device,qx_world_device,qy_world_device,\
                 qz_world_device,qw_world_device\n";
    for [first, second] in [[i64::MIN, i64::MAX], [0, i64::MAX], [i64::MAX, i64::MIN]] {
        read_all(format!("{poses}{first},0,0,0,0,0,0,1\n{second},1e300,0,0,0,0,0,1\n").as_bytes());
    }
    read_all(b"{\"timestamp\":-1e308}\n{\"timestamp\":1e308}\n{\"timestamp\":0}\n");
}

#[test]
fn short_rows_need_limited_memory() {
    let poses: String = (0..5000).map(|n| format!("{n},0,0,0,0,0,0,1\n")).collect();
    read_all(format!("tracking_timestamp_us,tx_world_device,ty_world_device,tz_world_device,qx_world_device,qy_world_device,qz_world_device,qw_world_device\n{poses}").as_bytes());
    let eyes: String = (0..20_000).map(|n| format!("{n}\t0\t0\t0\t1\t0\t0\n")).collect();
    read_all(eyes.as_bytes());
    read_all(&[b'\n'; 100_000]);
    read_all(&[b'\t'; 100_000]);
    read_all(&[b','; 860]);
}
