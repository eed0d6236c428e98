//! A recording as in a mirror.

use super::tangents::negate;
use crate::{Curve, HandsCurves, Keys, PoseCurves, Recording};

/// The recording as in a mirror that stands upright through the origin and faces along x: what was on the right is on
/// the left, and the left hand does what the right hand did.
///
/// Positions and directions become (-x, y, z), rotations (x, -y, -z, w). Twice gives the recording again, bit for bit.
///
/// ```
/// use holotape::{Hand, Joint, edit};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mirrored = edit::mirror(&take);
/// let [x, y, z] = take.hand(Hand::Right).joint(Joint::Palm).pose_at(0.5).unwrap().position;
/// assert_eq!(mirrored.hand(Hand::Left).joint(Joint::Palm).pose_at(0.5).unwrap().position, [-x, y, z]);
/// assert_eq!(edit::mirror(&mirrored), take);
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
        let [_, turn_y, turn_z, _] = rotation;
        [x, turn_y, turn_z].into_iter().for_each(mirror_curve);
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
