//! `record`: the journal of an unsaved recording, and `repair` of it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use holotape::demo::DemoOptions;
use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::stream::Record;
use holotape::{Frame, Recording};

use crate::states::{Loss, State, replay};
use crate::trace::{Op, Trace};
use crate::tree::{Paths, Tree, write_paths};
use crate::{folder, strace};

/// Frames and one marker, at 30 Hz. The x position of the camera is the number of the record.
pub fn records(count: usize) -> Vec<Record> {
    let demo = DemoOptions::new().with_seconds(4.0).generate().expect("a demo");
    let mut sampler = demo.sampler();
    let record = |number: usize| {
        let time_secs = number as f64 / 30.0;
        if number == count / 2 {
            return Record::Marker { time_secs, name: "half".to_owned() };
        }
        let mut frame = Frame { time: time_secs, ..sampler.frame_at(time_secs) };
        frame.camera.as_mut().expect("a camera").position[0] = number as f32;
        Record::Frame(Box::new(frame))
    };
    (0..count).map(record).collect()
}

/// The recording of these records.
pub fn recording_of<'a>(records: impl IntoIterator<Item = &'a Record>, keep_last_secs: Option<f64>) -> Recording {
    let options = RecorderOptions::new().with_max_rate_hz(None).with_keep_last_secs(keep_last_secs);
    let mut recorder = Recorder::start(options).expect("starts");
    for record in records {
        match record {
            Record::Frame(frame) => _ = recorder.push(frame).expect("recorded"),
            Record::Marker { time_secs, name } => recorder.add_marker(*time_secs, name).expect("recorded"),
            Record::Event { .. } => {}
        }
    }
    recorder.stop().recording
}

/// The numbers of the records in a recording.
fn numbers_in(recording: &Recording, records: &[Record]) -> Vec<usize> {
    let camera = recording.camera.as_ref().expect("a camera");
    let mut numbers: Vec<_> = camera.position[0].keys.iter().map(|key| key.value as usize).collect();
    if !recording.markers.is_empty() {
        numbers.push(records.len() / 2);
    }
    numbers.sort_unstable();
    numbers
}

/// Checks the journal after a crash. `written` is the number of records that had been written to it.
pub fn check_journal(at: &str, loss: Loss, journal: &Path, records: &[Record], written: usize) {
    let recovered = match Journal::open(journal) {
        Ok(recovered) => recovered,
        // The process was killed before it wrote the header, or its data was lost.
        Err(error) => return assert!(loss != Loss::Killed || written == 0, "{at}: {error}"),
    };
    let numbers = numbers_in(&recovered.recording, records);
    let expected = recording_of(numbers.iter().map(|number| &records[*number]), None);
    assert!(recovered.recording == expected, "{at}: records that were not sent: {numbers:?}");
    if loss != Loss::PowerAnyOrder {
        assert!(numbers.iter().copied().eq(0..numbers.len()), "{at}: records are missing: {numbers:?}");
    }
    if loss == Loss::Killed {
        assert_eq!((numbers.len(), recovered.dropped_bytes), (written, 0), "{at}");
    }
}

/// The number of complete records in a journal that is not rotated, before a point of a trace.
pub fn written_records(trace: &Trace, point: usize, journal: &str) -> usize {
    let folder = trace.ops.iter().find_map(|op| match op {
        Op::Create { entry, inode, .. } if entry.1 == journal => Some(*inode),
        _ => None,
    });
    let file = folder.unwrap_or_else(|| panic!("{journal} is never created"));
    let writes = trace.ops[..point].iter().filter(|op| op.is_data() && op.sync_target() == Some(file));
    // The first one is the header.
    writes.count().saturating_sub(1)
}

/// Runs `record` with these records as its input.
fn record(root: &Path, args: &[&str], records: &[Record]) -> Trace {
    let log = folder();
    let initial = Tree::read(root);
    let mut command = strace::traced_holotape(&log.path().join("log"));
    command.arg("record").args(args).arg(root.join("take.bin"));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("strace");
    let mut input = child.stdin.take().expect("piped");
    for record in records {
        writeln!(input, "{}", record.to_json()).expect("sent");
    }
    drop(input);
    assert!(child.wait().expect("ends").success());
    Trace::new(root, initial, &strace::read(&log.path().join("log")))
}

/// The position after the last operation that saves `take.bin`.
fn removal_of(trace: &Trace, name: &str) -> usize {
    let removes = |op: &Op| matches!(op, Op::Remove { entry } if entry.1 == name);
    trace.ops.iter().position(removes).unwrap_or_else(|| panic!("{name} is never removed"))
}

fn check_saved(at: &str, paths: &Paths, is_required: bool, new: &[u8]) -> bool {
    let saved = paths.get("take.bin").map(|content| content.as_deref().expect("a file"));
    assert!(saved.is_none_or(|content| content == new), "{at}: {:?} bytes", saved.map(<[u8]>::len));
    assert!(saved.is_some() || !is_required, "{at}: the journal is removed, but the recording is not durable");
    saved.is_some()
}

#[test]
fn records_are_in_the_journal_until_the_recording_is_saved() {
    let (root, records) = (folder(), records(60));
    let trace = record(root.path(), &[], &records);
    let new = fs::read(root.path().join("take.bin")).expect("saved");
    assert!(recording_of(&records, None) == Recording::from_slice(&new).expect("a recording"));
    let removed = removal_of(&trace, "take.journal");
    let states = replay("record", &trace, |State { point, loss, paths }| {
        let at = format!("{loss:?} after {point} operations");
        if check_saved(&at, paths, *point > removed, &new) {
            return;
        }
        let folder = folder();
        write_paths(paths, folder.path());
        let written = written_records(&trace, *point, "take.journal");
        check_journal(&at, *loss, &folder.path().join("take.journal"), &records, written);
    });
    assert!(states >= 600, "{states} states");
}

#[test]
fn rotated_journal_covers_its_span_after_a_kill() {
    const KEEP_LAST_SECS: f64 = 0.5;
    let (root, records) = (folder(), records(70));
    let trace = record(root.path(), &["--keep-last", "0.5"], &records);
    let new = fs::read(root.path().join("take.bin")).expect("saved");
    let removed = removal_of(&trace, "take.journal");
    let rotations = trace.ops.iter().filter(|op| matches!(op, Op::Rename { to, .. } if to.1 == "take.journal.old"));
    assert!(rotations.count() >= 3);
    let is_header = |op: &&Op| matches!(op, Op::Write { data, .. } if data.starts_with(b"holojrnl"));
    let journal_files = |op: &&Op| {
        matches!(op, Op::Write { file, .. } if trace.ops.iter().any(|op| {
            matches!(op, Op::Create { inode, entry, .. } if inode == file && entry.1 == "take.journal")
        }))
    };
    let states = replay("record --keep-last", &trace, |State { point, loss, paths }| {
        let at = format!("{loss:?} after {point} operations");
        if check_saved(&at, paths, *point > removed, &new) {
            return;
        }
        let folder = folder();
        write_paths(paths, folder.path());
        let recovered = Journal::open(folder.path().join("take.journal"));
        if *loss == Loss::Killed {
            let ops = trace.ops[..*point].iter().filter(journal_files);
            let written = ops.filter(|op| !is_header(op)).count();
            let expected = recording_of(&records[..written], Some(KEEP_LAST_SECS));
            match recovered {
                Ok(recovered) => assert!(
                    recovered.recording == expected,
                    "{at}: {:?} instead of {:?} of {written} records",
                    numbers_in(&recovered.recording, &records),
                    numbers_in(&expected, &records)
                ),
                Err(error) => assert_eq!(written, 0, "{at}: {error}"),
            }
        } else if let Ok(recovered) = recovered {
            let numbers = numbers_in(&recovered.recording, &records);
            let expected = recording_of(numbers.iter().map(|number| &records[*number]), None);
            assert!(recovered.recording == expected, "{at}: records that were not sent: {numbers:?}");
        }
    });
    assert!(states >= 600, "{states} states");
}

#[test]
fn repair_keeps_the_journal_and_leaves_a_complete_recording_or_none() {
    let (root, log, records) = (folder(), folder(), records(40));
    let journal = root.path().join("take.journal");
    let mut recorder = Recorder::start(RecorderOptions::new().with_journal(&journal)).expect("starts");
    for record in &records {
        if let Record::Frame(frame) = record {
            recorder.push(frame).expect("recorded");
        }
    }
    drop(recorder);
    let initial = Tree::read(root.path());
    let before = fs::read(&journal).expect("a journal");
    let paths = ["repair", journal.to_str().expect("UTF-8"), root.path().join("take.bin").to_str().expect("UTF-8")]
        .map(str::to_owned);
    let calls = strace::run(&log.path().join("log"), &paths);
    let trace = Trace::new(root.path(), initial, &calls);
    let new = fs::read(root.path().join("take.bin")).expect("saved");
    assert!(Recording::from_slice(&new).is_ok());
    let states = replay("repair", &trace, |State { point, loss, paths }| {
        let at = format!("{loss:?} after {point} operations");
        check_saved(&at, paths, *point == trace.ops.len(), &new);
        assert!(paths["take.journal"].as_deref() == Some(&before), "{at}: the journal has changed");
    });
    assert!(states >= 80, "{states} states");
}
