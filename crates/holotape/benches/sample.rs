//! Benchmarks of sampling frames with all 395 curves, for a recording of 1 min after key reduction. `cargo xtask bench`
//! prints the ratios to a memory copy of the recording's bytes.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use common::motion::{device_frames_for, recording_of};
use divan::Bencher;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{Curve, Hand, Joint, Recording, Sampler};

fn main() {
    divan::main();
}

const SECONDS: f64 = 60.0;

/// Sampling a single frame is too fast for the timer.
const FRAMES: usize = 100;

/// A recording of 1 min after key reduction, like MRTK's but with fewer keys.
fn demo() -> Recording {
    let mut recording = recording_of(&device_frames_for(SECONDS as u32));
    let report = optimize(&mut recording, &OptimizeOptions::new());
    assert!(report.skipped.is_empty(), "{report:?}");
    for hand in Hand::ALL {
        // Always tracked: sampling an untracked hand takes no time.
        recording.hand_mut(hand).tracked.keys.truncate(1);
    }
    recording
}

mod device_60s {
    use super::*;

    fn sample_forward(bencher: Bencher, mut sampler: Sampler) {
        let mut frame = sampler.frame_at(0.0);
        let mut time = 0.0;
        bencher.bench_local(|| {
            for _ in 0..FRAMES {
                time = if time > SECONDS { 0.0 } else { time + 1.0 / 60.0 };
                sampler.frame_into(black_box(time), &mut frame);
                black_box(&frame);
            }
        });
    }

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let (source, _) = demo().to_vec().expect("writes");
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn hundred_frames_forward(bencher: Bencher) {
        sample_forward(bencher, demo().sampler());
    }

    /// After many jumps, when there is an index of the keys.
    #[divan::bench]
    fn hundred_frames_forward_indexed(bencher: Bencher) {
        let mut sampler = demo().sampler();
        for n in 0..1000 {
            black_box(sampler.frame_at(f64::from(n * 37 % 60)));
        }
        sample_forward(bencher, sampler);
    }

    #[divan::bench]
    fn hundred_frames_random(bencher: Bencher) {
        let recording = demo();
        let mut sampler = recording.sampler();
        let mut frame = sampler.frame_at(0.0);
        let mut random = 1_u32;
        bencher.bench_local(|| {
            for _ in 0..FRAMES {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                sampler.frame_into(black_box(f64::from(random) / f64::from(u32::MAX) * SECONDS), &mut frame);
                black_box(&frame);
            }
        });
    }

    /// The reference: a binary search per curve.
    #[divan::bench]
    fn hundred_frames_plain(bencher: Bencher) {
        let recording = demo();
        let evaluators: Vec<_> = Hand::ALL
            .into_iter()
            .flat_map(|hand| Joint::ALL.map(|joint| recording.hand(hand).joint(joint)))
            .flat_map(|pose| pose.position.iter().chain(&pose.rotation))
            .map(Curve::evaluator)
            .collect();
        let mut time = 0.0;
        bencher.bench_local(|| {
            for _ in 0..FRAMES {
                time = if time > SECONDS { 0.0 } else { time + 1.0 / 60.0 };
                black_box(evaluators.iter().filter_map(|curve| curve.value_at(black_box(time))).sum::<f64>());
            }
        });
    }

    #[divan::bench]
    fn hundred_frames_flat(bencher: Bencher) {
        let recording = demo();
        let mut sampler = recording.sampler();
        let times: Vec<_> = (0..FRAMES).map(|n| n as f64 / 60.0).collect();
        bencher.bench_local(|| sampler.sample_many(black_box(&times)));
    }

    #[divan::bench]
    fn build(bencher: Bencher) {
        let recording = demo();
        bencher.bench_local(|| recording.sampler());
    }
}
