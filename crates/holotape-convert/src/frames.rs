//! Frames to a recording.

use std::borrow::Borrow;

use holotape::{Frame, Hand, Joint, PoseId, Recording};

use crate::Losses;
use crate::assemble::RecordingAssembler;

/// Builds a recording from frames: one key per pose and ray, at the times of the frames. To record frames from a device
/// as they arrive, starting at time 0, use a [`Recorder`](holotape::record::Recorder).
///
/// Drops and reports frames that are not after the one before, and poses and rays with non-finite values.
///
/// ```
/// use holotape::{Frame, Pose};
///
/// let at = |time| Frame { time, camera: Some(Pose::IDENTITY), ..Frame::default() };
/// let (recording, losses) = holotape_convert::from_frames([at(0.5), at(1.0), at(0.75)]);
/// assert_eq!(recording.camera.unwrap().position[0].keys.len(), 2);
/// assert!(losses.iter().any(|loss| loss.to_string().contains("not after the one before")));
/// ```
pub fn from_frames(frames: impl IntoIterator<Item = impl Borrow<Frame>>) -> (Recording, Losses) {
    let mut assembler = RecordingAssembler::new(0.0);
    frames.into_iter().for_each(|frame| push(&mut assembler, frame.borrow()));
    assembler.finish()
}

fn push(assembler: &mut RecordingAssembler, frame: &Frame) {
    match frame.camera {
        Some(pose) => assembler.pose(PoseId::Camera, frame.time, pose),
        None => assembler.absent_pose(PoseId::Camera),
    }
    match frame.gaze {
        Some(ray) => assembler.gaze(frame.time, ray),
        None => assembler.absent_gaze(),
    }
    for hand in Hand::ALL {
        let Some(values) = frame.hand(hand) else { continue };
        assembler.flags(hand, frame.time, values.tracked, values.pinching);
        for (joint, pose) in Joint::ALL.into_iter().zip(values.joints) {
            match pose {
                Some(pose) => assembler.pose(PoseId::Joint(hand, joint), frame.time, pose),
                // The joints of an untracked hand are expected to be missing.
                None if values.tracked => assembler.absent_pose(PoseId::Joint(hand, joint)),
                None => {}
            }
        }
    }
}
