//! Joint functions that several formats need.

use holotape::Joint;

/// The ancestors of a joint up to the wrist, nearest first.
pub(crate) fn towards_wrist(joint: Joint) -> impl Iterator<Item = Joint> {
    std::iter::successors(joint.parent(), |joint| joint.parent())
}

/// The WebXR name of a joint; `palm` for the palm, which WebXR does not have.
pub(crate) fn name(joint: Joint) -> &'static str {
    joint.webxr_name().unwrap_or("palm")
}

/// The number of [`OPENXR_JOINTS`].
pub(crate) const OPENXR_JOINT_COUNT: usize = 26;

/// The joints in OpenXR order, which Windows, hl2ss, StreamRecorder and psi share. The palm comes before the wrist; in
/// a recording it is the other way round.
pub(crate) const OPENXR_JOINTS: [Joint; OPENXR_JOINT_COUNT] = {
    let mut joints = [Joint::None; OPENXR_JOINT_COUNT];
    let mut n = 0;
    while n < Joint::COUNT {
        if let Some(index) = Joint::ALL[n].openxr_index() {
            joints[index] = Joint::ALL[n];
        }
        n += 1;
    }
    joints
};
