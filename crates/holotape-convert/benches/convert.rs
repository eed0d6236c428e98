//! Benchmarks of all formats, for a recording of 1 min without key reduction, with a memory copy of the binary file as
//! baseline.

use std::hint::black_box;
use std::io::Write;

use divan::Bencher;
use holotape::demo::DemoOptions;
use holotape::{Recording, Result};
use holotape_convert::bvh::{self, BvhOptions};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::plot::{self, PlotOptions};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{Losses, Space, Timing, arrow, csv, iwer, parquet};

fn main() {
    divan::main();
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(60.0).generate().expect("a demo of that length")
}

fn bytes_of(write: impl Fn(&Recording, &mut Vec<u8>) -> Result<Losses>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = write(&demo(), &mut bytes).expect("writes");
    bytes
}

/// Measures a writer with preallocated memory.
fn bench(bencher: Bencher<'_, '_>, write: impl Fn(&Recording, &mut Vec<u8>) -> Result<Losses>) {
    let recording = demo();
    let mut bytes = Vec::new();
    bencher.bench_local(|| {
        bytes.clear();
        write(&recording, &mut bytes)
    });
}

mod convert_60s {
    use super::*;

    #[divan::bench]
    fn memcpy(bencher: Bencher<'_, '_>) {
        let source = bytes_of(|recording, out| recording.write_to(out).map(Losses::from));
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn parquet_frames(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| parquet::write(recording, &TableOptions::new(), out));
    }

    #[divan::bench]
    fn parquet_keys(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| {
            parquet::write(recording, &TableOptions::new().with_table(TableKind::Keys), out)
        });
    }

    #[divan::bench]
    fn arrow_frames(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| arrow::write(recording, &TableOptions::new(), out));
    }

    #[divan::bench]
    fn csv_frames(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| csv::write(recording, &TableOptions::new(), out));
    }

    #[divan::bench]
    fn glb(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| gltf::write_glb(recording, &GltfOptions::new(), out));
    }

    #[divan::bench]
    fn glb_hierarchy(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| gltf::write_glb(recording, &GltfOptions::new().with_hierarchy(true), out));
    }

    #[divan::bench]
    fn bvh(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| bvh::write(recording, &BvhOptions::new(), out));
    }

    #[divan::bench]
    fn mcap(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| mcap::write(recording, &McapOptions::new(), out));
    }

    #[divan::bench]
    fn iwer(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| iwer::write(recording, Timing::Keys, out));
    }

    #[divan::bench]
    fn plot_svg(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| {
            out.write_all(plot::svg(recording, &PlotOptions::new())?.as_bytes())?;
            Ok(Losses::default())
        });
    }

    #[divan::bench]
    fn read_parquet(bencher: Bencher<'_, '_>) {
        let bytes = bytes_of(|recording, out| parquet::write(recording, &TableOptions::new(), out));
        bencher.bench_local(|| parquet::read(&bytes, Space::Unity));
    }

    #[divan::bench]
    fn read_glb(bencher: Bencher<'_, '_>) {
        let bytes = bytes_of(|recording, out| gltf::write_glb(recording, &GltfOptions::new(), out));
        bencher.bench_local(|| gltf::read(&bytes));
    }

    #[divan::bench]
    fn read_iwer(bencher: Bencher<'_, '_>) {
        let bytes = bytes_of(|recording, out| iwer::write(recording, Timing::Keys, out));
        bencher.bench_local(|| iwer::read(&bytes));
    }
}
