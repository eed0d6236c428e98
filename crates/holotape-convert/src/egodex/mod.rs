//! Reads head and hands from files of the [EgoDex](https://github.com/apple/ml-egodex) data set, recorded on an Apple
//! Vision Pro.
//!
//! A recording is an HDF5 file. `/transforms/camera` and `/transforms/leftHand`, `leftThumbKnuckle` etc. have a 4×4 matrix
//! per frame, in the coordinates of ARKit: right-handed with y up. `/confidences/leftHand` etc. have a number from 0 to 1
//! per frame. There are 30 frames per second. Attributes describe the task.

mod file;
mod source;

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use glam::{DMat4, DQuat, DVec3};
use holotape::format::ReadOptions;
use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Hand, Joint, Pose, PoseId, Recording, Result, Skeleton};

use self::file::{EgodexFile, MATRIX};
use crate::assemble::RecordingAssembler;
use crate::file_format::HDF5_MAGIC;
use crate::hand_joints::{self, JointValues};
use crate::rigid::RigidPose;
use crate::{LossKind, Losses, Space};

const FRAMES_PER_SEC: f64 = 30.0;

/// The attributes that may describe the task, and those that say which one does.
const DESCRIPTIONS: [&str; 3] = ["llm_description", "llm_description2", "description"];
const SELECTORS: [&str; 2] = ["llm_type", "which_llm_description"];

/// Reads head and hands. The description of the task becomes a marker at time 0.
///
/// A hand is tracked unless the confidence of its wrist is 0. ARKit has no palm: it is constructed.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/import/egodex/reach/0.hdf5");
/// use holotape::{Hand, Joint};
///
/// let (recording, losses) = holotape_convert::egodex::read(bytes)?;
/// assert_eq!(recording.markers[0].name, "Reach for the cup.");
/// assert!(recording.hand(Hand::Right).joint(Joint::ThumbTip).pose_at(0.1).is_some());
/// assert!(losses.iter().any(|loss| loss.to_string().starts_with("invented the palms")));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If this is not an HDF5 file with the group `/transforms`, or a dataset cannot be read or has another shape. The message
/// has the path of the dataset.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read_up_to(bytes, ReadOptions::DEFAULT_MAX_BYTES)
}

/// Reads datasets of at most `max_recording_bytes`.
pub(crate) fn read_up_to(bytes: &[u8], max_recording_bytes: u64) -> Result<(Recording, Losses)> {
    let broken = || Error::new(ErrorKind::Invalid, "the file is damaged: its structures contradict each other");
    // The crate that reads HDF5 is young. A panic in it must not end the program.
    catch_unwind(|| read_checked(bytes, max_recording_bytes)).unwrap_or_else(|_| Err(broken()))
}

fn read_checked(bytes: &[u8], max_recording_bytes: u64) -> Result<(Recording, Losses)> {
    let not_egodex = |message| Error::new(ErrorKind::NotARecording, format!("not an EgoDex file: {message}"));
    if !bytes.starts_with(HDF5_MAGIC) {
        return Err(not_egodex("not HDF5"));
    }
    let mut file = EgodexFile::new(bytes, max_recording_bytes)?;
    let transforms = file.datasets("transforms")?.ok_or_else(|| not_egodex("no group /transforms"))?;
    let mut columns = Columns::default();
    for (name, dataset) in &transforms {
        let path = format!("/transforms/{name}");
        match pose_named(name) {
            Some(PoseId::Camera) => columns.camera = Some(file.matrices(&path, dataset)?),
            Some(PoseId::Joint(hand, joint)) => {
                columns.joints[hand as usize].insert(joint, file.matrices(&path, dataset)?);
            }
            None => columns.others += 1,
        }
    }
    if columns.camera.is_none() && columns.joints.iter().all(BTreeMap::is_empty) {
        return Err(not_egodex("/transforms has neither a camera nor joints of hands"));
    }
    for (name, dataset) in file.datasets("confidences")?.unwrap_or_default() {
        columns.confidences += 1;
        if let Some(PoseId::Joint(hand, Joint::Wrist)) = pose_named(&name) {
            columns.wrists[hand as usize] = Some(file.scalars(&format!("/confidences/{name}"), &dataset)?);
        }
    }
    let (mut recording, mut losses) = columns.assemble(file.frames());
    add_description(&file.attributes()?, &mut recording, &mut losses);
    Ok((recording, losses))
}

/// The pose with a name of a dataset: `camera`, `leftHand`, or a joint of ARKit after `left` or `right`.
fn pose_named(name: &str) -> Option<PoseId> {
    if name == "camera" {
        return Some(PoseId::Camera);
    }
    Hand::ALL.into_iter().find_map(|hand| {
        let joint = name.strip_prefix(hand.name())?;
        let is_named = |arkit: &str| {
            let mut chars = arkit.chars();
            let first = chars.next().map(|first| first.to_ascii_uppercase());
            first.is_some_and(|first| joint.strip_prefix(first) == Some(chars.as_str()))
        };
        let found = || Skeleton::ArKit.joints().find(|joint| Skeleton::ArKit.joint_name(*joint).is_some_and(is_named));
        let joint = if joint == "Hand" { Joint::Wrist } else { found().filter(|joint| *joint != Joint::Wrist)? };
        Some(PoseId::Joint(hand, joint))
    })
}

/// The numbers of all datasets, frame by frame.
#[derive(Default)]
struct Columns {
    camera: Option<Vec<f32>>,
    joints: [BTreeMap<Joint, Vec<f32>>; 2],
    /// The confidences of the wrists.
    wrists: [Option<Vec<f32>>; 2],
    confidences: usize,
    /// Datasets of other poses.
    others: usize,
}

impl Columns {
    fn assemble(&self, frames: usize) -> (Recording, Losses) {
        let mut assembler = RecordingAssembler::new(0.0);
        for frame in 0..frames {
            let time_secs = frame as f64 / FRAMES_PER_SEC;
            if let Some(camera) = &self.camera {
                let head = matrix(camera, frame).map(head_pose);
                assembler.pose(PoseId::Camera, time_secs, Some(head));
            }
            for hand in Hand::ALL.into_iter().filter(|hand| !self.joints[*hand as usize].is_empty()) {
                self.push_hand(&mut assembler, hand, frame, time_secs);
            }
        }
        let (recording, mut losses) = assembler.finish();
        losses.push_if(self.others > 0, LossKind::Unsupported, || {
            format!("dropped {} of arms and body: not part of a recording", pluralize(self.others, "joint"))
        });
        losses.push_if(self.confidences > 0, LossKind::Unsupported, || {
            format!("dropped the confidences of {}: not part of a recording", pluralize(self.confidences, "joint"))
        });
        if recording.hands.is_some() {
            losses.extend([hand_joints::arkit_palm_loss(), hand_joints::pinch_loss("EgoDex")]);
        }
        (recording, losses)
    }

    fn push_hand(&self, assembler: &mut RecordingAssembler, hand: Hand, frame: usize, time_secs: f64) {
        let confidence = self.wrists[hand as usize].as_ref().and_then(|numbers| numbers.get(frame));
        let is_confident = confidence.is_none_or(|confidence| *confidence != 0.0);
        let mut joints: JointValues = [None; Joint::COUNT];
        for (joint, numbers) in &self.joints[hand as usize] {
            let pose = matrix(numbers, frame).map(|pose| Skeleton::ArKit.import_pose(hand, pose.pose()));
            joints[joint.index()] = Some(pose);
        }
        let is_tracked = is_confident && joints.iter().flatten().flatten().next().is_some();
        assembler.flags(hand, time_secs, is_tracked, None);
        if is_confident {
            hand_joints::push_hand(assembler, Skeleton::ArKit, hand, time_secs, &joints);
        }
    }
}

/// The pose in a frame; `None` if the matrix is not a rigid transform.
fn matrix(numbers: &[f32], frame: usize) -> Option<RigidPose> {
    let rows: &[f32; MATRIX] = numbers.get(frame * MATRIX..)?.first_chunk()?;
    // Matrices are row-major, glam is column-major.
    RigidPose::from_matrix(&DMat4::from_cols_array(&rows.map(f64::from)).transpose())
}

/// The head in Unity's space. The camera has the axes of images, y down and z forward.
fn head_pose(camera: RigidPose) -> Pose {
    let turn = RigidPose { position: DVec3::ZERO, rotation: DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) };
    Space::RightHanded.pose(camera.compose(&turn).pose())
}

/// Adds the description of the task as a marker, and reports the other attributes.
fn add_description(attributes: &BTreeMap<String, Option<String>>, recording: &mut Recording, losses: &mut Losses) {
    let text = |name: &str| attributes.get(name).and_then(Option::as_deref).filter(|text| !text.is_empty());
    // The descriptions of a reversible task are those of both directions.
    let is_second = text("llm_type") == Some("reversible") && text("which_llm_description") == Some("2");
    let preferred = if is_second { DESCRIPTIONS[1] } else { DESCRIPTIONS[0] };
    let name = [preferred].into_iter().chain(DESCRIPTIONS).find(|name| text(name).is_some());
    if let Some(description) = name.and_then(text) {
        recording.markers.add(0.0, description);
    }
    let is_dropped = |other: &&String| Some(other.as_str()) != name && !SELECTORS.contains(&other.as_str());
    let dropped: Vec<_> = attributes.keys().filter(is_dropped).map(String::as_str).collect();
    losses.push_if(!dropped.is_empty(), LossKind::Unsupported, || {
        format!("dropped the attributes {}: not part of a recording", dropped.join(", "))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dataset_names_determine_the_pose() {
        let names = ["camera", "leftHand", "rightThumbKnuckle", "leftIndexFingerMetacarpal", "rightLittleFingerTip"];
        let joint = |hand, joint| Some(PoseId::Joint(hand, joint));
        let poses = [
            Some(PoseId::Camera),
            joint(Hand::Left, Joint::Wrist),
            joint(Hand::Right, Joint::ThumbMetacarpalJoint),
            joint(Hand::Left, Joint::IndexMetacarpal),
            joint(Hand::Right, Joint::PinkyTip),
        ];
        assert_eq!(names.map(pose_named), poses);
        assert_eq!(["hip", "leftArm", "leftWrist", "left", "leftéTip", "Camera"].map(pose_named), [None; 6]);
    }

    #[test]
    fn description_follows_the_direction_of_the_task() {
        let marker = |attributes: &[(&str, &str)]| {
            let attributes = attributes.iter().map(|(name, text)| ((*name).to_owned(), Some((*text).to_owned())));
            let (mut recording, mut losses) = (Recording::default(), Losses::default());
            add_description(&attributes.collect(), &mut recording, &mut losses);
            (recording.markers.first().map(|marker| marker.name.clone()), losses.iter().count())
        };
        let both = [("llm_description", "plug in"), ("llm_description2", "unplug"), ("llm_type", "reversible")];
        assert_eq!(marker(&both[..1]), (Some("plug in".to_owned()), 0));
        assert_eq!(marker(&both), (Some("plug in".to_owned()), 1));
        let second = [&both[..], &[("which_llm_description", "2")]].concat();
        assert_eq!(marker(&second), (Some("unplug".to_owned()), 1));
        assert_eq!(marker(&[("description", "old"), ("environment", "lab")]), (Some("old".to_owned()), 1));
        assert_eq!(marker(&[]), (None, 0));
    }
}
