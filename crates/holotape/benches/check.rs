//! Benchmarks of check and repair, for a recording of 1 min without key reduction.

use std::hint::black_box;

use divan::Bencher;
use holotape::Recording;
use holotape::demo::DemoOptions;

fn main() {
    divan::main();
}

const SECONDS: f64 = 60.0;

fn demo() -> Recording {
    DemoOptions::new().with_seconds(SECONDS).generate().expect("a demo of that length")
}

fn bytes() -> Vec<u8> {
    demo().to_vec().expect("writes").0
}

mod faults_60s {
    use holotape::Keys;
    use holotape::check::{CheckOptions, RepairOptions, SalvageOptions, check, repair, salvage};

    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let source = bytes();
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn check_recording(bencher: Bencher) {
        let recording = demo();
        bencher.bench_local(|| check(&recording, &CheckOptions::new()));
    }

    #[divan::bench]
    fn repair_valid(bencher: Bencher) {
        let mut recording = demo();
        bencher.bench_local(|| repair(&mut recording, &RepairOptions::new()));
    }

    #[divan::bench]
    fn repair_rotation_w(bencher: Bencher) {
        let mut recording = demo();
        for (_, pose) in recording.poses_mut() {
            let Keys::Linear(w) = &mut pose.rotation[3].keys else { unreachable!("a demo") };
            w.truncate(1);
        }
        bencher
            .with_inputs(|| recording.clone())
            .bench_local_values(|mut recording| repair(&mut recording, &RepairOptions::new()));
    }

    #[divan::bench]
    fn salvage_half(bencher: Bencher) {
        let bytes = bytes();
        bencher.bench_local(|| salvage(&bytes[..bytes.len() / 2], &SalvageOptions::new()).expect("half"));
    }
}
