//! The time that the layers add to a frame of an application, on a runtime whose calls cost next to nothing.
//!
//! The application waits for a frame, synchronizes actions, asks for the views, the head, both hands, gaze and two actions,
//! and submits a layer. Every frame is measured by itself, with pauses between frames, in which the record layer's thread
//! writes. Fails if a layer adds more than 20 µs at the median, or two layers more than 40 µs.

use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

use holotape::demo::DemoOptions;

#[path = "../tests/fake/mod.rs"]
mod fake;

use fake::{Bed, Layers};

const WARM_UP: usize = 100;
const FRAMES: usize = 4000;
const PAUSE: Duration = Duration::from_millis(1);
const MAX_ADDED_PER_LAYER: Duration = Duration::from_micros(20);

fn main() -> ExitCode {
    let bed = Bed::new();
    let demo = DemoOptions::new().with_seconds(60.0).generate().expect("a demo");
    let (record, replay) = (bed.record_config(), bed.replay_config(&demo));
    let (record, replay) = (Some(&record), Some(&replay));
    let runs = [
        ("no layer", Layers::default()),
        ("record", Layers { record, replay: None }),
        ("replay", Layers { record: None, replay }),
        ("record, replay", Layers { record, replay }),
    ];
    let mut alone = None;
    let mut is_fast = true;
    println!("layers            frame, median    added, median    added, 99 %");
    for (name, layers) in runs {
        let times = measure(&bed, layers);
        let [median, slow] = [times[FRAMES / 2], times[FRAMES * 99 / 100]];
        let base = *alone.get_or_insert((median, slow));
        let (added, added_slow) = (median.saturating_sub(base.0), slow.saturating_sub(base.1));
        println!("{name:<16}  {:>13}    {:>13}    {:>11}", micros(median), micros(added), micros(added_slow));
        let count = u32::from(layers.record.is_some()) + u32::from(layers.replay.is_some());
        is_fast &= added <= MAX_ADDED_PER_LAYER * count;
    }
    if is_fast { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The durations of all frames, sorted.
fn measure(bed: &Bed, layers: Layers<'_>) -> Vec<Duration> {
    let app = bed.start(layers);
    let session = app.session();
    let mut times: Vec<_> = (0..WARM_UP + FRAMES)
        .map(|_| {
            sleep(PAUSE);
            let start = Instant::now();
            std::hint::black_box(session.frame());
            start.elapsed()
        })
        .skip(WARM_UP)
        .collect();
    session.end();
    app.end();
    times.sort_unstable();
    times
}

fn micros(duration: Duration) -> String {
    format!("{:.1} µs", duration.as_secs_f64() * 1e6)
}
