//! Benchmarks of the recorder, for 1 s at 90 Hz with both hands tracked. `cargo xtask bench` prints the ratios to a memory
//! copy of the frames.

use std::hint::black_box;
use std::thread::sleep;
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

/// Prints the fraction of the time that recording 10 min with a journal takes, and the maximum duration of a push at the
/// rate of a device. Without pauses each push would wait until the previous one is written.
fn print_ten_minutes() {
    let all = push_for(600, |_| ()).iter().sum::<Duration>();
    let fraction = 100.0 * all.as_secs_f64() / 600.0;
    let start = Instant::now();
    let paced = push_for(10, |frame| {
        let due = Duration::from_secs_f64(frame as f64 / RATE_HZ as f64);
        sleep(due.saturating_sub(start.elapsed()));
    });
    let longest = paced.iter().max().copied().unwrap_or_default();
    eprintln!("10 min at {RATE_HZ} Hz: {fraction:.3} % of the time; longest push in 10 s: {longest:.0?}");
}

/// The duration of each push with a journal. Calls `wait` with the frame number before each push.
fn push_for(seconds: usize, wait: impl Fn(usize)) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut recorder = Recorder::start(options().with_journal(folder.path().join("reach.journal"))).expect("starts");
    let mut frames = frames();
    let mut push = |number: usize| {
        let frame = &mut frames[number % RATE_HZ];
        frame.time += 1.0;
        wait(number);
        let start = Instant::now();
        black_box(recorder.push(black_box(frame)).expect("records"));
        start.elapsed()
    };
    (0..seconds * RATE_HZ).map(&mut push).collect()
}

/// One second of frames with all channels.
fn frames() -> Vec<Frame> {
    let mut recording = DemoOptions::new().with_seconds(1.0).generate().expect("a demo of that length");
    for hand in Hand::ALL {
        recording.hand_mut(hand).tracked.keys.truncate(1);
    }
    let mut sampler = recording.sampler();
    (0..RATE_HZ).map(|n| sampler.frame_at(n as f64 / RATE_HZ as f64)).collect()
}

fn options() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

/// Pushes one second of frames repeatedly, with increasing times.
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
        push_seconds(bencher, Recorder::start(options().with_keep_last_secs(Some(30.0))).expect("starts"));
    }

    #[divan::bench]
    fn push_with_journal(bencher: Bencher) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("reach.journal");
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
        let path = folder.path().join("reach.journal");
        let mut recorder = Recorder::start(options().with_journal(&path)).expect("starts");
        frames().iter().for_each(|frame| drop(recorder.push(frame)));
        bencher.bench_local(|| Journal::open(&path));
    }
}
