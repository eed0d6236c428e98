//! Reads action recordings.

use std::collections::BTreeMap;

use glam::DVec3;
use holotape::text::pluralize;
use holotape::{Hand, Joint, Pose, PoseId, Ray, Recording, Result, palm_pose};

use super::parse::{self, Values};
use super::schema::{Input, InputKind};
use super::{JOINT_COUNT, JOINT_NUMBERS, POSE_NUMBERS};
use crate::assemble::RecordingAssembler;
use crate::joint::is_typical_radius;
use crate::rigid::RigidPose;
use crate::{Loss, LossKind, Losses, Space};

const IDENTITY: [f64; POSE_NUMBERS] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Reads an action recording of IWER. The first frame is at time 0.
///
/// A hand is tracked in the frames that contain it, and pinching while its first button is pressed. WebXR has no palm:
/// it is placed in the middle of the middle finger's metacarpal bone, as in OpenXR.
///
/// ```
/// use holotape_convert::{Timing, iwer};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut json = Vec::new();
/// let _ = iwer::write(&recording, Timing::Keys, &mut json)?;
/// let (read, losses) = iwer::read(&json)?;
/// assert_eq!(read.duration_secs(), recording.duration_secs());
/// assert!(!losses.is_empty(), "the palms are invented");
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`Truncated`](holotape::ErrorKind::Truncated) if the text ends early, [`Invalid`](holotape::ErrorKind::Invalid) if
/// it is not an action recording. The message has the indexes of the frame and of the input.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let mut reader = Reader::default();
    parse::document(bytes, &mut reader)?;
    Ok(reader.finish())
}

/// Receives the parsed data.
#[derive(Default)]
pub(super) struct Reader {
    assembler: Option<RecordingAssembler>,
    /// The hands in the schema.
    hands: Vec<Hand>,
    time_secs: f64,
    /// Whether each hand is pinching; `None` if it is not in this frame.
    pinching: [Option<bool>; 2],
    has_gaze: bool,
    losses: ImportLosses,
}

impl Reader {
    /// Sets the hands among the inputs, before the first frame.
    pub(super) fn set_hands<'a>(&mut self, kinds: impl Iterator<Item = &'a InputKind> + Clone) {
        let is_hand = |hand: &Hand| kinds.clone().any(|kind| matches!(kind, InputKind::Hand(side, _) if side == hand));
        self.hands = Hand::ALL.into_iter().filter(is_hand).collect();
    }

    pub(super) fn begin_frame(&mut self, time_ms: f64, viewer: &[f64; POSE_NUMBERS]) {
        self.time_secs = time_ms / 1e3;
        self.pinching = [None; 2];
        self.has_gaze = false;
        self.push(PoseId::Camera, rigid_pose(viewer).map(|pose| pose.pose()));
    }

    pub(super) fn push_input(&mut self, index: usize, input: &Input, kind: InputKind, values: &Values) {
        match kind {
            InputKind::Hand(hand, joints) if self.pinching[hand as usize].is_none() => {
                self.pinching[hand as usize] = Some(values.first_button.is_some_and(|[pressed, ..]| pressed == 1.0));
                self.push_hand(hand, &joints, values);
                self.losses.hand(input, &joints, values);
            }
            InputKind::Hand(..) => self.losses.duplicates += 1,
            InputKind::Gaze => self.push_gaze(rigid_pose(&values.ray)),
            InputKind::Other => self.losses.other(index, input),
        }
    }

    pub(super) fn end_frame(&mut self) {
        let time_secs = self.time_secs;
        if !self.has_gaze {
            self.assembler().gaze(time_secs, None);
        }
        for hand in self.hands.clone() {
            let pinching = self.pinching[hand as usize];
            self.assembler().flags(hand, time_secs, pinching.is_some(), pinching == Some(true));
        }
    }

    fn assembler(&mut self) -> &mut RecordingAssembler {
        let start_secs = self.time_secs;
        self.assembler.get_or_insert_with(|| RecordingAssembler::new(start_secs))
    }

    fn push(&mut self, id: PoseId, pose: Option<Pose>) {
        let time_secs = self.time_secs;
        self.assembler().pose(id, time_secs, Some(pose.map(|pose| Space::RightHanded.pose(pose))));
    }

    fn push_hand(&mut self, hand: Hand, joints: &[Joint; JOINT_COUNT], values: &Values) {
        let ray = rigid_pose(&values.ray);
        let [mut metacarpal, mut knuckle] = [None; 2];
        for (joint, numbers) in joints.iter().zip(values.joints.as_chunks::<JOINT_NUMBERS>().0) {
            let local = rigid_pose(&std::array::from_fn(|n| numbers[n]));
            let world = ray.zip(local).map(|(ray, local)| ray.compose(&local).pose());
            match joint {
                Joint::MiddleMetacarpal => metacarpal = world,
                Joint::MiddleKnuckle => knuckle = world,
                _ => {}
            }
            self.push(PoseId::Joint(hand, *joint), world);
        }
        let palm = metacarpal.zip(knuckle).map(|(metacarpal, knuckle)| palm_pose(metacarpal, knuckle));
        self.push(PoseId::Joint(hand, Joint::Palm), palm);
    }

    fn push_gaze(&mut self, pose: Option<RigidPose>) {
        let ray = pose.map(|pose| Ray {
            origin: pose.position.as_vec3().to_array(),
            direction: (pose.rotation * DVec3::NEG_Z).as_vec3().to_array(),
        });
        self.has_gaze = true;
        let time_secs = self.time_secs;
        self.assembler().gaze(time_secs, Some(ray.map(|ray| Space::RightHanded.ray(ray))));
    }

    fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.unwrap_or_else(|| RecordingAssembler::new(0.0)).finish();
        self.losses.add_to(&mut losses);
        (recording, losses)
    }
}

/// IWER rounds values, so rotations are not exactly of unit length.
fn rigid_pose(&[x, y, z, rotation @ ..]: &[f64; POSE_NUMBERS]) -> Option<RigidPose> {
    RigidPose::new([x, y, z], rotation)
}

/// Data that a recording cannot represent, and data that was invented.
#[derive(Default)]
struct ImportLosses {
    /// Inputs that are neither hands nor gaze, by index: their description, and the number of frames.
    others: BTreeMap<usize, (String, usize)>,
    palms: bool,
    radii: bool,
    rays: bool,
    controls: bool,
    half_pinches: bool,
    duplicates: usize,
}

impl ImportLosses {
    fn hand(&mut self, input: &Input, joints: &[Joint; JOINT_COUNT], values: &Values) {
        self.palms = true;
        self.rays |= values.ray != IDENTITY || (input.has_grip && values.grip != IDENTITY);
        self.controls |= input.num_buttons > 1 || input.num_axes > 0;
        self.half_pinches |= values.first_button.is_some_and(|[.., value]| value > 0.0 && value < 1.0);
        // Joints are in the order of the file.
        let radii = joints.iter().zip(values.joints.as_chunks::<JOINT_NUMBERS>().0);
        self.radii |= radii.into_iter().any(|(joint, numbers)| !is_typical_radius(*joint, numbers[POSE_NUMBERS]));
    }

    fn other(&mut self, index: usize, input: &Input) {
        let description = || format!("{} {}", input.handedness, input.target_ray_mode);
        self.others.entry(index).or_insert_with(|| (description(), 0)).1 += 1;
    }

    fn add_to(&self, losses: &mut Losses) {
        for (index, (description, frames)) in &self.others {
            let frames = pluralize(*frames, "frame");
            let message = format!("dropped input {index} ({description}) in {frames}: neither a hand nor the gaze");
            losses.push(Loss::new(LossKind::Unsupported, message));
        }
        let flags = [
            (self.radii, "dropped the joint radii: not part of a recording"),
            (self.rays, "dropped the rays and grips of the hands: not part of a recording"),
            (self.controls, "dropped all buttons but the first, and all axes: not part of a recording"),
            (self.half_pinches, "rounded pinch strengths: a recording has only a flag"),
        ];
        for (is_lost, message) in flags {
            losses.push_if(is_lost, LossKind::Unsupported, || message.to_owned());
        }
        losses.push_if(self.duplicates > 0, LossKind::Unusable, || {
            format!("dropped {}: the same hand twice in one frame", pluralize(self.duplicates, "hand"))
        });
        losses.push_if(self.palms, LossKind::Invented, || {
            "invented the palms: WebXR has none; placed in the middle of the metacarpal bones".to_owned()
        });
    }
}
