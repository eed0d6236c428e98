//! Benchmarks of key reduction, for a recording of 1 min at 60 Hz with one key per frame. `cargo xtask bench` prints the
//! ratios to a memory copy of the recording's bytes.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use common::motion::{device_frames_for, recording_of};
use common::reduction::{Tolerances, VectorKeys, vectors};
use divan::Bencher;
use holotape::Recording;
use holotape::optimize::{OptimizeOptions, optimize};

fn main() {
    print_key_counts();
    divan::main();
}

/// Prints the number of remaining keys relative to the reference.
fn print_key_counts() {
    let mut reduced = demo();
    let vectors = vectors(&reduced, Tolerances::DEFAULT);
    let reference: usize = vectors.iter().map(|vector| vector.ramer_douglas_peucker().len()).sum();
    optimize(&mut reduced, &OptimizeOptions::new());
    let poses = reduced.poses().flat_map(|(_, pose)| [&pose.position[0], &pose.rotation[0]]);
    let gaze = reduced.gaze.iter().flat_map(|gaze| [&gaze.origin[0], &gaze.direction[0]]);
    let ours: usize = poses.chain(gaze).map(|curve| curve.keys.len()).sum();
    let ratio = ours as f64 / reference as f64;
    eprintln!("raw_60s: {ours} keys remain, {ratio:.3} of the {reference} keys of Ramer-Douglas-Peucker");
}

fn demo() -> Recording {
    recording_of(&device_frames_for(60))
}

mod raw_60s {
    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let (source, _) = demo().to_vec().expect("writes");
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench(sample_count = 20)]
    fn optimize(bencher: Bencher) {
        let recording = demo();
        bencher
            .with_inputs(|| recording.clone())
            .bench_local_refs(|recording| super::optimize(recording, &OptimizeOptions::new()));
    }

    /// The reference algorithm, which keeps a sixth more keys (compared in the tests).
    #[divan::bench(sample_count = 20)]
    fn ramer_douglas_peucker(bencher: Bencher) {
        let vectors = vectors(&demo(), Tolerances::DEFAULT);
        bencher.bench_local(|| vectors.iter().map(VectorKeys::ramer_douglas_peucker).collect::<Vec<_>>());
    }
}
