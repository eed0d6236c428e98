//! A journal recovers every complete record, whatever happens to the rest.

mod damaged;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use holotape::format::Channels;
use holotape::record::{Journal, PushOutcome, Recorder, RecorderOptions, journal_path};
use holotape::{ErrorKind, Frame, Recording};
use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::common::motion::device_frames_for;

const HEADER_BYTES: usize = 33;

fn uncapped() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

/// A folder and the path of a journal in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.journal");
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A small frame, for tests that modify every byte.
fn small(n: u32) -> Frame {
    let mut frame = device_frames_for(1)[n as usize].clone();
    for hand in [&mut frame.left, &mut frame.right].into_iter().flatten() {
        hand.joints[2..].fill(None);
    }
    frame
}

enum Event {
    Frame(Box<Frame>),
    Marker(f64, &'static str),
}

fn events() -> Vec<Event> {
    let mut events: Vec<_> = (0..12).map(|n| Event::Frame(Box::new(small(n)))).collect();
    events.insert(3, Event::Marker(0.04, "grabbed the cup"));
    events.insert(9, Event::Marker(0.1, ""));
    events
}

fn play(recorder: &mut Recorder, event: &Event) {
    match event {
        Event::Frame(frame) => assert_eq!(recorder.push(frame).expect("records"), PushOutcome::Accepted),
        Event::Marker(time, name) => recorder.add_marker(*time, name).expect("set"),
    }
}

fn recording_of_events<'a>(events: impl IntoIterator<Item = &'a Event>) -> Recording {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    events.into_iter().for_each(|event| play(&mut recorder, event));
    recorder.stop().recording
}

fn frame_count(events: &[Event]) -> u64 {
    events.iter().filter(|event| matches!(event, Event::Frame(_))).count() as u64
}

/// A journal with all kinds of records, and the end offset of each.
fn journal_of_events() -> (Vec<u8>, Vec<usize>) {
    let (_folder, path) = place();
    let mut recorder = Recorder::start(uncapped().with_journal(&path)).expect("starts");
    let length = || fs::metadata(&path).expect("there").len() as usize;
    assert_eq!(length(), HEADER_BYTES);
    let mut before = HEADER_BYTES;
    let ends = events().into_iter().map(|event| {
        play(&mut recorder, &event);
        // The record may still be being written when the call returns. It is written in one piece.
        while length() == before {
            std::thread::yield_now();
        }
        before = length();
        before
    });
    let ends = ends.collect();
    (fs::read(&path).expect("readable"), ends)
}

#[test]
fn journal_is_removed_only_after_saving() {
    let (folder, path) = place();
    let target = folder.path().join("take.bin");
    assert_eq!(journal_path(&target), path);
    let mut recorder = Recorder::start(uncapped().with_journal(&path)).expect("starts");
    events().iter().for_each(|event| play(&mut recorder, event));
    let mut finished = recorder.stop();
    assert!(Journal::open(&path).expect("still there").recording == finished.recording);

    assert!(finished.save(folder.path().join("no/such/take.bin")).is_err());
    assert!(path.exists(), "saving failed");
    assert!(finished.save(&target).expect("saves").is_empty());
    assert_eq!(names(folder.path()), ["take.bin"]);
    assert!(Recording::open(&target).expect("opens") == finished.recording);
    assert!(finished.save(&target).expect("saves again").is_empty());
}

#[test]
fn recording_saved_over_its_journal_is_kept() {
    let (folder, path) = place();
    let mut finished = Recorder::start(uncapped().with_journal(&path)).expect("starts").stop();
    assert!(finished.save(&path).expect("saves").is_empty());
    assert_eq!(names(folder.path()), ["take.journal"]);
    assert!(Recording::open(&path).is_ok());
}

#[test]
fn discarded_take_leaves_no_files() {
    let (folder, path) = place();
    let start = || {
        let mut recorder =
            Recorder::start(uncapped().with_keep_last_secs(Some(0.1)).with_journal(&path)).expect("starts");
        device_frames_for(1).iter().for_each(|frame| drop(recorder.push(frame)));
        assert!(path.exists() && path.with_extension("journal.old").exists());
        recorder
    };
    start().discard().expect("removes");
    assert!(names(folder.path()).is_empty());
    start().stop().discard().expect("removes");
    assert!(names(folder.path()).is_empty());
    drop(start());
    assert!(path.exists(), "dropped is not discarded");
}

#[test]
fn journal_of_an_unsaved_take_is_not_overwritten() {
    for name in ["take.journal", "take.journal.old"] {
        let (folder, path) = place();
        fs::write(folder.path().join(name), "precious").expect("writes");
        let error = Recorder::start(uncapped().with_journal(&path)).expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Io);
        let advice = format!("`holotape repair {} {}`", path.display(), path.with_extension("bin").display());
        assert!(error.to_string().contains(&advice), "{error}");
        assert_eq!(fs::read(folder.path().join(name)).expect("there"), b"precious");
        assert_eq!(names(folder.path()), [name]);
    }
}

/// A rotating journal whose newer file has just been created, and its recording.
fn rolling_parts() -> (TempDir, PathBuf, Recording) {
    let (folder, path) = place();
    let options = uncapped().with_keep_last_secs(Some(1.0)).with_journal(&path);
    let mut recorder = Recorder::start(options).expect("starts");
    device_frames_for(3)[..=124].iter().for_each(|frame| drop(recorder.push(frame)));
    let recording = recorder.stop().recording;
    let newer = fs::read(&path).expect("readable");
    assert_eq!(Journal::from_reader(&newer[..]).expect("a journal").frame_count, 1);
    (folder, path, recording)
}

#[test]
fn ending_between_two_journal_files_loses_nothing() {
    let (_folder, path, recording) = rolling_parts();
    assert!(Journal::open(&path).expect("a journal").recording == recording);

    // The newer file is created, then its header is written, then its first frame.
    let newer = fs::read(&path).expect("readable");
    let older = Journal::open(path.with_extension("journal.old")).expect("a journal");
    assert_eq!(older.frame_count, 61);
    for cut in [HEADER_BYTES, HEADER_BYTES - 1, 5, 0] {
        fs::write(&path, &newer[..cut]).expect("writes");
        assert!(Journal::open(&path).expect("a journal").recording == older.recording, "cut at {cut}");
    }
    fs::remove_file(&path).expect("removes");
    assert!(Journal::open(&path).expect("a journal").recording == older.recording);
}

#[test]
fn journal_files_of_different_takes_are_not_joined() {
    let (_one, path, _) = rolling_parts();
    let (_two, other, _) = rolling_parts();
    assert_eq!(Journal::open(&path).expect("a journal").frame_count, 60);
    fs::copy(other.with_extension("journal.old"), path.with_extension("journal.old")).expect("copies");
    assert_eq!(Journal::open(&path).expect("a journal").frame_count, 1);
}

#[test]
fn journal_with_keep_last_does_not_grow() {
    let (folder, path) = place();
    let options = uncapped().with_keep_last_secs(Some(1.0)).with_journal(&path);
    let mut recorder = Recorder::start(options).expect("starts");
    for frame in device_frames_for(20) {
        recorder.push(&frame).expect("records");
        // A file that is being removed may disappear between the two calls.
        let lengths = names(folder.path()).into_iter().flat_map(|name| fs::metadata(folder.path().join(name)));
        let length: u64 = lengths.map(|metadata| metadata.len()).sum();
        assert!(length < 3 * 62 * 1600, "{length} bytes at {} s", frame.time);
    }
    let start = Instant::now();
    while names(folder.path()) != ["take.journal", "take.journal.old"] {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", names(folder.path()));
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn failed_journal_is_reported_once_and_recording_continues() {
    let (folder, path) = place();
    // A file cannot replace a folder.
    let mut recorder = Recorder::start(uncapped().with_keep_last_secs(Some(0.51)).with_journal(&path)).expect("starts");
    fs::create_dir(path.with_extension("journal.old")).expect("a folder");
    let frames = device_frames_for(1);
    let errors: Vec<_> = frames.iter().filter_map(|frame| recorder.push(frame).err()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].to_string().contains("take.journal: writing the journal failed"), "{}", errors[0]);
    assert_eq!(recorder.status().frame_count, 60);
    assert_eq!(Journal::open(&path).expect("the written frames").frame_count, 31);
    let mut finished = recorder.stop();
    assert_eq!(finished.frame_count, 31);
    assert!(finished.save(folder.path().join("take.bin")).expect("saves").is_empty());
    assert_eq!(names(folder.path()), ["take.bin", "take.journal.old"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is recorded, the journal gives the recording that `stop` returns.
    #[test]
    fn journal_recovers_what_stop_returns(
        picks in prop::collection::btree_set(0..180_u32, 0..60),
        marked in prop::collection::vec((0.0..3.0_f64, ".{0,20}"), 0..5),
        keep_last_secs in prop::option::of(prop_oneof![0.05..3.0_f64, (1..60).prop_map(|n| f64::from(n) / 60.0)]),
        channels in any::<[bool; 3]>(),
    ) {
        let frames = device_frames_for(3);
        let (_folder, path) = place();
        let [camera, hands, gaze] = channels;
        let options = uncapped().with_keep_last_secs(keep_last_secs).with_channels(Channels { camera, hands, gaze });
        let mut recorder = Recorder::start(options.with_journal(&path)).expect("starts");
        let mut marked = marked.iter();
        for pick in picks {
            recorder.push(&frames[pick as usize]).expect("records");
            if let Some((time, name)) = marked.next() {
                recorder.add_marker(*time, name).expect("set");
            }
        }
        let finished = recorder.stop();
        let journal = Journal::open(&path).expect("a journal");
        prop_assert_eq!((journal.frame_count, journal.dropped_bytes), (finished.frame_count, 0));
        prop_assert!(journal.recording == finished.recording);
    }
}
