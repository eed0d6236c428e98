//! Changes that break recordings.

use holotape::{Hand, Joint, Keys, PoseCurves, Recording};

/// Keeps the keys of a curve by their index and time.
pub fn retain(curve: &mut holotape::Curve, mut keep: impl FnMut(usize, f32) -> bool) {
    let mut at = 0;
    let mut keep = |time| {
        at += 1;
        keep(at - 1, time)
    };
    match &mut curve.keys {
        Keys::Linear(keys) => keys.retain(|key| keep(key.time)),
        Keys::Bezier(keys) => keys.retain(|key| keep(key.time)),
    }
}

/// Keeps keys of all curves of a pose by their index and time.
pub fn retain_all(pose: &mut PoseCurves, keep: impl Fn(usize, f32) -> bool) {
    pose.position.iter_mut().chain(&mut pose.rotation).for_each(|curve| retain(curve, &keep));
}

pub fn camera(recording: &mut Recording) -> &mut PoseCurves {
    recording.camera.as_mut().expect("a camera")
}

pub fn joint(recording: &mut Recording, hand: Hand, joint: Joint) -> &mut PoseCurves {
    recording.hand_mut(hand).joint_mut(joint)
}

/// Changes time and value of one key in each curve.
pub fn each_key(curves: &mut [holotape::Curve], key: usize, mut change: impl FnMut(&mut f32, &mut f32)) {
    for curve in curves {
        let (time, value) = curve.keys.iter_mut().nth(key).expect("a key");
        change(time, value);
    }
}

/// Keeps one key of rotation w, as MRTK 2.6.0 to 2.7.2 wrote it.
pub fn lose_w(recording: &mut Recording) {
    for (_, pose) in recording.poses_mut() {
        retain(&mut pose.rotation[3], |key, _| key == 0);
    }
}
