//! Recordings of other programs, built byte by byte from their layouts and read by the importers.

mod aria_mps;
mod build;
mod egodex;
mod hl2ss;
mod hostile;
mod layouts;
mod psi;
mod samples;
mod stream_recorder;
mod vision_pro;

use std::path::PathBuf;

use glam::{Quat, Vec3};
use holotape::{Curve, Frame, Hand, Pose, Recording, Skeleton};
use holotape_convert::{Loss, LossKind, Losses};

/// The loss of hands of ARKit.
const PALMS: &str = "invented the palms: ARKit has none; placed in the middle of the metacarpal bones";

fn testdata(part: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import").join(part)
}

fn messages(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

fn kinds(losses: &Losses) -> Vec<LossKind> {
    losses.iter().map(Loss::kind).collect()
}

fn times(curve: &Curve) -> Vec<f32> {
    curve.keys.iter().map(|key| key.time).collect()
}

fn camera_at(recording: &Recording, time_secs: f64) -> Pose {
    recording.camera.as_ref().and_then(|camera| camera.pose_at(time_secs)).expect("a camera")
}

/// Compares the head and the joints of a skeleton in every frame, and returns the largest angle in degrees.
#[track_caller]
fn assert_frames(recording: &Recording, frames: &[Frame], skeleton: Skeleton) -> f64 {
    let mut sampler = recording.sampler();
    let mut max_angle_deg: f64 = 0.0;
    for expected in frames {
        // A little later: files have rounded times, and flags change at a key.
        let frame = sampler.frame_at(expected.time + 2e-6);
        let mut compare = |name: &dyn std::fmt::Display, pose: Option<Pose>, expected: Option<Pose>| {
            let (Some(pose), Some(expected)) = (pose, expected) else { panic!("{name}: {pose:?}, not {expected:?}") };
            let distance_m = pose.distance_m(&expected);
            assert!(distance_m <= 1e-5, "{name} at {} s: {distance_m} m", frame.time);
            max_angle_deg = max_angle_deg.max(pose.angle_deg(&expected));
        };
        compare(&"head", frame.camera, expected.camera);
        for hand in Hand::ALL {
            let [values, expected] = [&frame, expected].map(|frame| frame.hand(hand).expect("hands"));
            assert_eq!(values.tracked, expected.tracked, "{hand} at {} s", frame.time);
            for joint in skeleton.joints().filter(|_| expected.tracked) {
                compare(&joint, values.joints[joint.index()], expected.joints[joint.index()]);
            }
        }
    }
    max_angle_deg
}

fn is_near(a: [f32; 3], b: [f32; 3]) -> bool {
    Vec3::from(a).abs_diff_eq(Vec3::from(b), 1e-6)
}

/// Checks position, forward and up direction in Unity's coordinates.
#[track_caller]
fn assert_pose(pose: Pose, position: [f32; 3], forward: [f32; 3], up: [f32; 3]) {
    let rotation = Quat::from_array(pose.rotation);
    assert!(is_near(pose.position, position), "{pose:?} is not at {position:?}");
    assert!(is_near((rotation * Vec3::Z).into(), forward), "{pose:?} does not face {forward:?}");
    assert!(is_near((rotation * Vec3::Y).into(), up), "{pose:?} does not have {up:?} as up direction");
}
