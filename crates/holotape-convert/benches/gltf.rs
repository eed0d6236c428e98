//! What glTF costs, for a minute from a device without key reduction, beside a plain copy of the binary file.

use std::hint::black_box;

use divan::Bencher;
use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape_convert::gltf::{GltfOptions, read, write_glb, write_gltf};

fn main() {
    divan::main();
}

fn take() -> Recording {
    DemoOptions::new().with_seconds(60.0).record().expect("a demo of that length")
}

fn glb(take: &Recording, options: &GltfOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = write_glb(take, options, &mut bytes).expect("writes");
    bytes
}

mod gltf_60s {
    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher) {
        let source = glb(&take(), &GltfOptions::new());
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn write_flat(bencher: Bencher) {
        let take = take();
        bencher.bench_local(|| glb(&take, &GltfOptions::new()));
    }

    #[divan::bench]
    fn write_hierarchy(bencher: Bencher) {
        let take = take();
        bencher.bench_local(|| glb(&take, &GltfOptions::new().with_hierarchy(true)));
    }

    #[divan::bench]
    fn write_text(bencher: Bencher) {
        let take = take();
        bencher.bench_local(|| write_gltf(&take, &GltfOptions::new(), Vec::new()));
    }

    #[divan::bench]
    fn read_flat(bencher: Bencher) {
        let bytes = glb(&take(), &GltfOptions::new());
        bencher.bench_local(|| read(&bytes));
    }
}
