//! Whatever goes wrong in a layer, the application runs as if the layer were not there.

use std::fs;

use holotape_openxr::{RecordConfig, Report};

use crate::bed::{Bed, Device, Layer};

const ARGS: [&str; 2] = ["--frames", "20"];

#[test]
fn recording_that_cannot_be_opened_is_reported_and_the_application_runs() {
    for (content, reason) in [(None, "in.bin"), (Some("not a recording"), "in.bin")] {
        let bed = Bed::new();
        if let Some(content) = content {
            fs::write(bed.path("in.bin"), content).expect("written");
        }
        let config = bed.replay_config();
        let run = bed.run_client(Device::Simulated, &[Layer::Replay(Some(&config))], &ARGS).expect_success();
        assert_eq!(run.frames.len(), 20);
        // The loader offers the extensions of the layer, which has no hands and no gaze.
        assert_eq!(run.system["hand_tracking"], false);
        assert_eq!(run.system["eye_gaze"], false);
        assert!(run.frames.iter().all(|frame| frame.head.is_some() && frame.gaze.is_none()));
        let reports = bed.reports();
        let [Report::Failed { message }] = reports.as_slice() else { panic!("{reports:?}") };
        assert!(message.contains(reason), "{message}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn layers_without_options_do_nothing() {
    let bed = Bed::new();
    let run = bed.run_client(Device::Remote, &[Layer::Record(None), Layer::Replay(None)], &ARGS).expect_success();
    assert_eq!(run.frames.len(), 20);
    assert!(run.frames.iter().all(|frame| frame.head.is_some() && frame.hands.iter().all(|hand| hand.is_active)));
    for variable in ["HOLOTAPE_OPENXR_RECORD is not set", "HOLOTAPE_OPENXR_REPLAY is not set"] {
        assert!(run.stderr.contains(variable), "{}", run.stderr);
    }
}

#[test]
fn recording_that_cannot_be_written_is_reported_and_the_application_runs() {
    let bed = Bed::new();
    let config = RecordConfig { out: bed.path("missing/out.bin"), ..bed.record_config() };
    let run = bed.run_client(Device::Remote, &[Layer::Record(Some(&config))], &ARGS).expect_success();
    assert_eq!(run.frames.len(), 20);
    let reports = bed.reports();
    let [Report::Failed { message }] = reports.as_slice() else { panic!("{reports:?}") };
    assert!(message.contains("missing"), "{message}");
    assert!(run.stderr.contains(message), "{}", run.stderr);
}
