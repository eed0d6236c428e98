//! The record layer on runtimes that lack something or fail, and with several sessions.

use holotape::{Frame, Hand, Recording};
use holotape_openxr::Report;
use openxr_sys as xr;

use crate::fake::{Bed, empty, runtime};
use crate::record::{frames, record, run_frames, saved};

fn tracked_hands(frame: &Frame) -> [bool; 2] {
    Hand::ALL.map(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked))
}

#[test]
fn runtime_without_hands_and_eyes_gives_head_and_its_ray() {
    let bed = Bed::new();
    runtime().extensions.clear();
    let config = bed.record_config();
    let app = bed.start_with(record(&config), &[]).expect("an instance");
    run_frames(&app, 5);
    app.end();
    let (count, _, gaze, notes) = saved(&bed);
    assert_eq!((count, gaze.as_str()), (5, "head"));
    assert!(notes.len() == 1 && notes[0].contains("no hand tracking"), "{notes:?}");
    for frame in frames(&bed.recorded()) {
        let head = frame.camera.expect("a head");
        let gaze = frame.gaze.expect("a gaze");
        assert_eq!(gaze.origin, head.position);
        assert_eq!(tracked_hands(&frame), [false; 2]);
        assert!(gaze.direction.iter().zip(head.forward()).all(|(a, b)| (a - b).abs() < 1e-6));
    }
}

#[test]
fn device_without_hands_is_noted() {
    let bed = Bed::new();
    // The runtime has the extension, but creates no tracker for this device.
    runtime().failing.push(("xrCreateHandTrackerEXT", xr::Result::ERROR_FEATURE_UNSUPPORTED, 2));
    let config = bed.record_config();
    let app = bed.start(record(&config));
    run_frames(&app, 3);
    app.end();
    let (count, .., notes) = saved(&bed);
    assert_eq!(count, 3);
    assert!(notes.len() == 1 && notes[0].contains("no hand tracking"), "{notes:?}");
}

#[test]
fn extensions_of_the_recorder_are_added_to_those_of_the_application() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start_with(record(&config), &[]).expect("an instance");
    assert_eq!(runtime().enabled, ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction"]);
    run_frames(&app, 3);
    app.end();
    let recorded = frames(&bed.recorded());
    assert_eq!(recorded.len(), 3);
    // Hands that the application does not use.
    assert!(recorded.iter().all(|frame| tracked_hands(frame) == [true; 2]));
}

#[test]
fn each_session_has_its_take_and_leaves_nothing() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    for _ in 0..2 {
        let before = runtime().space_count();
        let session = app.session();
        let with_own = runtime().space_count();
        (0..4).for_each(|_| _ = session.frame());
        session.end();
        // The application's spaces are left: it destroys none.
        assert_eq!(runtime().space_count() - before, with_own - before - 3, "spaces of the recorder");
    }
    assert_eq!(runtime().destroyed_trackers, 8, "two of the application and two of the recorder per session");
    app.end();
    for name in ["out.bin", "out-2.bin"] {
        assert_eq!(frames(&Recording::open(bed.path(name)).expect("a recording")).len(), 4, "{name}");
    }
}

#[test]
fn take_is_saved_if_only_the_instance_is_destroyed() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    (0..4).for_each(|_| _ = session.frame());
    // The session is not destroyed.
    app.end();
    assert_eq!(frames(&bed.recorded()).len(), 4);
}

#[test]
fn runtime_that_refuses_a_space_leaves_the_session_to_the_application() {
    let bed = Bed::new();
    runtime().failing.push(("xrCreateReferenceSpace", xr::Result::ERROR_RUNTIME_FAILURE, 1));
    let config = bed.record_config();
    let app = bed.start(record(&config));
    run_frames(&app, 3);
    app.end();
    let reports = bed.reports();
    let [Report::Failed { message }] = reports.as_slice() else { panic!("{reports:?}") };
    assert!(message.contains("ERROR_RUNTIME_FAILURE"), "{message}");
    assert!(!bed.path("out.bin").exists());
}

#[test]
fn runtime_that_refuses_the_actions_of_the_recorder_gets_those_of_the_application() {
    for function in ["xrSuggestInteractionProfileBindings", "xrAttachSessionActionSets", "xrSyncActions"] {
        let bed = Bed::new();
        runtime().failing.push((function, xr::Result::ERROR_RUNTIME_FAILURE, 1));
        let config = bed.record_config();
        // The call of the application succeeds, because the layer repeats it without its own actions.
        let app = bed.start(record(&config));
        run_frames(&app, 3);
        app.end();
        assert_eq!(frames(&bed.recorded()).len(), 3, "{function}");
        assert!(runtime().failing.iter().all(|(.., count)| *count == 0), "{function} was not called");
    }
}

#[test]
fn frame_is_recorded_without_what_the_runtime_cannot_locate() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    session.frame();
    let seen = session.see(session.begin());
    let failed = xr::Result::ERROR_RUNTIME_FAILURE;
    runtime().failing.extend([("xrLocateHandJointsEXT", failed, 2), ("xrGetActionStateFloat", failed, 2)]);
    session.submit(&seen);
    session.frame();
    session.end();
    app.end();
    let has_hands: Vec<_> = frames(&bed.recorded()).iter().map(tracked_hands).collect();
    assert_eq!(has_hands, [[true; 2], [false; 2], [true; 2]]);
}

#[test]
fn frame_that_the_runtime_refuses_is_not_recorded() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    session.frame();
    let nanos = session.begin();
    runtime().failing.push(("xrEndFrame", xr::Result::ERROR_TIME_INVALID, 1));
    assert_eq!(session.try_end_frame(nanos, &[]), xr::Result::ERROR_TIME_INVALID);
    session.frame();
    session.end();
    app.end();
    assert_eq!(frames(&bed.recorded()).len(), 2);
}

#[test]
fn controllers_are_noted() {
    let bed = Bed::new();
    runtime().profile = "/interaction_profiles/khr/simple_controller";
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    let mut event: xr::EventDataInteractionProfileChanged = empty(xr::EventDataInteractionProfileChanged::TYPE);
    event.session = session.handle;
    runtime().push_event(event);
    app.poll();
    session.frame();
    session.end();
    app.end();
    let (.., notes) = saved(&bed);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].starts_with("The left controller (/interaction_profiles/khr/simple_controller)"), "{notes:?}");
}
