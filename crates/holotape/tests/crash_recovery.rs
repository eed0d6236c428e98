//! A recorder that is killed at any time loses at most the frame that it was writing.

use std::env;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::{Frame, Recording};
use tempfile::tempdir;

use crate::common::motion::device_frames;

const CHILD_FOLDER: &str = "HOLOTAPE_TEST_RECORD_FOLDER";
const CHILD_ROLLING: &str = "HOLOTAPE_TEST_RECORD_ROLLING";

const ROUNDS: u32 = 50;

/// Short, so that the journal is rotated every few frames.
const ROLLING_SECS: f64 = 0.1;

fn options(is_rolling: bool) -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None).with_keep_last_secs(is_rolling.then_some(ROLLING_SECS))
}

/// The `n`th frame. The camera's x position is `n`.
fn numbered(frames: &[Frame], n: u64) -> Frame {
    let mut frame = frames[n as usize % frames.len()].clone();
    frame.time = n as f64 / 64.0;
    if let Some(camera) = &mut frame.camera {
        camera.position[0] = n as f32;
    }
    frame
}

/// The process that is killed; not a test. It counts the frames that the recorder has accepted.
#[test]
fn child_records_forever() {
    let Some(folder) = env::var_os(CHILD_FOLDER) else { return };
    let folder = Path::new(&folder);
    let options = options(env::var_os(CHILD_ROLLING).is_some());
    let mut recorder = Recorder::start(options.with_journal(folder.join("take.journal"))).expect("starts");
    let mut count = File::create(folder.join("count")).expect("writes");
    let frames = device_frames();
    for n in 0.. {
        recorder.push(&numbered(&frames, n)).expect("records");
        count.rewind().expect("seeks");
        count.write_all(&(n + 1).to_le_bytes()).expect("writes");
    }
}

fn start_child(folder: &Path, is_rolling: bool) -> Child {
    let mut command = Command::new(env::current_exe().expect("known"));
    command.args(["--exact", "crash_recovery::child_records_forever", "--nocapture"]).env(CHILD_FOLDER, folder);
    if is_rolling {
        command.env(CHILD_ROLLING, "");
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
}

/// The number of frames that the child's recorder has accepted, or one less.
fn accepted_count(folder: &Path) -> u64 {
    let bytes = fs::read(folder.join("count")).unwrap_or_default();
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn wait_for_frames(folder: &Path, count: u64) {
    let start = Instant::now();
    while accepted_count(folder) < count {
        assert!(start.elapsed() < Duration::from_secs(60), "the child does not record");
        sleep(Duration::from_micros(50));
    }
}

fn recording_of(frames: &[Frame], count: u64, is_rolling: bool) -> Recording {
    let mut recorder = Recorder::start(options(is_rolling)).expect("starts");
    // Enough frames at the end to fill the window.
    let first = if is_rolling { count.saturating_sub(20) } else { 0 };
    (first..count).for_each(|n| drop(recorder.push(&numbered(frames, n))));
    recorder.stop().recording
}

fn last_number(recording: &Recording) -> Option<u64> {
    let camera = recording.camera.as_ref()?;
    camera.position[0].keys.iter().next_back().map(|key| key.value as u64)
}

fn kill_and_recover(is_rolling: bool) {
    let frames = device_frames();
    let mut random = 1_u32;
    let (mut total, mut torn) = (0, 0);
    for round in 0..ROUNDS {
        let folder = tempdir().expect("a folder");
        let mut child = start_child(folder.path(), is_rolling);
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let min_count = 1 + u64::from(random >> 22);
        wait_for_frames(folder.path(), min_count);
        child.kill().expect("still recording");
        child.wait().expect("ends");

        let accepted = accepted_count(folder.path());
        assert!(accepted >= min_count, "round {round}: {accepted} of {min_count} frames");
        let journal = Journal::open(folder.path().join("take.journal")).expect("a journal");
        let found = last_number(&journal.recording).map_or(0, |number| number + 1);
        // The last frame may be missing, or may not be counted yet.
        assert!(
            (accepted - 1..=accepted + 1).contains(&found),
            "round {round}: recovered {found} of {accepted} frames"
        );
        assert!(journal.recording == recording_of(&frames, found, is_rolling), "round {round}: {found} frames");
        total += found;
        torn += u64::from(journal.dropped_bytes > 0);
    }
    println!("{total} frames, {torn} torn records in {ROUNDS} rounds");
}

#[test]
fn killed_recorder_loses_at_most_one_frame() {
    kill_and_recover(false);
}

#[test]
fn killed_recorder_with_keep_last_loses_at_most_one_frame() {
    kill_and_recover(true);
}
