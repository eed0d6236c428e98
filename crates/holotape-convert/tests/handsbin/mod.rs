//! Unity hand captures: samples of Unity's own code, written bytes, and round trips.

mod decode;
mod errors;
mod reading;
mod round_trips;
mod samples;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use holotape::{Curve, PoseCurves, Recording};
use holotape_convert::handsbin::{self, HandsbinOptions, HandsbinVersion};
use holotape_convert::{Loss, LossKind, Losses};

fn testdata(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(part)
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(testdata("handsbin").join(name)).expect("readable")
}

fn read(bytes: &[u8]) -> Recording {
    handsbin::read(bytes).expect("readable").0
}

fn written(recording: &Recording, version: HandsbinVersion) -> (Vec<u8>, Losses) {
    written_with(recording, &HandsbinOptions::new().with_version(version))
}

fn written_with(recording: &Recording, options: &HandsbinOptions) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = handsbin::write(recording, options, &mut bytes).expect("written");
    (bytes, losses)
}

fn messages(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

fn kinds(losses: &Losses) -> Vec<LossKind> {
    losses.iter().map(Loss::kind).collect()
}

/// The values of the keys at exactly this time: position, rotation.
fn pose_key(curves: &PoseCurves, time: f32) -> Option<[f32; 7]> {
    let value = |curve: &Curve| curve.keys.iter().find(|key| key.time == time).map(|key| key.value);
    let mut values = [0.0; 7];
    for (to, curve) in values.iter_mut().zip(curves.position.iter().chain(&curves.rotation)) {
        *to = value(curve)?;
    }
    Some(values)
}

/// Whether two poses have the same bits, except for the sign of the quaternion.
fn is_same_pose(a: [f32; 7], b: [f32; 7]) -> bool {
    let negated = std::array::from_fn(|n| if n < 3 { b[n] } else { -b[n] });
    a == b || a == negated
}
