//! A recorder that is killed, at whatever moment, loses at most the frame that it was taking.

mod common;

use std::env;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::motion::device_frames;
use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::{Frame, Recording};
use tempfile::tempdir;

const CHILD_FOLDER: &str = "HOLOTAPE_TEST_RECORD_FOLDER";
const CHILD_ROLLING: &str = "HOLOTAPE_TEST_RECORD_ROLLING";

const ROUNDS: u32 = 50;

/// Short, so that a part of the journal takes the place of another every few frames.
const ROLLING_SECS: f64 = 0.1;

fn options(is_rolling: bool) -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None).with_keep_last_secs(is_rolling.then_some(ROLLING_SECS))
}

/// Frames that tell their number, for ever.
fn numbered(frames: &[Frame], n: u64) -> Frame {
    let mut frame = frames[n as usize % frames.len()].clone();
    frame.time = n as f64 / 64.0;
    if let Some(camera) = &mut frame.camera {
        camera.position[0] = n as f32;
    }
    frame
}

/// Not a test of its own: what the killed process does, when told to. It counts the frames that the recorder has taken.
#[test]
fn child_records_for_ever() {
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
    command.args(["--exact", "child_records_for_ever", "--nocapture"]).env(CHILD_FOLDER, folder);
    if is_rolling {
        command.env(CHILD_ROLLING, "");
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
}

/// How many frames the child's recorder has taken: never more than it really has.
fn counted(folder: &Path) -> u64 {
    let bytes = fs::read(folder.join("count")).unwrap_or_default();
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn wait_for_first_frame(folder: &Path) {
    let start = Instant::now();
    while counted(folder) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the child does not record");
        sleep(Duration::from_millis(1));
    }
}

fn recording_of(frames: &[Frame], count: u64, is_rolling: bool) -> Recording {
    let mut recorder = Recorder::start(options(is_rolling)).expect("starts");
    // Enough of the end to fill the window.
    let first = if is_rolling { count.saturating_sub(20) } else { 0 };
    (first..count).for_each(|n| drop(recorder.push(&numbered(frames, n))));
    recorder.stop().recording
}

fn last_number(recording: &Recording) -> Option<u64> {
    let camera = recording.camera.as_ref()?;
    camera.position[0].keys.iter().next_back().map(|key| key.value as u64)
}

fn nothing_but_the_last_frame_is_lost(is_rolling: bool) {
    let frames = device_frames();
    let mut random = 1_u32;
    let (mut total, mut torn) = (0, 0);
    for round in 0..ROUNDS {
        let folder = tempdir().expect("a folder");
        let mut child = start_child(folder.path(), is_rolling);
        wait_for_first_frame(folder.path());
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sleep(Duration::from_micros(u64::from(random >> 18)));
        child.kill().expect("still recording");
        child.wait().expect("ends");

        let taken = counted(folder.path());
        let journal = Journal::open(folder.path().join("take.journal")).expect("a journal");
        // None, if it was killed just after the first.
        let found = last_number(&journal.recording).map_or(0, |number| number + 1);
        // Of those that were taken, all but the last; and perhaps one that nobody has counted yet.
        assert!((taken - 1..=taken + 1).contains(&found), "round {round}: {found} frames of {taken} are left");
        assert!(journal.recording == recording_of(&frames, found, is_rolling), "round {round}: {found} frames");
        total += found;
        torn += u64::from(journal.dropped_bytes > 0);
    }
    println!("{total} frames, {torn} torn records in {ROUNDS} rounds");
    assert!(total > u64::from(ROUNDS) * 10, "{total} frames are too few to have been killed among");
}

#[test]
fn killed_fifty_times() {
    nothing_but_the_last_frame_is_lost(false);
}

#[test]
fn killed_fifty_times_with_a_rolling_limit() {
    nothing_but_the_last_frame_is_lost(true);
}
