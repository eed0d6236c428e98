//! Benchmarks of all formats, for a recording of 1 min without key reduction, with a memory copy of the binary file as
//! baseline.

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;

use divan::Bencher;
use holotape::demo::DemoOptions;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{Frame, Recording, Result, times_at_rate};
use holotape_convert::bvh::{self, BvhOptions};
use holotape_convert::compression::Compression;
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::plot::{self, PlotOptions};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{Losses, Space, Timing, arrow, csv, isaac, iwer, parquet};

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
    fn isaac(bencher: Bencher<'_, '_>) {
        bench(bencher, |recording, out| isaac::write(recording, Timing::Keys, out));
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
    fn read_isaac(bencher: Bencher<'_, '_>) {
        let bytes = bytes_of(|recording, out| isaac::write(recording, Timing::Keys, out));
        bencher.bench_local(|| isaac::read(&bytes));
    }

    #[divan::bench]
    fn read_iwer(bencher: Bencher<'_, '_>) {
        let bytes = bytes_of(|recording, out| iwer::write(recording, Timing::Keys, out));
        bencher.bench_local(|| iwer::read(&bytes));
    }
}

/// Opens a file and samples it at 60 Hz, compressed and not, with one key per frame and after key reduction.
mod open_60s {
    use super::*;

    struct File {
        _folder: tempfile::TempDir,
        path: PathBuf,
    }

    fn file(recording: &Recording, name: &str) -> File {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        let mut bytes = Vec::new();
        let _ = Compression::from_path(&path).write(&mut bytes, |out| recording.write_to(out)).expect("writes");
        std::fs::write(&path, bytes).expect("writes");
        File { _folder: folder, path }
    }

    fn reduced() -> Recording {
        let mut recording = demo();
        let _ = optimize(&mut recording, &OptimizeOptions::new());
        recording
    }

    fn open_and_sample(bencher: Bencher<'_, '_>, recording: &Recording, name: &str) {
        let file = file(recording, name);
        let mut frame = Frame::default();
        bencher.bench_local(|| {
            let recording = holotape_convert::open(&file.path).expect("opens").recording;
            let mut sampler = recording.sampler();
            for time in times_at_rate(0.0..=recording.duration_secs().into(), 60.0) {
                sampler.frame_into(time, black_box(&mut frame));
            }
        });
    }

    #[divan::bench]
    fn memcpy(bencher: Bencher<'_, '_>) {
        let source = bytes_of(|recording, out| recording.write_to(out).map(Losses::from));
        let mut target = vec![0_u8; source.len()];
        bencher.bench_local(|| black_box(&mut target).copy_from_slice(black_box(&source)));
    }

    #[divan::bench]
    fn sample_bin(bencher: Bencher<'_, '_>) {
        open_and_sample(bencher, &demo(), "take.bin");
    }

    #[divan::bench]
    fn sample_bin_zst(bencher: Bencher<'_, '_>) {
        open_and_sample(bencher, &demo(), "take.bin.zst");
    }

    #[divan::bench]
    fn sample_bin_gz(bencher: Bencher<'_, '_>) {
        open_and_sample(bencher, &demo(), "take.bin.gz");
    }

    #[divan::bench]
    fn sample_reduced_bin(bencher: Bencher<'_, '_>) {
        open_and_sample(bencher, &reduced(), "take.bin");
    }

    #[divan::bench]
    fn sample_reduced_bin_zst(bencher: Bencher<'_, '_>) {
        open_and_sample(bencher, &reduced(), "take.bin.zst");
    }
}
