//! Benchmarks of the codec, with a memory copy of the same bytes as baseline. `cargo xtask bench` prints the ratios.

use std::hint::black_box;

use divan::Bencher;
use holotape::demo::DemoOptions;
use holotape::format::{Format, Index, Layout};
use holotape::{Recording, Summary};

fn main() {
    divan::main();
}

/// A recording with about as many keys as one from a device after key reduction: about 2.6 MB per minute.
fn demo(seconds: f64, layout: Layout) -> Recording {
    let options = DemoOptions::new().with_seconds(seconds).with_rate_hz(18.0);
    let mut recording = options.generate().expect("a demo of that length");
    recording.format = Format { layout, marker_list: true };
    // Read back, so that the keys have the type of the layout.
    Recording::from_slice(&encode(&recording)).expect("what was written reads")
}

fn encode(recording: &Recording) -> Vec<u8> {
    let (bytes, losses) = recording.to_vec().expect("a demo has few keys");
    assert!(losses.is_empty(), "{losses:?}");
    bytes
}

fn memcpy(bencher: Bencher, source: &[u8]) {
    let mut target = vec![0_u8; source.len()];
    bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(source)));
}

macro_rules! benches {
    ($group:ident, $seconds:expr, $layout:expr) => {
        mod $group {
            use super::*;

            #[divan::bench]
            fn memcpy(bencher: Bencher) {
                super::memcpy(bencher, &encode(&demo($seconds, $layout)));
            }

            /// Like `memcpy`, but into newly allocated memory, as in decoding and encoding.
            #[divan::bench]
            fn copy_to_fresh_memory(bencher: Bencher) {
                let bytes = encode(&demo($seconds, $layout));
                bencher.bench_local(|| black_box(&bytes).to_vec());
            }

            #[divan::bench]
            fn index(bencher: Bencher) {
                let bytes = encode(&demo($seconds, $layout));
                bencher.bench_local(|| Index::from_slice(black_box(&bytes)));
            }

            #[divan::bench]
            fn summary(bencher: Bencher) {
                let bytes = encode(&demo($seconds, $layout));
                bencher.bench_local(|| Summary::from_reader(std::io::Cursor::new(black_box(&bytes))));
            }

            #[divan::bench]
            fn decode(bencher: Bencher) {
                let bytes = encode(&demo($seconds, $layout));
                bencher.bench_local(|| Recording::from_slice(black_box(&bytes)));
            }

            #[divan::bench]
            fn encode_to_vec(bencher: Bencher) {
                let take = demo($seconds, $layout);
                bencher.bench_local(|| black_box(&take).to_vec());
            }

            /// Encodes in small pieces like `save`, and discards them.
            #[divan::bench]
            fn encode_in_pieces(bencher: Bencher) {
                let take = demo($seconds, $layout);
                bencher.bench_local(|| black_box(&take).write_to(std::io::sink()));
            }
        }
    };
}

benches!(compact_60s, 60.0, Layout::Compact11);
benches!(full_60s, 60.0, Layout::Full11);
benches!(compact_6000s, 6000.0, Layout::Compact11);
