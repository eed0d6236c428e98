//! The replay layer: an application on any device sees the head, hands and gaze of a recording.

use holotape::{Hand, Pose, Recording};
use holotape_openxr::{ReplayConfig, SpaceChoice};

use crate::bed::{Bed, Device, Layer};
use crate::client::{ClientFrame, ClientRun};
use crate::near::Near;
use crate::record::known_take;

/// Replays a recording into the client.
fn replay(
    device: Device,
    recording: &Recording,
    change: impl FnOnce(ReplayConfig) -> ReplayConfig,
    args: &[&str],
) -> ClientRun {
    let bed = Bed::new();
    bed.save_input(recording);
    let config = change(bed.replay_config());
    bed.run_client(device, &[Layer::Replay(Some(&config))], args).expect_success()
}

#[test]
fn application_on_a_device_without_hands_sees_the_recorded_motion() {
    assert_recorded_motion(Device::Simulated);
}

#[test]
fn application_on_a_device_with_hands_sees_only_the_recorded_motion() {
    assert_recorded_motion(Device::Remote);
}

/// Asserts that the client sees poses and pinches of a recording.
fn assert_recorded_motion(device: Device) {
    let recording = &known_take().recording;
    let exit_at_end = |config| ReplayConfig { exit_at_end: true, ..config };
    let run = replay(device, recording, exit_at_end, &["--frames", "100000", "--space", "stage"]);
    assert_eq!(run.system["hand_tracking"], true);
    assert_eq!(run.system["eye_gaze"], true);
    let (mut sampler, mut poses) = (recording.sampler(), Near::new(1e-4, 0.05));
    let mut before_secs = 0.0;
    for (n, seen) in run.frames.iter().enumerate() {
        let secs = seen.secs_since(&run.frames[0]).min(f64::from(recording.duration_secs()));
        let frame = sampler.frame_at(secs);
        poses.client(&format!("frame {n}"), &frame, seen);
        poses.rays(&format!("frame {n}: gaze"), frame.gaze, seen.gaze);
        // The head of the other device moves between two calls for one time, so that its eyes have no fixed offset.
        if device == Device::Simulated {
            poses.poses(&format!("frame {n}: middle of the eyes"), frame.camera, middle_of_eyes(seen));
        }
        // The application synchronizes actions before the frame, so inputs are those of the last one.
        let synced = sampler.frame_at(before_secs);
        for (hand, seen) in Hand::ALL.into_iter().zip(&seen.hands) {
            let is_pinching = synced.hand(hand).is_some_and(|hand| hand.pinching);
            assert_eq!(seen.pinch, Some(f64::from(u8::from(is_pinching))), "frame {n}: {hand} pinch");
            assert_eq!(seen.select, None, "frame {n}: the profile of {hand} is hand interaction");
        }
        before_secs = secs;
    }
    poses.finish(&format!("replay on {device:?}"), run.frames.len() * 54);
    assert!(before_secs >= f64::from(recording.duration_secs()), "ended after {before_secs} s");
}

#[test]
fn replays_with_a_fixed_step_are_identical() {
    let recording = &known_take().recording;
    // Read in the space in which the recording is placed, and in the other one.
    let spaces = [("stage", SpaceChoice::Stage), ("local", SpaceChoice::Stage), ("stage", SpaceChoice::Local)];
    for (name, space) in spaces {
        let [first, second] = ["50", "70"].map(|rate| {
            let step = |config| ReplayConfig { step_secs: Some(1.0 / 60.0), space, ..config };
            let run = replay(Device::Simulated, recording, step, &["--frames", "100", "--space", name, "--rate", rate]);
            run.frames.into_iter().map(|frame| frame.poses).collect::<Vec<_>>()
        });
        assert_eq!([first.len(), second.len()], [100; 2], "{space:?} read in {name}");
        for (n, (first, second)) in first.iter().zip(&second).enumerate() {
            assert_eq!(first, second, "{space:?} read in {name}: frame {n}");
        }
        assert_ne!(first[0]["head"], first[99]["head"], "{space:?} read in {name}");
    }
}

/// The pose between both eyes of a headset whose displays are parallel.
fn middle_of_eyes(seen: &ClientFrame) -> Option<Pose> {
    let [Some(left), Some(right)] = seen.views.as_slice() else { return None };
    let position = std::array::from_fn(|n| f32::midpoint(left.position[n], right.position[n]));
    Some(Pose { position, ..*left })
}
