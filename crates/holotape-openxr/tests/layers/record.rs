//! The record layer: everything that a device does, in a space that does not move.

use std::io::Write as _;

use holotape::record::journal_path;
use holotape::{Frame, Hand, Joint, Recording, Skeleton};
use holotape_openxr::{RecordConfig, Report, SpaceChoice};
use openxr_sys as xr;

use crate::fake::{
    App, Bed, FIRST_NANOS, Layers, Options, PERIOD_NANOS, Rigid, Session, empty, hand_in_stage, head_in_stage, runtime,
};

pub(crate) fn record(config: &RecordConfig) -> Layers<'_> {
    Layers { record: Some(config), replay: None }
}

/// The frames of a recording at its own times.
pub(crate) fn frames(recording: &Recording) -> Vec<Frame> {
    let camera = recording.camera.as_ref().expect("a camera channel");
    let mut sampler = recording.sampler();
    camera.position[0].keys.iter().map(|key| sampler.frame_at(f64::from(key.time))).collect()
}

/// Runs a session of this number of frames.
pub(crate) fn run_frames(app: &App, count: usize) {
    let session = app.session();
    (0..count).for_each(|_| _ = session.frame());
    session.end();
}

/// The time of a frame.
pub(crate) fn nanos_of(frame: usize) -> i64 {
    FIRST_NANOS + frame as i64 * PERIOD_NANOS
}

/// The report of the only take.
pub(crate) fn saved(bed: &Bed) -> (u64, String, String, Vec<String>) {
    let reports = bed.reports();
    let [Report::Started { .. }, Report::Saved { frames, space, gaze, notes, .. }] = reports.as_slice() else {
        panic!("{reports:?}")
    };
    (*frames, space.clone(), gaze.clone(), notes.clone())
}

fn assert_device(bed: &Bed, count: usize, base_in_stage: Rigid) {
    let recorded = frames(&bed.recorded());
    assert_eq!(recorded.len(), count);
    let from_stage = base_in_stage.inverse();
    for (n, frame) in recorded.iter().enumerate() {
        let nanos = nanos_of(n);
        assert!((frame.time - n as f64 * 1e-9 * PERIOD_NANOS as f64).abs() < 1e-6, "frame {n}: {}", frame.time);
        let head = Rigid::from_recording(frame.camera.expect("a head"));
        head.assert_near(from_stage.then(head_in_stage(nanos)), &format!("frame {n}: head"));
        for hand in Hand::ALL {
            let joints = frame.hand(hand).filter(|hand| hand.tracked).expect("a tracked hand");
            for joint in Joint::ALL {
                let Some(index) = Skeleton::OpenXr.index(joint) else { continue };
                let pose = Rigid::from_recording(joints.joint(joint).expect("a joint"));
                let device = from_stage.then(hand_in_stage(hand as usize, index, nanos));
                pose.assert_near(device, &format!("frame {n}: {hand} {joint}"));
            }
        }
    }
}

#[test]
fn every_frame_of_the_device_is_recorded() {
    for (choice, has_stage, name) in
        [(SpaceChoice::Auto, true, "STAGE"), (SpaceChoice::Auto, false, "LOCAL"), (SpaceChoice::Local, true, "LOCAL")]
    {
        let bed = Bed::new();
        runtime().has_stage = has_stage;
        let config = RecordConfig { space: choice, ..bed.record_config() };
        let app = bed.start(record(&config));
        let base = if has_stage { xr::ReferenceSpaceType::STAGE } else { xr::ReferenceSpaceType::LOCAL };
        let session = app.try_session(Options { base, ..Options::default() }).expect("a session");
        (0..30).for_each(|_| _ = session.frame());
        session.end();
        app.end();
        let base_in_stage = if name == "STAGE" { Rigid::IDENTITY } else { runtime().local_in_stage };
        assert_device(&bed, 30, base_in_stage);
        assert_eq!(saved(&bed), (30, name.to_owned(), "head".to_owned(), Vec::new()));
        assert!(!journal_path(bed.path("out.bin")).exists());
    }
}

#[test]
fn application_does_not_see_the_recorder() {
    let bed = Bed::new();
    let config = bed.record_config();
    let sees = |layers| {
        runtime().next_nanos = FIRST_NANOS;
        let app = bed.start(layers);
        let session = app.session();
        let seen = [session.frame(), session.frame()];
        session.end();
        app.end();
        seen
    };
    assert_eq!(sees(record(&config)), sees(Layers::default()));
}

#[test]
fn times_that_are_located_are_the_frames_of_a_headless_session() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.try_session(Options { is_headless: true, ..Options::default() }).expect("a session");
    for n in 0..20 {
        session.see(nanos_of(n));
        // Also a time before that, as for velocities.
        session.locate(session.view, session.base, nanos_of(n) - 5_000_000).expect("an answer");
    }
    session.end();
    app.end();
    assert_device(&bed, 20, Rigid::IDENTITY);
}

/// Queues the event by which the runtime announces that LOCAL moves.
fn push_recentering(session: &Session<'_>, time_nanos: i64, pose: Option<Rigid>) {
    let mut event: xr::EventDataReferenceSpaceChangePending = empty(xr::EventDataReferenceSpaceChangePending::TYPE);
    event.session = session.handle;
    event.reference_space_type = xr::ReferenceSpaceType::LOCAL;
    event.change_time = xr::Time::from_nanos(time_nanos);
    event.pose_valid = pose.is_some().into();
    event.pose_in_previous_space = pose.unwrap_or(Rigid::IDENTITY).to_openxr();
    runtime().push_event(event);
}

#[test]
fn recentering_does_not_move_the_take() {
    let bed = Bed::new();
    let config = RecordConfig { space: SpaceChoice::Local, ..bed.record_config() };
    let app = bed.start(record(&config));
    let session = app.session();
    let before = runtime().local_in_stage;
    let moved = Rigid::new(-35.0, [0.4, -0.1, 0.7]);
    runtime().recentering = Some((nanos_of(10), before.then(moved)));
    for n in 0..20 {
        if n == 7 {
            // The event comes before the time of the change.
            push_recentering(&session, nanos_of(10), Some(moved));
        }
        app.poll();
        session.frame();
    }
    session.end();
    app.end();
    assert_device(&bed, 20, before);
    let markers = bed.recorded().markers;
    let names: Vec<_> = markers.iter().map(|marker| marker.name.as_str()).collect();
    assert_eq!(names, ["recentered"]);
    let time_secs = 10.0 * 1e-9 * PERIOD_NANOS as f64;
    assert!((f64::from(markers[0].time) - time_secs).abs() < 1e-5, "{markers:?}");
    assert_eq!(saved(&bed).3, [""; 0]);
}

#[test]
fn recentering_to_an_unknown_place_is_noted() {
    let bed = Bed::new();
    let config = RecordConfig { space: SpaceChoice::Local, ..bed.record_config() };
    let app = bed.start(record(&config));
    let session = app.session();
    session.frame();
    push_recentering(&session, nanos_of(1), None);
    app.poll();
    session.frame();
    session.end();
    app.end();
    let (.., notes) = saved(&bed);
    assert!(notes.len() == 1 && notes[0].contains("unknown place"), "{notes:?}");
}

#[test]
fn session_states_and_lines_of_a_file_become_markers() {
    let bed = Bed::new();
    let config = RecordConfig { markers: Some(bed.path("markers")), ..bed.record_config() };
    let app = bed.start(record(&config));
    let session = app.session();
    // The second frame waits for the first, before which the layer opens the file.
    session.frame();
    session.frame();
    let mut event: xr::EventDataSessionStateChanged = empty(xr::EventDataSessionStateChanged::TYPE);
    (event.session, event.state) = (session.handle, xr::SessionState::FOCUSED);
    event.time = xr::Time::from_nanos(nanos_of(1));
    runtime().push_event(event);
    app.poll();
    let mut file = std::fs::OpenOptions::new().append(true).open(bed.path("markers")).expect("a file");
    file.write_all(b"level 1\nboss\n").expect("written");
    session.frame();
    session.end();
    app.end();
    let markers = bed.recorded().markers;
    let mut names: Vec<_> = markers.iter().map(|marker| marker.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["boss", "level 1", "session focused"]);
}

#[test]
fn state_without_a_time_is_marked_at_the_last_frame() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    (0..10).for_each(|_| _ = session.frame());
    let mut event: xr::EventDataSessionStateChanged = empty(xr::EventDataSessionStateChanged::TYPE);
    (event.session, event.state) = (session.handle, xr::SessionState::STOPPING);
    runtime().push_event(event);
    app.poll();
    session.end();
    app.end();
    let recording = bed.recorded();
    let markers: Vec<_> = recording.markers.iter().map(|marker| (marker.name.as_str(), marker.time)).collect();
    assert_eq!(markers, [("session stopping", recording.duration_secs())]);
}

#[test]
fn frames_above_the_maximum_rate_are_dropped() {
    let bed = Bed::new();
    let config = RecordConfig { max_rate_hz: Some(30.0), ..bed.record_config() };
    let app = bed.start(record(&config));
    run_frames(&app, 91);
    app.end();
    let recorded = frames(&bed.recorded());
    assert_eq!(recorded.len(), 31);
    for (n, frame) in recorded.iter().enumerate() {
        // A frame may be half a period early.
        assert!((frame.time - n as f64 / 30.0).abs() <= 0.5 / 30.0, "frame {n} is at {} s", frame.time);
    }
}

#[test]
fn lost_tracking_is_a_gap() {
    let bed = Bed::new();
    runtime().lost = nanos_of(10)..nanos_of(20);
    let config = bed.record_config();
    let app = bed.start(record(&config));
    run_frames(&app, 30);
    app.end();
    let recording = bed.recorded();
    assert_eq!(saved(&bed).0, 30);
    for hand in Hand::ALL {
        let spans = recording.hand(hand).tracked.spans_within_secs(f64::from(recording.duration_secs()));
        let starts: Vec<_> = spans.iter().map(|span| (span.start / (PERIOD_NANOS as f64 * 1e-9)).round()).collect();
        assert_eq!(starts, [0.0, 20.0], "{hand}: {spans:?}");
        assert_eq!((spans[0].end / (PERIOD_NANOS as f64 * 1e-9)).round(), 10.0, "{hand}: {spans:?}");
    }
    // The head has no flag; it has no keys while it is lost.
    assert_eq!(frames(&recording).len(), 20);
}

#[test]
fn gaze_is_that_of_the_eyes_if_they_are_tracked() {
    let bed = Bed::new();
    runtime().has_eyes = true;
    let config = bed.record_config();
    let app = bed.start(record(&config));
    run_frames(&app, 10);
    app.end();
    assert_eq!(saved(&bed).2, "eyes");
    for (n, frame) in frames(&bed.recorded()).iter().enumerate() {
        let eyes = head_in_stage(nanos_of(n)).then(Rigid::new(10.0, [0.0; 3]));
        let direction = eyes.rotation * glam::DVec3::NEG_Z;
        let gaze = frame.gaze.expect("a gaze").direction.map(f64::from);
        assert!(glam::DVec3::new(gaze[0], gaze[1], -gaze[2]).distance(direction) < 1e-5, "frame {n}: {gaze:?}");
    }
}

#[test]
fn action_is_the_pinch() {
    let bed = Bed::new();
    let config = bed.record_config();
    let app = bed.start(record(&config));
    let session = app.session();
    for value in [0.0, 0.7, 0.5, 0.3] {
        runtime().action_value = Some(value);
        session.frame();
    }
    assert_eq!(runtime().synced_sets, 2, "the set of the application and that of the recorder");
    session.end();
    app.end();
    let pinches: Vec<_> =
        frames(&bed.recorded()).iter().map(|frame| frame.right.as_ref().is_some_and(|hand| hand.pinching)).collect();
    assert_eq!(pinches, [false, true, true, false]);
}
