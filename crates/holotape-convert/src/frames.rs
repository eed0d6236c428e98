//! Frames that somebody has already, to a recording.

use std::borrow::Borrow;

use holotape::{Frame, Hand, Joint, PoseId, Recording};

use crate::Losses;
use crate::assemble::RecordingAssembler;

/// Makes a recording of frames: one key for each pose and ray that is there, at the times that the frames have. A
/// [`Recorder`](holotape::record::Recorder) takes them as they come from a device, and begins at 0.
///
/// Frames that are not after the one before are left out, as are poses and rays with numbers that are none; both are told
/// of.
///
/// ```
/// use holotape::{Frame, Pose};
///
/// let at = |time| Frame { time, camera: Some(Pose::IDENTITY), ..Frame::default() };
/// let (take, losses) = holotape_convert::from_frames([at(0.5), at(1.0), at(0.75)]);
/// assert_eq!(take.camera.unwrap().position[0].keys.len(), 2);
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
        let Some(seen) = frame.hand(hand) else { continue };
        assembler.flags(hand, frame.time, seen.tracked, seen.pinching);
        for (joint, pose) in Joint::ALL.into_iter().zip(seen.joints) {
            match pose {
                Some(pose) => assembler.pose(PoseId::Joint(hand, joint), frame.time, pose),
                // What nobody saw is absent as it should be.
                None if seen.tracked => assembler.absent_pose(PoseId::Joint(hand, joint)),
                None => {}
            }
        }
    }
}
