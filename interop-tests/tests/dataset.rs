//! DuckDB, pyarrow and Polars read datasets.

use std::fs;
use std::ops::ControlFlow;

use holotape::demo::DemoOptions;
use holotape::stats::{Stats, StatsOptions};
use holotape::{Hand, Joint, Recording};
use holotape_corpus::{BuildOptions, build};
use holotape_interop_tests::{json_output, python};
use serde_json::{Value, json};

/// The x position of the right palm.
fn palm_x(recording: &Recording, time: f64) -> Option<f32> {
    let frame = recording.sampler().frame_at(time);
    frame.hand(Hand::Right).and_then(|hand| hand.joint(Joint::Palm)).map(|palm| palm.position[0])
}

#[test]
fn all_readers_return_the_source_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, out) = (folder.path().join("source"), folder.path().join("dataset"));
    let (mut frames, mut one, mut pinches) = (Vec::new(), Vec::new(), 0);
    for seed in 0..70 {
        let name = format!("p{:02}/reach-{seed:02}.bin", seed / 4);
        fs::create_dir_all(source.join(&name).parent().expect("a folder")).expect("made");
        let recording = DemoOptions::new().with_seed(seed).with_seconds(3.0).generate().expect("a demo");
        assert!(recording.save(source.join(&name)).expect("saved").is_empty());
        let times: Vec<f64> = recording.sampler().times_at_rate(60.0).collect();
        let xs: Vec<_> = times.iter().map(|time| palm_x(&recording, *time)).collect();
        let max_x = xs.iter().flatten().copied().fold(f32::MIN, f32::max);
        frames.push(json!([name, times.len(), f64::from(max_x)]));
        if seed == 1 {
            one = times.iter().zip(&xs).map(|(time, x)| json!([time, x.map(f64::from)])).collect();
        }
        let stats = Stats::from_recording(&recording, &StatsOptions::new()).expect("numbers");
        pinches += stats.right.map_or(0, |hand| hand.pinches.count);
    }
    fs::write(source.join("broken.bin"), "not a recording").expect("written");
    let report = build([&source], &out, &BuildOptions::new(), |_| ControlFlow::Continue(())).expect("built");
    assert!(report.partition_count > 1, "several partitions");
    let seen = json_output(python("dataset.py").arg(&out));
    for reader in ["duckdb", "pyarrow", "polars"] {
        assert!(seen[reader]["frames"] == Value::from(frames.clone()), "{reader}: {}", seen[reader]["frames"]);
        assert!(seen[reader]["one"] == Value::from(one.clone()), "{reader}: one recording");
        assert_eq!(seen[reader]["pinches"], pinches, "{reader}");
        assert_eq!(seen[reader]["broken"], json!(["broken.bin"]), "{reader}");
    }
}
