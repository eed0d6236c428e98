//! A recording of MRTK presses the button of an application.

use std::path::Path;

use holotape::{Frame, Hand, Joint, Pose, Recording};
use holotape_openxr::{ReplayConfig, SpaceChoice};

use crate::bed::{Bed, Device, Layer};

const STEP_SECS: f64 = 1.0 / 60.0;
const RADIUS_M: f64 = 0.2;

/// The recording: the right hand pinches once.
fn recording() -> Recording {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/valid/mrtk28_all.bin");
    Recording::open(path).expect("a recording")
}

/// The frames of a replay with a fixed step, up to the end of the recording.
fn stepped_frames(recording: &Recording) -> Vec<Frame> {
    let mut sampler = recording.sampler();
    let times = (0_u32..).map(|n| f64::from(n) * STEP_SECS);
    times.take_while(|time| *time < f64::from(recording.duration_secs())).map(|time| sampler.frame_at(time)).collect()
}

fn joint(frame: &Frame, joint: Joint) -> Pose {
    frame.hand(Hand::Right).and_then(|hand| hand.joint(joint)).expect("a joint")
}

/// The frames at which the state of the pinch changes, as the application prints them. It synchronizes actions before
/// it asks for the poses of a frame, so that it sees the pinch of the frame before.
fn expected_output(frames: &[Frame]) -> String {
    let is_pinching = |frame: &Frame| frame.hand(Hand::Right).is_some_and(|hand| hand.pinching);
    let changes = frames.windows(2).enumerate().filter(|(_, pair)| is_pinching(&pair[0]) != is_pinching(&pair[1]));
    let lines = changes.map(|(n, pair)| {
        let change = if is_pinching(&pair[1]) { "pressed" } else { "released" };
        format!("frame {}: {change}\n", n + 2)
    });
    lines.collect()
}

/// Where Khronos' validation layer is, if it is used.
#[derive(Clone, Copy, Debug)]
enum Validation {
    Above,
    Below,
}

/// What the application prints whose button is at a position of the recording's coordinates.
fn output_of_button(position: [f32; 3], validation: Option<Validation>, args: &[&str]) -> String {
    let bed = Bed::new();
    bed.save_input(&recording());
    let space = SpaceChoice::Local;
    let config = ReplayConfig { space, step_secs: Some(STEP_SECS), exit_at_end: true, ..bed.replay_config() };
    let replay = Layer::Replay(Some(&config));
    let layers = match validation {
        None => vec![replay],
        Some(Validation::Above) => vec![Layer::Validation, replay],
        Some(Validation::Below) => vec![replay, Layer::Validation],
    };
    let button = bed.path("button.py");
    let [x, y, z] = [position[0], position[1], -position[2]].map(|number| number.to_string());
    let radius = RADIUS_M.to_string();
    let application = [button.to_str().expect("UTF-8"), "--radius", &radius, "--at", &x, &y, &z];
    let output = bed.run(Device::Simulated, &layers, &[&application, args].concat());
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{stdout}\n{stderr}");
    // The validation layer prints to stdout.
    let is_invalid = |line: &&str| line.contains("VUID") && !line.contains("VALID_DEBUG");
    let invalid: Vec<_> = stdout.lines().chain(stderr.lines()).filter(is_invalid).collect();
    assert!(invalid.is_empty(), "{validation:?}: {invalid:#?}");
    stdout.lines().filter(|line| line.starts_with("frame ")).map(|line| format!("{line}\n")).collect()
}

/// The frames in which the right hand pinches, and the one before, whose pose may still be located.
fn pinched_frames(frames: &[Frame]) -> &[Frame] {
    let is_pinching = |frame: &Frame| frame.hand(Hand::Right).is_some_and(|hand| hand.pinching);
    let first = frames.iter().position(is_pinching).expect("a pinch");
    let end = frames.iter().rposition(is_pinching).expect("a pinch");
    &frames[first..=end + 1]
}

#[test]
fn pinch_of_an_mrtk_recording_presses_a_button_that_the_finger_touches() {
    let frames = stepped_frames(&recording());
    let pinched = pinched_frames(&frames);
    let button = joint(&pinched[pinched.len() / 2], Joint::IndexTip);
    for frame in pinched {
        let distance_m = joint(frame, Joint::IndexTip).distance_m(&button);
        assert!(distance_m < 0.9 * RADIUS_M, "{} s: {distance_m} m", frame.time);
    }
    let expected = expected_output(&frames);
    assert_eq!(expected.lines().count(), 2, "{expected}");
    for validation in [None, Some(Validation::Above), Some(Validation::Below)] {
        assert_eq!(output_of_button(button.position, validation, &[]), expected, "{validation:?}");
    }
}

#[test]
fn pinch_of_an_mrtk_recording_selects_a_button_that_a_controller_points_at() {
    let frames = stepped_frames(&recording());
    let pinched = pinched_frames(&frames);
    // The application does not know hands: the aim of a controller is at the knuckle, in the direction of the palm.
    let point_at = |frame: &Frame, along_m: f64| {
        let (knuckle, forward) = (joint(frame, Joint::IndexKnuckle).position, joint(frame, Joint::Palm).forward());
        Pose { position: std::array::from_fn(|n| knuckle[n] + along_m as f32 * forward[n]), ..Pose::IDENTITY }
    };
    let button = point_at(&pinched[pinched.len() / 2], 0.3);
    for frame in pinched {
        let distance_m = point_at(frame, 0.3).distance_m(&button);
        assert!(distance_m < 0.9 * RADIUS_M, "{} s: {distance_m} m", frame.time);
    }
    assert_eq!(output_of_button(button.position, None, &["--profile", "simple"]), expected_output(&frames));
}

#[test]
fn pinch_of_an_mrtk_recording_does_not_press_a_button_elsewhere() {
    let frames = stepped_frames(&recording());
    let hand = joint(&frames[0], Joint::IndexTip).position;
    assert_eq!(output_of_button([hand[0], hand[1], hand[2] - 2.0], None, &[]), "");
}
