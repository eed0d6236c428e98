//! The record layer above the replay layer: it records what is replayed.

use std::fs;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Frame, Hand, Recording};
use holotape_interop_tests::holotape;
use holotape_openxr::{RecordConfig, ReplayConfig, Report, SpaceChoice};

use crate::bed::{Bed, Device, Layer};
use crate::near::Near;
use crate::record::frames;

/// Replays a recording, and returns what was recorded from it.
fn record_replay(recording: &Recording, space: SpaceChoice, replay_space: SpaceChoice) -> Recording {
    let bed = Bed::new();
    bed.save_input(recording);
    let record = RecordConfig { space, ..bed.record_config() };
    let replay = ReplayConfig { exit_at_end: true, space: replay_space, ..bed.replay_config() };
    let layers = [Layer::Record(Some(&record)), Layer::Replay(Some(&replay))];
    let run = bed.run_client(Device::Simulated, &layers, &["--frames", "100000"]).expect_success();
    let reports = bed.reports();
    let saved = reports.iter().find_map(|report| match report {
        Report::Saved { frames, gaze, notes, .. } => Some((*frames, gaze.as_str(), notes.as_slice())),
        _ => None,
    });
    assert_eq!(saved, Some((run.frames.len() as u64, "eyes", [].as_slice())), "{reports:?}");
    Recording::open(bed.path("out.bin")).expect("a recording")
}

fn is_pinching(frame: &Frame, hand: Hand) -> bool {
    frame.hand(hand).is_some_and(|hand| hand.tracked && hand.pinching)
}

/// Asserts that the frames of a take are those of the recording at the same times.
fn assert_same_motion(what: &str, recording: &Recording, take: &Recording) {
    let (mut sampler, mut poses) = (recording.sampler(), Near::new(2e-4, 0.05));
    let mut before = sampler.frame_at(0.0);
    let taken = frames(take);
    for (n, taken) in taken.iter().enumerate() {
        let frame = sampler.frame_at(taken.time.min(f64::from(recording.duration_secs())));
        poses.frames(&format!("{what}: frame {n}"), &frame, taken);
        // The application synchronizes actions before the frame, so pinches may be those of the last one.
        for hand in Hand::ALL {
            let recorded = [&before, &frame].map(|frame| is_pinching(frame, hand));
            assert!(recorded.contains(&is_pinching(taken, hand)), "{what}: frame {n}: {hand} pinch");
        }
        before = frame;
    }
    let end = taken.last().map_or(0.0, |frame| frame.time);
    assert!(end >= f64::from(recording.duration_secs()), "{what}: ended after {end} s");
    poses.finish(what, taken.len() * 28);
}

const DEMO_SECS: f64 = 6.0;

/// Longer than a busy machine takes for a frame.
const MIN_SECS: f64 = 0.5;

/// Whether a hand is lost and found again, and whether a hand pinches.
fn has_gap_and_pinch(recording: &Recording) -> [bool; 2] {
    let hands = || Hand::ALL.into_iter().map(|hand| recording.hand(hand));
    let spans = |flag: &BoolCurve| flag.spans_within_secs(DEMO_SECS);
    let has_gap = |tracked: &BoolCurve| spans(tracked).windows(2).any(|pair| pair[1].start - pair[0].end > MIN_SECS);
    let has_pinch = |pinching: &BoolCurve| spans(pinching).iter().any(|span| span.end - span.start > MIN_SECS);
    [hands().any(|hand| has_gap(&hand.tracked)), hands().any(|hand| has_pinch(&hand.pinching))]
}

#[test]
fn recorded_replay_of_a_demo_has_its_motion() {
    let demos = (1..1000).map(|seed| DemoOptions::new().with_seed(seed).with_seconds(DEMO_SECS).generate());
    let mut demos = demos.map(|demo| demo.expect("a demo"));
    let demo = demos.find(|demo| has_gap_and_pinch(demo) == [true; 2]).expect("a demo with a gap and a pinch");
    let take = record_replay(&demo, SpaceChoice::Auto, SpaceChoice::Auto);
    assert_same_motion("demo", &demo, &take);
    let flags = Hand::ALL.map(|hand| take.hand(hand));
    assert!(flags.iter().any(|hand| hand.tracked.spans_within_secs(DEMO_SECS).len() > 1), "no gap");
    assert!(flags.iter().any(|hand| !hand.pinching.spans_within_secs(DEMO_SECS).is_empty()), "no pinch");
}

#[test]
fn recorded_replay_of_an_mrtk_recording_has_its_motion() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/valid/mrtk28_all.bin");
    let recording = Recording::open(path).expect("a recording");
    let take = record_replay(&recording, SpaceChoice::Local, SpaceChoice::Local);
    assert_same_motion("MRTK", &recording, &take);
}

/// The folder of the test has manifests too, so the loader finds every layer twice.
#[test]
fn commands_inside_each_other_record_the_replay() {
    let bed = Bed::new();
    let demo = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    bed.save_input(&demo);
    fs::copy(holotape().get_program(), bed.path("holotape")).expect("the program");
    let script = "cd \"$0\" && ./holotape openxr record out.bin -- \
        ./holotape openxr replay in.bin --exit-at-end -- ./client.py --frames 100000";
    let folder = bed.path("");
    let output = bed.run(Device::Simulated, &[], &["sh", "-c", script, folder.to_str().expect("UTF-8")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("gaze of the eyes"), "{stderr}");
    assert_same_motion("commands", &demo, &Recording::open(bed.path("out.bin")).expect("a recording"));
}
