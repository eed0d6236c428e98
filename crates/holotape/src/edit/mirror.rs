//! Mirrors a recording.

use super::tangents::negate;
use crate::{Curve, HandsCurves, Keys, PoseCurves, Recording};

/// Mirrors a recording at the plane x = 0, and swaps the hands.
///
/// Positions and directions become (-x, y, z), rotations (x, -y, -z, w). Mirroring twice restores the recording bit for
/// bit.
///
/// ```
/// use holotape::{Hand, Joint, edit};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mirrored = edit::mirror(&recording);
/// let [x, y, z] = recording.hand(Hand::Right).joint(Joint::Palm).pose_at(0.5).unwrap().position;
/// assert_eq!(mirrored.hand(Hand::Left).joint(Joint::Palm).pose_at(0.5).unwrap().position, [-x, y, z]);
/// assert_eq!(edit::mirror(&mirrored), recording);
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn mirror(recording: &Recording) -> Recording {
    let mut recording = recording.clone();
    if let Some(HandsCurves { left, right }) = recording.hands.as_deref_mut() {
        std::mem::swap(left, right);
    }
    for (_, PoseCurves { position, rotation }) in recording.poses_mut() {
        let [x, _, _] = position;
        let [_, rotation_y, rotation_z, _] = rotation;
        [x, rotation_y, rotation_z].into_iter().for_each(mirror_curve);
    }
    if let Some(gaze) = &mut recording.gaze {
        [&mut gaze.origin[0], &mut gaze.direction[0]].into_iter().for_each(mirror_curve);
    }
    recording
}

fn mirror_curve(curve: &mut Curve) {
    match &mut curve.keys {
        Keys::Linear(keys) => keys.iter_mut().for_each(|key| key.value = -key.value),
        Keys::Bezier(keys) => keys.iter_mut().for_each(negate),
    }
}
