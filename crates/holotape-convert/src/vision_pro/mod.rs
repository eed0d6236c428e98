//! Reads head and hands from the `tracking.jsonl` files of
//! [VisionProTeleop](https://github.com/Improbable-AI/VisionProTeleop), recorded on an Apple Vision Pro.
//!
//! Each line is a JSON object with a frame: `timestamp` in seconds, `headMatrix`, and for tracked hands `leftHand` and
//! `rightHand` with a matrix per joint. Matrices have 16 numbers, column by column. Head and wrists are in the
//! coordinates of ARKit, right-handed with y up; the other joints are relative to the wrist. `metadata.json` next to the
//! file has the number of frames.

mod line;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use glam::DMat4;
use holotape::format::ReadOptions;
use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Hand, PoseId, Recording, Result, Skeleton};
use serde::Deserialize;

use self::line::{FrameLine, HandMatrices};
use crate::assemble::RecordingAssembler;
use crate::hand_joints::{self, JointValues};
use crate::rigid::RigidPose;
use crate::{Loss, LossKind, Losses, Space};

/// The name of the file in the folder of a recording.
pub(crate) const FILE_NAME: &str = "tracking.jsonl";

/// The name of the file with the number of frames.
pub(crate) const METADATA_NAME: &str = "metadata.json";

/// Metadata files are small; larger ones are ignored.
const MAX_METADATA_BYTES: u64 = 1 << 20;

/// Reads head and hands. The first frame is at time 0.
///
/// A hand is tracked in the frames that contain it. ARKit has no palm: it is constructed.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/import/vision_pro/tracking.jsonl");
/// use holotape::{Hand, Joint};
///
/// let (recording, losses) = holotape_convert::vision_pro::read(bytes)?;
/// assert!(recording.camera.is_some());
/// assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_some());
/// assert!(losses.iter().any(|loss| loss.to_string().starts_with("invented the palms")));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there are no lines, or a line is not a frame. The message has the line and the column. A truncated last line is a
/// loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read_lines(bytes, None)
}

/// Reads the file of a recording, or the folder with it. Frames that are missing according to `metadata.json` are
/// reported.
///
/// ```
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/import/vision_pro");
/// let (recording, _) = holotape_convert::vision_pro::open(folder)?;
/// assert!(recording.hands.is_some());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`read`], and if the file cannot be read; [`ErrorKind::LimitExceeded`] if it has more than
/// [`ReadOptions::DEFAULT_MAX_BYTES`].
pub fn open(path: impl AsRef<Path>) -> Result<(Recording, Losses)> {
    let path = path.as_ref();
    let file = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
    let read = || {
        let mut bytes = Vec::new();
        File::open(&file)?.take(ReadOptions::DEFAULT_MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > ReadOptions::DEFAULT_MAX_BYTES {
            let message = format!("the file has more than {} bytes", ReadOptions::DEFAULT_MAX_BYTES);
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        read_at(&bytes, &file)
    };
    read().map_err(|error: Error| error.with_path(&file))
}

/// Reads the bytes of a file at a path, next to which the metadata is.
pub(crate) fn read_at(bytes: &[u8], path: &Path) -> Result<(Recording, Losses)> {
    read_lines(bytes, frame_count(&metadata_path(path)))
}

/// The path of the metadata of a file.
pub(crate) fn metadata_path(path: &Path) -> PathBuf {
    path.with_file_name(METADATA_NAME)
}

/// The number of frames according to the metadata; `None` if there is none, or if it is another file.
fn frame_count(path: &Path) -> Option<usize> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        frame_count: usize,
    }
    let is_small = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_METADATA_BYTES);
    let bytes = is_small.then(|| fs::read(path).ok())??;
    serde_json::from_slice::<Metadata>(&bytes).ok().map(|metadata| metadata.frame_count)
}

fn read_lines(bytes: &[u8], expected_frames: Option<usize>) -> Result<(Recording, Losses)> {
    let mut reader = Reader::default();
    let mut lines = line::lines(bytes).peekable();
    let mut truncated = None;
    while let Some((number, text)) = lines.next() {
        match line::parse(text) {
            Ok(frame) => reader.push(&frame),
            Err(error) if error.is_truncated && lines.peek().is_none() && reader.assembler.is_some() => {
                truncated = Some(format!("dropped the last line ({number}): it is truncated"));
            }
            Err(error) => return Err(error.at_line(number)),
        }
    }
    let frames = reader.frames;
    let (recording, mut losses) = reader.finish()?;
    losses.extend(truncated.map(|message| Loss::new(LossKind::Unusable, message)));
    let missing = expected_frames.and_then(|expected| expected.checked_sub(frames)).filter(|missing| *missing > 0);
    losses.extend(missing.map(|missing| {
        let message = format!("{} missing: {METADATA_NAME} has more than the file", pluralize(missing, "frame"));
        Loss::new(LossKind::Unusable, message)
    }));
    Ok((recording, losses))
}

/// The recording under construction, and counts of what it cannot represent.
#[derive(Default)]
struct Reader {
    assembler: Option<RecordingAssembler>,
    frames: usize,
    has_hands: bool,
    forearms: usize,
    videos: usize,
}

impl Reader {
    fn push(&mut self, frame: &FrameLine) {
        let time_secs = frame.timestamp;
        let assembler = self.assembler.get_or_insert_with(|| RecordingAssembler::new(time_secs));
        let head = frame.head_matrix.as_ref().map(|matrix| {
            let pose = RigidPose::from_matrix(&DMat4::from_cols_array(matrix))?;
            Some(Space::RightHanded.pose(pose.pose()))
        });
        assembler.pose(PoseId::Camera, time_secs, head);
        for (hand, matrices) in Hand::ALL.into_iter().zip([&frame.left_hand, &frame.right_hand]) {
            let joints = matrices.as_ref().map(|matrices| joint_values(hand, matrices));
            // A hand without a valid wrist is not tracked: all joints are relative to it.
            let is_tracked = joints.is_some_and(|joints| joints.into_iter().flatten().flatten().next().is_some());
            assembler.flags(hand, time_secs, is_tracked, None);
            if let Some(joints) = joints {
                hand_joints::push_hand(assembler, Skeleton::ArKit, hand, time_secs, &joints);
            }
        }
        let hands = || [&frame.left_hand, &frame.right_hand].into_iter().flatten();
        self.frames += 1;
        self.has_hands |= hands().next().is_some();
        self.forearms += hands().filter(|hand| hand.has_forearm).count();
        self.videos += usize::from(frame.video_width > 0.0);
    }

    fn finish(self) -> Result<(Recording, Losses)> {
        let no_frames = || Error::new(ErrorKind::NotARecording, "the file has no frames");
        let (recording, mut losses) = self.assembler.ok_or_else(no_frames)?.finish();
        losses.push_if(self.forearms > 0, LossKind::Unsupported, || {
            format!("dropped the forearms of {}: not part of a recording", pluralize(self.forearms, "hand"))
        });
        losses.push_if(self.videos > 0, LossKind::Unsupported, || {
            format!("dropped the video indexes of {}: not part of a recording", pluralize(self.videos, "frame"))
        });
        if self.has_hands {
            losses.extend([hand_joints::arkit_palm_loss(), hand_joints::pinch_loss("VisionProTeleop")]);
        }
        Ok((recording, losses))
    }
}

/// The joints in Unity's space.
fn joint_values(hand: Hand, matrices: &HandMatrices) -> JointValues {
    let wrist = matrices.wrist.as_ref().and_then(|matrix| RigidPose::from_matrix(&DMat4::from_cols_array(matrix)));
    let mut values = matrices.joints.map(|matrix| {
        matrix.map(|matrix| {
            let local = RigidPose::from_matrix(&DMat4::from_cols_array(&matrix))?;
            Some(wrist?.compose(&local).pose())
        })
    });
    values[holotape::Joint::Wrist.index()] = matrices.wrist.map(|_| wrist.map(|wrist| wrist.pose()));
    values.map(|value| value.map(|pose| pose.map(|pose| Skeleton::ArKit.import_pose(hand, pose))))
}
