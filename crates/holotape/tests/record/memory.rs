//! The memory of a recorder.

use holotape::record::Recorder;

use crate::alloc::peak_during;
use crate::common::motion::device_frames_for;
use crate::record::uncapped;

/// The maximum size of a complete frame.
const FRAME_BYTES: usize = 1600;

/// The size of the allocations of a recorder.
const CHUNK_BYTES: usize = 256 << 10;

#[test]
fn memory_grows_linearly_with_frames() {
    let frames = device_frames_for(60);
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    let mut largest = 0;
    let total = peak_during(|| {
        for frame in &frames {
            largest = largest.max(peak_during(|| drop(recorder.push(frame))));
        }
    });
    assert_eq!(recorder.status().frame_count, 3600);
    // Besides a chunk, the list of chunks grows occasionally.
    assert!(largest <= CHUNK_BYTES + 4096, "one push took {largest} bytes");
    assert!(total <= frames.len() * FRAME_BYTES + CHUNK_BYTES, "{} frames took {total} bytes", frames.len());
    assert!(total >= frames.len() * FRAME_BYTES / 2, "{total} bytes cannot be right");
}

#[test]
fn keep_last_bounds_the_memory_of_a_recorder() {
    let frames = device_frames_for(60);
    let mut recorder = Recorder::start(uncapped().with_keep_last_secs(Some(5.0))).expect("starts");
    let total = peak_during(|| frames.iter().for_each(|frame| drop(recorder.push(frame))));
    assert!(total <= 5 * 60 * FRAME_BYTES + 3 * CHUNK_BYTES, "{total} bytes");
}
