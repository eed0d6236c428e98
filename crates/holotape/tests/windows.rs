//! Recordings that are sampled in windows have the values of the complete recording, bit for bit.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

use holotape::demo::DemoOptions;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{
    BoolCurve, CurveRef, ErrorKind, FrameLimit, Hand, Joint, Keys, LinearKey, Recording, WindowedRecording, WrapMode,
};
use proptest::prelude::*;

use crate::alloc::peak_during;
use crate::common::arbitrary::any_recording;
use crate::common::strange::{any_curve, any_flags};
use crate::common::{bin_files, change, small_file, valid_pairs};

fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().expect("a demo")
}

fn reduced(seconds: f64) -> Recording {
    let mut recording = demo(seconds);
    let _ = optimize(&mut recording, &OptimizeOptions::new());
    recording
}

fn in_file(recording: &Recording) -> WindowedRecording<'static> {
    let (bytes, _) = recording.to_vec().expect("encodes");
    WindowedRecording::from_reader(Cursor::new(bytes)).expect("opens")
}

/// Times from before the start to after the end: at keys, between them, forwards, backwards, scattered, and invalid ones.
fn all_kinds_of_times(recording: &Recording) -> Vec<f64> {
    let mut keys: Vec<_> = recording.curves().flat_map(|(_, curve)| curve.key_times()).map(f64::from).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    keys.truncate(700);
    let between: Vec<_> = keys.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let end = f64::from(recording.duration_secs());
    let scattered = (0..61_u32).map(|n| end * f64::from(n * 37 % 61) / 55.0 - 0.1);
    let extreme = [f64::NEG_INFINITY, -1e300, -0.0, 1e300, f64::INFINITY, f64::NAN, 0.0];
    let backwards = keys.iter().rev().step_by(3);
    keys.iter().chain(&between).chain(backwards).copied().chain(scattered).chain(extreme).collect()
}

/// Asserts that windows of several sizes have the values of the sampler of the complete recording. The text of a float has its
/// sign and all its digits.
fn assert_same_values(name: &str, recording: &Recording, times: &[f64]) {
    let mut whole = recording.sampler().with_untracked_poses(true);
    let expected: Vec<_> = times.iter().map(|time| format!("{:?}", whole.frame_at(*time))).collect();
    for max_window_keys in [1, 2, 7, 61, 4096] {
        let sources = [WindowedRecording::new(recording), in_file(recording)];
        for (source, windowed) in ["memory", "file"].into_iter().zip(sources) {
            let windowed = windowed.with_max_window_keys(max_window_keys);
            let mut sampler = windowed.sampler().with_untracked_poses(true);
            for (time, expected) in times.iter().zip(&expected) {
                let frame = sampler.frame_at(*time).expect("sampled");
                assert!(format!("{frame:?}") == *expected, "{name} in {source} at {time}, {max_window_keys} keys");
            }
        }
    }
}

/// Asserts everything that is known about a recording without its keys.
fn assert_same_outline(recording: &Recording, windowed: &WindowedRecording<'_>) {
    let outline = windowed.outline();
    assert_eq!(outline.format, recording.format);
    assert_eq!(outline.channels(), recording.channels());
    assert_eq!(outline.markers, recording.markers);
    assert_eq!(outline.duration_secs().to_bits(), recording.duration_secs().to_bits());
    assert_eq!(windowed.frame_limit(), FrameLimit::for_recording(recording));
    let linear = |(_, curve): (_, CurveRef<'_>)| !matches!(curve, CurveRef::Float(curve) if !curve.keys.are_linear());
    assert_eq!(windowed.are_linear(), recording.curves().all(linear));
    for (((id, curve), (_, outline)), (_, times)) in recording.curves().zip(outline.curves()).zip(windowed.key_times())
    {
        // Equal numbers or both NaN: neighbouring curves with times of 0 and -0 share a list.
        let is_same = |(a, b): (f32, &f32)| a == *b || a.is_nan() && b.is_nan();
        assert!(curve.key_count() == times.len() && curve.key_times().zip(times).all(is_same), "{id}");
        assert_eq!(curve.wrap_modes(), outline.wrap_modes(), "{id}");
        assert_eq!(curve.key_count().min(2), outline.key_count().min(2), "{id}");
    }
    assert!(*windowed.to_recording().expect("readable") == *recording);
}

#[test]
fn windows_have_the_values_of_the_recording() {
    for (name, bytes, _) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        assert_same_values(&name, &recording, &all_kinds_of_times(&recording));
    }
    for (name, recording) in [("demo", demo(3.0)), ("reduced demo", reduced(20.0))] {
        assert_same_values(name, &recording, &all_kinds_of_times(&recording));
    }
}

/// Samplers that clone one which has a window already, for spans of any length.
#[test]
fn samplers_of_spans_have_the_same_values() {
    for (name, recording) in [("demo", demo(3.0)), ("reduced demo", reduced(20.0))] {
        let times = all_kinds_of_times(&recording);
        let mut whole = recording.sampler();
        let expected: Vec<_> = times.iter().map(|time| format!("{:?}", whole.frame_at(*time))).collect();
        for (windowed, max_window_keys) in [(WindowedRecording::new(&recording), 61), (in_file(&recording), 4096)] {
            let windowed = windowed.with_max_window_keys(max_window_keys);
            let mut first = windowed.sampler();
            let _ = first.frame_at(0.7).expect("sampled");
            for last_secs in [f64::NEG_INFINITY, -1.0, 0.0, 0.7, 1.234, 2.5, f64::INFINITY] {
                let mut sampler = first.clone().with_last_secs(last_secs);
                for (time, expected) in times.iter().zip(&expected) {
                    let frame = sampler.frame_at(*time).expect("sampled");
                    assert!(format!("{frame:?}") == *expected, "{name} at {time}, last time {last_secs}");
                }
            }
        }
    }
}

/// Counts the bytes that are read.
struct CountingReader(Cursor<Vec<u8>>, Arc<Mutex<usize>>);

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        *self.1.lock().expect("not poisoned") += count;
        Ok(count)
    }
}

impl Seek for CountingReader {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.seek(position)
    }
}

#[test]
fn sampler_reads_no_keys_after_its_span() {
    let (bytes, _) = demo(40.0).to_vec().expect("encodes");
    let (file_bytes, read_bytes) = (bytes.len(), Arc::new(Mutex::new(0)));
    let reader = CountingReader(Cursor::new(bytes), Arc::clone(&read_bytes));
    let windowed = WindowedRecording::from_reader(reader).expect("opens");
    let bytes_for = |last_secs| {
        *read_bytes.lock().expect("not poisoned") = 0;
        let _ = windowed.sampler().with_last_secs(last_secs).frame_at(10.0).expect("sampled");
        *read_bytes.lock().expect("not poisoned")
    };
    let (one_second, all) = (bytes_for(11.0), bytes_for(f64::INFINITY));
    // A buffer of 4 KiB for each curve.
    assert!(one_second < file_bytes / 3, "{one_second} of {file_bytes} bytes");
    assert!(all > file_bytes / 2, "{all} of {file_bytes} bytes");
}

#[test]
fn outline_has_everything_but_keys() {
    let valid = valid_pairs().into_iter().map(|(name, bytes, _)| Recording::from_slice(&bytes).expect(&name));
    for recording in valid.chain([demo(2.0), reduced(5.0)]) {
        assert_same_outline(&recording, &WindowedRecording::new(&recording));
        assert_same_outline(&recording, &in_file(&recording));
    }
    let outline = in_file(&demo(2.0));
    let key_count: usize =
        outline.outline().hand(Hand::Left).joints.iter().map(|pose| pose.position[0].keys.len()).sum();
    assert_eq!(key_count, 2 * (Joint::COUNT - 1), "keys stay in the file");
}

/// Changes a demo so that a window could have other values than the recording.
fn demo_that_needs_all_keys(change: impl Fn(&mut Recording)) -> Recording {
    let mut recording = demo(2.0);
    change(&mut recording);
    recording
}

fn linear_keys(recording: &mut Recording) -> &mut Vec<LinearKey> {
    let Keys::Linear(keys) = &mut change::camera(recording).position[1].keys else { panic!("compact keys") };
    keys
}

type Change = fn(&mut Recording);

#[test]
fn recordings_without_windows_have_the_same_values() {
    let changes: [(&str, Change); 10] = [
        ("looping curve", |recording| change::camera(recording).rotation[0].post_wrap = WrapMode::LOOP),
        ("curve that repeats before", |recording| change::camera(recording).position[2].pre_wrap = WrapMode::PING_PONG),
        ("unsorted keys", |recording| linear_keys(recording).swap(3, 90)),
        ("two keys at one time", |recording| linear_keys(recording)[50].time = linear_keys(recording)[51].time),
        ("key at NaN", |recording| linear_keys(recording)[50].time = f32::NAN),
        ("key at infinity", |recording| linear_keys(recording).last_mut().expect("keys").time = f32::INFINITY),
        ("value of NaN", |recording| linear_keys(recording)[50].value = f32::NAN),
        ("large value", |recording| linear_keys(recording)[50].value = 1e30),
        ("fewer keys in a component", |recording| linear_keys(recording).truncate(40)),
        ("lost w", change::lose_w),
    ];
    for (name, change) in changes {
        let recording = demo_that_needs_all_keys(change);
        assert_same_values(name, &recording, &all_kinds_of_times(&recording));
    }
}

#[test]
fn flags_have_the_same_values() {
    let flag =
        |keys: &[(f32, f32)]| BoolCurve::from_iter(keys.iter().map(|(time, value)| LinearKey::new(*time, *value)));
    let repeated: Vec<_> = (0..40).map(|n| (1.0, (n % 2) as f32)).collect();
    let flags = [
        flag(&[]),
        flag(&[(0.7, 1.0)]),
        flag(&[(0.5, 1.0), (0.5, 0.0), (1.0, 1.0)]),
        flag(&repeated),
        flag(&[(0.5, 1.0), (0.2, 0.0), (1.0, 1.0)]),
        flag(&[(0.5, 1.0), (f32::NAN, 0.0), (1.0, 1.0)]),
        flag(&[(0.5, 1.0), (f32::INFINITY, 0.0), (f32::INFINITY, 1.0)]),
        BoolCurve { post_wrap: WrapMode::LOOP, ..flag(&[(0.0, 1.0), (0.3, 0.0), (0.5, 1.0)]) },
    ];
    for (n, flag) in flags.into_iter().enumerate() {
        let recording = demo_that_needs_all_keys(|recording| recording.hand_mut(Hand::Left).tracked = flag.clone());
        assert_same_values(&format!("flag {n}"), &recording, &all_kinds_of_times(&recording));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn strange_curves_have_the_same_values(
        curves in prop::collection::vec(any_curve(1.5), 10),
        tracked in any_flags(),
        times in prop::collection::vec(-2.0..6.0_f64, 1..20),
    ) {
        let mut recording = Recording::with_channels(holotape::format::Channels::ALL);
        let mut curves = curves.into_iter();
        let mut fill = |slots: &mut [holotape::Curve]| slots.iter_mut().zip(&mut curves).for_each(|(slot, curve)| *slot = curve);
        fill(&mut change::camera(&mut recording).position);
        fill(&mut change::camera(&mut recording).rotation);
        fill(&mut change::joint(&mut recording, Hand::Right, Joint::Wrist).position);
        let camera = change::camera(&mut recording).clone();
        *change::joint(&mut recording, Hand::Left, Joint::Palm) = camera;
        recording.hand_mut(Hand::Left).tracked = tracked;
        recording.format.layout = holotape::format::Layout::Full11;
        let recording = Recording::from_slice(&recording.to_vec().expect("encodes").0).expect("decodes");
        assert_same_values("strange curves", &recording, &times);
    }

    #[test]
    fn arbitrary_recordings_have_the_same_values(
        recording in any_recording(),
        times in prop::collection::vec(-3.0..3.0_f64, 1..10),
    ) {
        let recording = Recording::from_slice(&recording.to_vec().expect("encodes").0).expect("decodes");
        assert_same_outline(&recording, &WindowedRecording::new(&recording));
        assert_same_outline(&recording, &in_file(&recording));
        assert_same_values("arbitrary", &recording, &times);
    }
}

#[test]
fn damaged_files_are_the_same_errors() {
    let complete = small_file();
    let mut damaged: Vec<_> = (0..complete.len()).step_by(23).map(|end| complete[..end].to_vec()).collect();
    for at in (0..complete.len()).step_by(11) {
        let mut bytes = complete.clone();
        bytes[at] ^= 0x81;
        damaged.push(bytes);
    }
    damaged.extend(bin_files("invalid").into_iter().chain(bin_files("regressions")).map(|(_, bytes)| bytes));
    for bytes in damaged {
        let expected = Recording::from_slice(&bytes);
        match WindowedRecording::from_reader(Cursor::new(bytes)) {
            Ok(windowed) => {
                assert_same_outline(&expected.expect("opens as well"), &windowed);
                let _ = windowed.sampler().frame_at(0.5).expect("sampled");
            }
            Err(error) => assert_eq!(error.to_string(), expected.expect_err("an error as well").to_string()),
        }
    }
}

/// A file that another program changes.
#[derive(Clone)]
struct SharedFile(Arc<Mutex<Cursor<Vec<u8>>>>);

impl SharedFile {
    fn change(&self, change: impl FnOnce(&mut Vec<u8>)) {
        change(self.0.lock().expect("not poisoned").get_mut());
    }
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().expect("not poisoned").read(buffer)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.lock().expect("not poisoned").seek(position)
    }
}

#[test]
fn file_that_becomes_shorter_is_an_error() {
    let (bytes, _) = demo(2.0).to_vec().expect("encodes");
    let file = SharedFile(Arc::new(Mutex::new(Cursor::new(bytes))));
    let windowed = WindowedRecording::from_reader(file.clone()).expect("opens").with_max_window_keys(10);
    let mut sampler = windowed.sampler();
    let _ = sampler.frame_at(0.0).expect("sampled");
    file.change(|bytes| bytes.truncate(bytes.len() / 2));
    assert_eq!(sampler.frame_at(1.0).expect_err("shorter").kind(), ErrorKind::Io);
    assert!(windowed.to_recording().is_err());
}

#[test]
fn file_whose_keys_change_does_not_panic() {
    let (bytes, _) = demo(2.0).to_vec().expect("encodes");
    let file = SharedFile(Arc::new(Mutex::new(Cursor::new(bytes))));
    let windowed = WindowedRecording::from_reader(file.clone()).expect("opens").with_max_window_keys(10);
    file.change(|bytes| bytes.fill(0xff));
    for n in 0..100 {
        let _ = windowed.sampler().frame_at(f64::from(n) / 50.0).expect("sampled");
    }
}

#[test]
fn sampling_a_file_needs_memory_for_one_window() {
    let recording = demo(60.0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("reach.bin");
    assert!(recording.save(&path).expect("saves").is_empty());
    let file_bytes = std::fs::metadata(&path).expect("there").len() as usize;
    let sample_all = || {
        let windowed = WindowedRecording::open(&path).expect("opens").with_max_window_keys(128);
        let mut sampler = windowed.sampler();
        for time in holotape::times_at_rate(0.0..=60.0, 60.0) {
            let _ = sampler.frame_at(time).expect("sampled");
        }
    };
    let peak_bytes = peak_during(sample_all);
    assert!(peak_bytes < file_bytes / 5, "{peak_bytes} bytes for a file of {file_bytes}");
}
