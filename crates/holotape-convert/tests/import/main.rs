//! Recordings of other programs, built byte by byte from their layouts and read by the importers.

#[path = "../../../holotape/tests/common/alloc.rs"]
mod alloc;
mod build;
mod hl2ss;
mod hostile;
mod psi;
mod samples;
mod stream_recorder;

use std::path::PathBuf;

use glam::{Quat, Vec3};
use holotape::{Curve, Pose, Recording};
use holotape_convert::{Loss, LossKind, Losses};

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
