//! What recording costs: a second at 90 frames a second, both hands tracked. `cargo xtask bench` shows the ratios to a
//! copy of as many frames.

use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use holotape::demo::DemoOptions;
use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::{Frame, Hand};

fn main() {
    print_ten_minutes();
    divan::main();
}

const RATE_HZ: usize = 90;

/// What no median shows: ten minutes with a journal, and the longest that any of the pushes takes.
fn print_ten_minutes() {
    const SECONDS: u32 = 600;
    let folder = tempfile::tempdir().expect("a folder");
    let options = options().with_journal(folder.path().join("take.journal"));
    let mut recorder = Recorder::start(options).expect("starts");
    let mut frames = frames();
    let (mut longest, mut all) = (Duration::ZERO, Duration::ZERO);
    for frame in (0..SECONDS).flat_map(|_| 0..RATE_HZ) {
        let frame = &mut frames[frame];
        frame.time += 1.0;
        let start = Instant::now();
        black_box(recorder.push(black_box(frame)).expect("records"));
        let took = start.elapsed();
        longest = longest.max(took);
        all += took;
    }
    let share = 100.0 * all.as_secs_f64() / f64::from(SECONDS);
    let (pushes, bytes) = (recorder.status().frames, recorder.byte_len());
    eprintln!(
        "ten minutes at {RATE_HZ} Hz: {pushes} pushes, {share:.3} % of one core, the longest {longest:.0?}, {} bytes a frame",
        bytes as u64 / pushes
    );
}

/// A second of frames with everything in them.
fn frames() -> Vec<Frame> {
    let mut take = DemoOptions::new().with_seconds(1.0).record().expect("a demo of that length");
    for hand in Hand::ALL {
        take.hand_mut(hand).tracked.keys.truncate(1);
    }
    let mut sampler = take.sampler();
    (0..RATE_HZ).map(|n| sampler.frame_at(n as f64 / RATE_HZ as f64)).collect()
}

fn options() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

/// Pushes a second of frames again and again, as if time went on.
fn push_seconds(bencher: Bencher, mut recorder: Recorder) {
    let mut frames = frames();
    bencher.bench_local(|| {
        for frame in &mut frames {
            frame.time += 1.0;
            black_box(recorder.push(black_box(frame)).expect("records"));
        }
    });
}

mod record_1s {
    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let source = vec![1_u8; RATE_HZ * size_of::<Frame>()];
        let mut target = source.clone();
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn push(bencher: Bencher) {
        push_seconds(bencher, Recorder::start(options()).expect("starts"));
    }

    #[divan::bench]
    fn push_rolling(bencher: Bencher) {
        push_seconds(bencher, Recorder::start(options().with_rolling_secs(Some(30.0))).expect("starts"));
    }

    #[divan::bench]
    fn push_with_journal(bencher: Bencher) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("take.journal");
        push_seconds(bencher, Recorder::start(options().with_journal(path)).expect("starts"));
    }

    #[divan::bench]
    fn stop(bencher: Bencher) {
        let frames = frames();
        let recorder = || {
            let mut recorder = Recorder::start(options()).expect("starts");
            frames.iter().for_each(|frame| drop(recorder.push(frame)));
            recorder
        };
        bencher.with_inputs(recorder).bench_local_values(Recorder::stop);
    }

    #[divan::bench]
    fn read_journal(bencher: Bencher) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("take.journal");
        let mut recorder = Recorder::start(options().with_journal(&path)).expect("starts");
        frames().iter().for_each(|frame| drop(recorder.push(frame)));
        bencher.bench_local(|| Journal::open(&path));
    }
}
