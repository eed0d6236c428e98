//! Edits of whole recordings: in time, in space and by body part.

mod concat;
mod curves;
mod hostile;
mod motion;
mod parts;
mod resample;
mod retime;
mod space;
mod trim;

use std::sync::OnceLock;

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Curve, ErrorKind, LinearKey, PoseCurves, Recording};

use crate::common::motion::{device_frames, recording_of};
use crate::common::valid_pairs;

/// Recordings of all kinds, with their names.
fn recordings() -> &'static [(String, Recording)] {
    static RECORDINGS: OnceLock<Vec<(String, Recording)>> = OnceLock::new();
    RECORDINGS.get_or_init(|| {
        let valid =
            valid_pairs().into_iter().map(|(name, bytes, _)| (name, Recording::from_slice(&bytes).expect("valid")));
        let demo = DemoOptions::new().with_seconds(4.0).generate().expect("a demo");
        let device = recording_of(&device_frames());
        let mut flipping = device.clone();
        flip_signs(&mut flipping);
        let made = [("demo", demo), ("device", device), ("flipping", flipping)];
        valid.chain(made.map(|(name, recording)| (name.to_owned(), recording))).collect()
    })
}

/// Negates about every fourth quaternion, which is the same rotation.
fn flip_signs(recording: &mut Recording) {
    let mut random = 1_u32;
    for (_, pose) in recording.poses_mut() {
        let flips: Vec<bool> = (0..pose.rotation[0].keys.len())
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                random >> 30 == 0
            })
            .collect();
        for curve in &mut pose.rotation {
            for ((_, value), _) in curve.keys.iter_mut().zip(&flips).filter(|(_, flip)| **flip) {
                *value = -*value;
            }
        }
    }
}

/// Evenly spaced times of a span, including both ends.
fn times(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=count).map(move |n| from + (to - from) * f64::from(n) / f64::from(count))
}

/// A linear curve with these times and values.
fn line<const N: usize>(keys: [(f32, f32); N]) -> Curve {
    keys.into_iter().map(|(time, value)| LinearKey::new(time, value)).collect()
}

fn flags<const N: usize>(keys: [(f32, f32); N]) -> BoolCurve {
    keys.into_iter().map(|(time, value)| LinearKey::new(time, value)).collect()
}

/// A recording with only the camera's x.
fn recording_of_x(curve: Curve) -> Recording {
    let mut camera = PoseCurves::new();
    camera.position[0] = curve;
    Recording { camera: Some(camera), ..Recording::default() }
}

fn curve_of(recording: &Recording) -> &Curve {
    &recording.camera.as_ref().expect("a camera").position[0]
}

fn kind<T: std::fmt::Debug>(result: holotape::Result<T>) -> ErrorKind {
    result.expect_err("an error").kind()
}
