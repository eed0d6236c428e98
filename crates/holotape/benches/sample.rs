//! What a whole frame costs: all 395 curves, of a minute from a device after key reduction. `cargo xtask bench` shows the
//! ratios to a copy of the recording's bytes.

use std::hint::black_box;

use divan::Bencher;
use holotape::demo::DemoOptions;
use holotape::{Curve, Hand, Joint, Keys, Recording};

fn main() {
    divan::main();
}

const SECONDS: f64 = 60.0;

/// One frame is too short for the timer.
const FRAMES: usize = 100;

/// A minute at 60 frames a second, of which every position and every rotation keeps about a quarter of its keys, each its
/// own: what key reduction leaves.
fn take() -> Recording {
    let mut take = DemoOptions::new().with_seconds(SECONDS).record().expect("a demo of that length");
    let mut bundle = 0_u32;
    let mut thin = |curves: &mut [Curve]| {
        bundle += 1;
        for curve in curves {
            let mut random = bundle;
            if let Keys::Linear(keys) = &mut curve.keys {
                keys.retain(|_| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    random >> 30 == 0
                });
            }
        }
    };
    for hand in Hand::ALL {
        for joint in &mut take.hand_mut(hand).joints {
            thin(&mut joint.position);
            thin(&mut joint.rotation);
        }
        // Always tracked: a hand that is not costs nothing.
        take.hand_mut(hand).tracked.keys.truncate(1);
    }
    take
}

mod device_60s {
    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let (source, _) = take().to_vec().expect("writes");
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn hundred_frames_forward(bencher: Bencher) {
        let take = take();
        let mut sampler = take.sampler();
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
    fn hundred_frames_random(bencher: Bencher) {
        let take = take();
        let mut sampler = take.sampler();
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

    /// The reference: a search for each curve.
    #[divan::bench]
    fn hundred_frames_plain(bencher: Bencher) {
        let take = take();
        let evaluators: Vec<_> = Hand::ALL
            .into_iter()
            .flat_map(|hand| Joint::ALL.map(|joint| take.hand(hand).joint(joint)))
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
        let take = take();
        let mut sampler = take.sampler();
        let times: Vec<_> = (0..FRAMES).map(|n| n as f64 / 60.0).collect();
        bencher.bench_local(|| sampler.sample_many(black_box(&times)));
    }

    #[divan::bench]
    fn build(bencher: Bencher) {
        let take = take();
        bencher.bench_local(|| take.sampler());
    }
}
