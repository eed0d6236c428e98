//! The 26 hand joints in OpenXR order, which Windows, hl2ss, StreamRecorder and psi share.

use holotape::Joint;

pub(crate) const JOINT_COUNT: usize = 26;

/// The palm comes before the wrist; in a recording it is the other way round.
pub(crate) const JOINTS: [Joint; JOINT_COUNT] = {
    let mut joints = [Joint::None; JOINT_COUNT];
    let mut n = 0;
    while n < Joint::COUNT {
        if let Some(index) = Joint::ALL[n].openxr_index() {
            joints[index] = Joint::ALL[n];
        }
        n += 1;
    }
    joints
};
