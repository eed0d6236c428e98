//! The replay layer: the application sees the recording, whatever the device does.

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Frame, Hand, Joint, Recording, Sampler, Skeleton};
use holotape_openxr::{ReplayConfig, Report};
use openxr_sys as xr;

use crate::fake::{Bed, FIRST_NANOS, Layers, PERIOD_NANOS, Rigid, SeenFrame, head_in_stage, runtime};
use crate::record::{frames, nanos_of};

const PERIOD_SECS: f64 = PERIOD_NANOS as f64 * 1e-9;

pub(crate) fn replay(config: &ReplayConfig) -> Layers<'_> {
    Layers { record: None, replay: Some(config) }
}

/// A recording with gaps and pinches.
pub(crate) fn demo() -> Recording {
    let flags = |recording: &Recording, flag: fn(&Recording, Hand) -> BoolCurve| {
        Hand::ALL.map(|hand| flag(recording, hand).spans_within_secs(6.0).len())
    };
    let demos = (1..1000).map(|seed| DemoOptions::new().with_seed(seed).with_seconds(6.0).generate().expect("a demo"));
    let mut demos = demos.filter(|demo| {
        let tracked = flags(demo, |demo, hand| demo.hand(hand).tracked.clone());
        let pinching = flags(demo, |demo, hand| demo.hand(hand).pinching.clone());
        tracked.iter().any(|spans| *spans > 1) && pinching.iter().any(|spans| *spans > 0)
    });
    demos.next().expect("a demo with a gap and a pinch")
}

/// Asserts that the application has seen a frame of the recording, whose space is the application's.
fn assert_seen(n: usize, seen: &SeenFrame, frame: &Frame) {
    let head = Rigid::from_recording(frame.camera.expect("a head"));
    head.assert_near(seen.head.expect("a head"), &format!("frame {n}: head"));
    for (eye, x) in seen.views.into_iter().zip([-0.032, 0.032]) {
        let expected = head.then(Rigid::new(0.0, [x, 0.0, 0.0]));
        expected.assert_near(eye.expect("an eye"), &format!("frame {n}: eye"));
    }
    let gaze = frame.gaze.expect("a gaze");
    let seen_gaze = seen.gaze.expect("a gaze");
    let direction = glam::DVec3::from_array(gaze.direction.map(f64::from)) * glam::DVec3::new(1.0, 1.0, -1.0);
    assert!((seen_gaze.rotation * glam::DVec3::NEG_Z).distance(direction.normalize()) < 1e-5, "frame {n}: gaze");
    for hand in Hand::ALL {
        let seen = &seen.hands[hand as usize];
        let tracked = frame.hand(hand).filter(|hand| hand.tracked);
        assert_eq!(seen.is_active, tracked.is_some(), "frame {n}: {hand} is tracked");
        for joint in Joint::ALL {
            let (Some(index), Some(tracked)) = (Skeleton::OpenXr.index(joint), tracked) else { continue };
            let pose = Rigid::from_recording(tracked.joint(joint).expect("a joint"));
            pose.assert_near(seen.joints[index].expect("a joint"), &format!("frame {n}: {hand} {joint}"));
        }
    }
}

/// Replays a recording and compares what the application sees at each frame with the recording at `secs_of` the frame.
fn assert_replayed(bed: &Bed, config: &ReplayConfig, count: usize, secs_of: impl Fn(usize) -> f64) {
    let recording = Recording::open(&config.recording).expect("a recording");
    let mut sampler: Sampler = recording.sampler();
    let app = bed.start(replay(config));
    let session = app.session();
    for n in 0..count {
        let seen = session.frame();
        assert_seen(n, &seen, &sampler.frame_at(secs_of(n)));
        assert!(seen.head != Some(head_in_stage(seen.nanos)), "frame {n}: the head of the device");
    }
    session.end();
    app.end();
}

#[test]
fn application_sees_the_recording() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    assert_replayed(&bed, &config, 500, |n| n as f64 * PERIOD_SECS);
    assert_eq!(runtime().destroyed_trackers, 0, "the runtime never sees the layer's trackers");
    assert!(matches!(bed.reports().as_slice(), [Report::Replaying { space, .. }] if space == "STAGE"));
}

#[test]
fn start_speed_and_repetition_choose_the_time_of_the_recording() {
    let bed = Bed::new();
    let base = bed.replay_config(&demo());
    let config = ReplayConfig { start_secs: 1.5, ..base.clone() };
    assert_replayed(&bed, &config, 90, |n| 1.5 + n as f64 * PERIOD_SECS);
    let config = ReplayConfig { speed: 2.5, ..base.clone() };
    assert_replayed(&bed, &config, 90, |n| 2.5 * n as f64 * PERIOD_SECS);
    let duration_secs = f64::from(demo().duration_secs());
    let config = ReplayConfig { start_secs: 5.0, looping: true, ..base.clone() };
    assert_replayed(&bed, &config, 300, |n| (5.0 + n as f64 * PERIOD_SECS) % duration_secs);
    let config = ReplayConfig { step_secs: Some(0.1), ..base };
    assert_replayed(&bed, &config, 50, |n| n as f64 * 0.1);
}

#[test]
fn application_is_asked_to_end_once() {
    let bed = Bed::new();
    let start_secs = f64::from(demo().duration_secs()) - 0.1;
    let config = ReplayConfig { start_secs, exit_at_end: true, ..bed.replay_config(&demo()) };
    let app = bed.start(replay(&config));
    let session = app.session();
    let mut requests = Vec::new();
    for n in 0..30 {
        if n == 0 {
            runtime().failing.push(("xrRequestExitSession", xr::Result::ERROR_SESSION_NOT_RUNNING, 2));
        }
        session.frame();
        requests.push(runtime().exit_requests);
    }
    session.end();
    app.end();
    // 0.1 s are nine frames. Two requests fail, and are repeated.
    assert_eq!(requests[8], 0);
    assert_eq!(requests.last(), Some(&1));
}

#[test]
fn pinches_are_the_select_action_of_the_application() {
    let bed = Bed::new();
    let recording = demo();
    let config = bed.replay_config(&recording);
    let app = bed.start(replay(&config));
    let session = app.session();
    let mut sampler = recording.sampler();
    let mut pinches = 0;
    for n in 0..500 {
        let seen = session.frame();
        let frame = sampler.frame_at(n as f64 * PERIOD_SECS);
        for hand in Hand::ALL {
            let tracked = frame.hand(hand).filter(|hand| hand.tracked);
            let pinching = tracked.map(|hand| hand.pinching);
            assert_eq!(seen.select[hand as usize], pinching, "frame {n}: {hand}");
            pinches += usize::from(pinching == Some(true));
        }
    }
    assert!(pinches > 0);
    assert_eq!(session.profile(), "/interaction_profiles/khr/simple_controller");
    let events = app.poll();
    assert_eq!(events, [xr::StructureType::EVENT_DATA_INTERACTION_PROFILE_CHANGED]);
    session.end();
    app.end();
}

#[test]
fn layer_has_hands_and_gaze_where_the_runtime_has_none() {
    let bed = Bed::new();
    runtime().extensions.clear();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    assert_eq!(runtime().enabled, [""; 0], "the runtime must not see extensions that it does not have");
    assert_eq!(app.supports(), [true; 2]);
    assert_eq!(runtime().suggested, ["/interaction_profiles/khr/simple_controller"]);
    app.end();
    assert_replayed(&bed, &config, 100, |n| n as f64 * PERIOD_SECS);
}

#[test]
fn recording_that_cannot_be_read_leaves_the_device() {
    let bed = Bed::new();
    let config = ReplayConfig { recording: bed.path("missing.bin"), ..bed.replay_config(&demo()) };
    let app = bed.start(replay(&config));
    let session = app.session();
    let seen = session.frame();
    head_in_stage(seen.nanos).assert_near(seen.head.expect("a head"), "head");
    assert!(seen.hands[0].is_active && seen.gaze.is_none());
    session.end();
    app.end();
    assert!(matches!(bed.reports().as_slice(), [Report::Failed { message }] if message.contains("missing.bin")));
}

#[test]
fn each_session_starts_at_the_beginning() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let mut sampler = demo().sampler();
    for _ in 0..2 {
        let spaces = runtime().space_count();
        let session = app.session();
        for n in 0..20 {
            assert_seen(n, &session.frame(), &sampler.frame_at(n as f64 * PERIOD_SECS));
        }
        session.end();
        // The application destroys none of its five spaces.
        assert_eq!(runtime().space_count(), spaces + 5, "spaces of the layer");
    }
    app.end();
}

#[test]
fn errors_of_the_runtime_reach_the_application() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let session = app.session();
    session.frame();
    assert_eq!(session.locate(session.view, session.base, 0), Err(xr::Result::ERROR_TIME_INVALID));
    let local = session.reference_space(xr::ReferenceSpaceType::LOCAL, Rigid::IDENTITY);
    runtime().failing.push(("xrLocateSpace", xr::Result::ERROR_RUNTIME_FAILURE, 1));
    assert_eq!(session.locate(session.view, local, nanos_of(1)), Err(xr::Result::ERROR_RUNTIME_FAILURE));
    let nanos = session.begin();
    runtime().failing.push(("xrEndFrame", xr::Result::ERROR_TIME_INVALID, 1));
    assert_eq!(session.try_end_frame(nanos, &[]), xr::Result::ERROR_TIME_INVALID);
    session.end();
    app.end();
}

#[test]
fn recorder_above_the_replayer_records_the_recording() {
    let bed = Bed::new();
    let recording = demo();
    let (record, replay) = (bed.record_config(), bed.replay_config(&recording));
    // The recorder adds hands and gaze even if neither application nor runtime have them.
    runtime().extensions.clear();
    let app = bed.start_with(Layers { record: Some(&record), replay: Some(&replay) }, &[]).expect("an instance");
    let session = app.session();
    (0..400).for_each(|_| _ = session.frame());
    session.end();
    app.end();
    let mut sampler = recording.sampler();
    let recorded = frames(&bed.recorded());
    assert_eq!(recorded.len(), 400);
    for (n, frame) in recorded.iter().enumerate() {
        let original = sampler.frame_at(n as f64 * PERIOD_SECS);
        let [head, expected] = [frame, &original].map(|frame| Rigid::from_recording(frame.camera.expect("a head")));
        head.assert_near(expected, &format!("frame {n}: head"));
        for hand in Hand::ALL {
            let [taken, original] = [frame, &original].map(|frame| frame.hand(hand).filter(|hand| hand.tracked));
            assert_eq!(taken.is_some(), original.is_some(), "frame {n}: {hand} is tracked");
            assert_eq!(taken.map(|hand| hand.pinching), original.map(|hand| hand.pinching), "frame {n}: {hand} pinch");
            if let Some((taken, original)) = taken.zip(original) {
                let [taken, original] =
                    [taken, original].map(|hand| Rigid::from_recording(hand.joint(Joint::IndexTip).expect("a joint")));
                taken.assert_near(original, &format!("frame {n}: {hand} index tip"));
            }
        }
    }
    assert_eq!(runtime().next_nanos, FIRST_NANOS + 400 * PERIOD_NANOS);
}
