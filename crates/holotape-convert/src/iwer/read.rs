//! Frames of an action recording to curves.

use std::collections::BTreeMap;

use glam::DVec3;
use holotape::{Hand, Joint, PoseId, Ray, Recording, Result};

use super::parse::{self, ActionVisitor, Values};
use super::schema::{Input, Role};
use super::{JOINT_NUMBERS, JOINTS, POSE_NUMBERS, RADII};
use crate::assemble::RecordingAssembler;
use crate::rigid::RigidPose;
use crate::{Loss, LossKind, Losses, Space};

/// Radii that are as near as this to ours are ours.
const SAME_RADIUS_M: f64 = 1e-5;

const IDENTITY: [f64; POSE_NUMBERS] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Reads an action recording of IWER. Its first frame is at time 0.
///
/// A hand is tracked in the frames that it is in, and pinching where its first button is pressed. WebXR has no palm: it is
/// put into the middle of the middle finger's metacarpal bone, where OpenXR has it.
///
/// ```
/// use holotape_convert::iwer::{self, IwerOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut json = Vec::new();
/// let _ = iwer::write(&take, &IwerOptions::new(), &mut json)?;
/// let (again, losses) = iwer::read(&json)?;
/// assert_eq!(again.duration_secs(), take.duration_secs());
/// assert!(!losses.is_empty(), "the palms are made up");
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`Truncated`](holotape::ErrorKind::Truncated) if the text ends too early, [`Invalid`](holotape::ErrorKind::Invalid) if it
/// is no such recording. The words name the frame and the input, which count from 0.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let mut reader = Reader::default();
    parse::document(bytes, &mut reader)?;
    Ok(reader.finish())
}

#[derive(Default)]
struct Reader {
    assembler: Option<RecordingAssembler>,
    /// Which hands there are in the schema.
    hands: Vec<Hand>,
    time_secs: f64,
    /// Whether each hand is pinching, if it is in this frame.
    pinching: [Option<bool>; 2],
    has_gaze: bool,
    seen: ImportLosses,
}

impl ActionVisitor for Reader {
    fn schema(&mut self, inputs: &BTreeMap<usize, (Input, Role)>) {
        let is_hand =
            |hand: Hand| inputs.values().any(|(_, role)| matches!(role, Role::Hand(side, _) if *side == hand));
        self.hands = Hand::ALL.into_iter().filter(|hand| is_hand(*hand)).collect();
    }

    fn begin_frame(&mut self, time_ms: f64, viewer: &[f64; POSE_NUMBERS]) {
        self.time_secs = time_ms / 1e3;
        self.pinching = [None; 2];
        self.has_gaze = false;
        self.push(PoseId::Camera, placed(viewer));
    }

    fn input(&mut self, index: usize, input: &Input, role: Role, values: &Values) {
        match role {
            Role::Hand(hand, joints) if self.pinching[hand as usize].is_none() => {
                self.pinching[hand as usize] = Some(values.first_button.is_some_and(|[pressed, ..]| pressed == 1.0));
                self.push_hand(hand, &joints, values);
                self.seen.hand(input, &joints, values);
            }
            Role::Hand(..) => self.seen.doubles += 1,
            Role::Gaze => self.push_gaze(placed(&values.ray)),
            Role::Other => self.seen.other(index, input),
        }
    }

    fn end_frame(&mut self) {
        if !self.has_gaze {
            self.assembler().absent_gaze();
        }
        for hand in self.hands.clone() {
            let (time_secs, pinching) = (self.time_secs, self.pinching[hand as usize]);
            self.assembler().flags(hand, time_secs, pinching.is_some(), pinching == Some(true));
        }
    }
}

impl Reader {
    fn assembler(&mut self) -> &mut RecordingAssembler {
        let start_secs = self.time_secs;
        self.assembler.get_or_insert_with(|| RecordingAssembler::new(start_secs))
    }

    fn push(&mut self, id: PoseId, placed: Option<RigidPose>) {
        let time_secs = self.time_secs;
        self.assembler().pose(id, time_secs, placed.map(|placed| Space::RightHanded.pose(placed.pose())));
    }

    fn push_hand(&mut self, hand: Hand, joints: &[Joint; JOINTS], values: &Values) {
        let ray = placed(&values.ray);
        let [mut metacarpal, mut knuckle] = [None; 2];
        for (joint, numbers) in joints.iter().zip(values.joints.as_chunks::<JOINT_NUMBERS>().0) {
            let local = placed(&std::array::from_fn(|n| numbers[n]));
            let world = ray.zip(local).map(|(ray, local)| ray.compose(&local));
            match joint {
                Joint::MiddleMetacarpal => metacarpal = world,
                Joint::MiddleKnuckle => knuckle = world,
                _ => {}
            }
            self.push(PoseId::Joint(hand, *joint), world);
        }
        let palm = metacarpal.zip(knuckle).map(|(metacarpal, knuckle)| RigidPose {
            position: metacarpal.position.midpoint(knuckle.position),
            ..metacarpal
        });
        self.push(PoseId::Joint(hand, Joint::Palm), palm);
    }

    fn push_gaze(&mut self, eyes: Option<RigidPose>) {
        let ray = eyes.map(|eyes| Ray {
            origin: eyes.position.as_vec3().to_array(),
            direction: (eyes.rotation * DVec3::NEG_Z).as_vec3().to_array(),
        });
        self.has_gaze = true;
        let time_secs = self.time_secs;
        self.assembler().gaze(time_secs, ray.map(|ray| Space::RightHanded.ray(ray)));
    }

    fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.unwrap_or_else(|| RecordingAssembler::new(0.0)).finish();
        losses.extend(self.seen.losses());
        (recording, losses)
    }
}

/// IWER rounds what it writes, so rotations are a little off unit length. What has none is no pose.
fn placed(&[x, y, z, rotation @ ..]: &[f64; POSE_NUMBERS]) -> Option<RigidPose> {
    RigidPose::new([x, y, z], rotation)
}

/// What a recording has no place for, and what it was given that nobody measured.
#[derive(Default)]
struct ImportLosses {
    /// Inputs that are neither hands nor eyes, by their number: what they are, and in how many frames.
    others: BTreeMap<usize, (String, usize)>,
    palms: bool,
    radii: bool,
    rays: bool,
    controls: bool,
    half_pinches: bool,
    doubles: usize,
}

impl ImportLosses {
    fn hand(&mut self, input: &Input, joints: &[Joint; JOINTS], values: &Values) {
        self.palms = true;
        self.rays |= values.ray != IDENTITY || (input.has_grip && values.grip != IDENTITY);
        self.controls |= input.num_buttons > 1 || input.num_axes > 0;
        self.half_pinches |= values.first_button.is_some_and(|[.., value]| value > 0.0 && value < 1.0);
        // The order of joints is that of the file.
        let radii = joints.iter().zip(values.joints.as_chunks::<JOINT_NUMBERS>().0);
        self.radii |= radii.into_iter().any(|(joint, numbers)| !is_our_radius(*joint, numbers[POSE_NUMBERS]));
    }

    fn other(&mut self, index: usize, input: &Input) {
        let spoken = || format!("{} {}", input.handedness, input.target_ray_mode);
        self.others.entry(index).or_insert_with(|| (spoken(), 0)).1 += 1;
    }

    fn losses(&self) -> impl Iterator<Item = Loss> {
        let others = self.others.iter().map(|(index, (spoken, frames))| {
            let message = format!(
                "input {index}, a {spoken} without joints ({frames} frames): a recording has only hands and eyes"
            );
            Loss::new(LossKind::Unsupported, message)
        });
        let unsupported = [
            (self.radii, "the radii of the joints"),
            (self.rays, "the rays and grips of the hands"),
            (self.controls, "buttons and axes of the hands, but for the first button"),
            (self.half_pinches, "how far a hand is pinched: only whether it is"),
        ];
        let unsupported = unsupported.into_iter().filter(|(is_seen, _)| *is_seen);
        let unsupported = unsupported.map(|(_, message)| Loss::new(LossKind::Unsupported, message));
        let doubles = (self.doubles > 0).then(|| {
            let message = format!("second left or right hands in one frame ({}): left out", self.doubles);
            Loss::new(LossKind::Unusable, message)
        });
        let palms = self.palms.then(|| {
            Loss::new(LossKind::Invented, "the palms, which WebXR does not have: in the middle of the metacarpal bones")
        });
        others.chain(unsupported).chain(doubles).chain(palms)
    }
}

fn is_our_radius(joint: Joint, radius: f64) -> bool {
    joint.webxr_index().is_some_and(|index| (f64::from(RADII[index]) - radius).abs() <= SAME_RADIUS_M)
}
