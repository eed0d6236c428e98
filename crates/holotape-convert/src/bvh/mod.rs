//! BVH, the skeleton and motion as text that animation programs read. In Blender: *File > Import > Motion Capture*, with
//! *Update Scene FPS* and *Update Scene Duration* ticked, or each frame of the file is a frame of the scene whatever its
//! rate.
//!
//! One root that stays at the origin, below it the head and both hands: `left-wrist`, `left-palm`,
//! `left-index-finger-tip`, names as in WebXR. Right-handed, y up, heads and bones looking along -z; angles in degrees, in the
//! order z, x, y, always those nearest to the frame before.
//!
//! Programs do not agree on what a position means for a joint with an `OFFSET`. In files with [free bones](Bones::Free) it
//! stands instead of the offset, as Blender, Maya and MotionBuilder read it, and the offsets show the hand in rest. With
//! [fixed bones](Bones::Fixed) what has positions has no offset, so those who add the two see the same.

mod euler;
mod motion;
mod skeleton;

use std::io::Write;

use glam::DVec3;
use holotape::{Frame, Hand, Joint, PoseId, Recording, Result};

use self::motion::BvhWriter;
use self::skeleton::Skeleton;
use crate::frame_losses::{self, FrameCapabilities};
use crate::{Loss, LossKind, Losses, Space, Timing, decimal};

/// How to write BVH.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::bvh::{Bones, BvhOptions, Unit};
///
/// let options = BvhOptions::new().with_timing(Timing::Rate(30.0)).with_bones(Bones::Fixed).with_unit(Unit::Centimetres);
/// assert_ne!(options, BvhOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhOptions {
    timing: Timing,
    bones: BoneMode,
    unit: Unit,
}

/// What becomes of bones, whose lengths change a little from frame to frame in what devices record.
///
/// ```
/// assert_eq!(holotape_convert::bvh::Bones::default(), holotape_convert::bvh::Bones::Free);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneMode {
    /// Every joint has a position and is where it was recorded.
    #[default]
    Free,
    /// Bones keep the length that they mostly have; below the wrist there are only rotations. Each bone points at where its
    /// end was recorded, so fingertips are as near as such bones reach.
    Fixed,
}

/// The unit of lengths, which BVH does not name.
///
/// ```
/// assert_eq!(holotape_convert::bvh::Unit::default(), holotape_convert::bvh::Unit::Metres);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Metres, as in Blender.
    #[default]
    Metres,
    /// Centimetres, as in Maya and MotionBuilder.
    Centimetres,
}

impl BvhOptions {
    /// The defaults: the rate that most of the recording has, free bones, metres.
    #[must_use]
    pub const fn new() -> Self {
        Self { timing: Timing::Keys, bones: BoneMode::Free, unit: Unit::Metres }
    }

    /// How many frames a second has. BVH has a fixed rate: [`Timing::Keys`] is the one that most of the recording has.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// What becomes of bones.
    #[must_use]
    pub const fn with_bones(self, bones: BoneMode) -> Self {
        Self { bones, ..self }
    }

    /// The unit of lengths.
    #[must_use]
    pub const fn with_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

impl Unit {
    /// Adds a vector of metres, to a ten-thousandth of a millimetre.
    fn push_vector(self, text: &mut Vec<u8>, vector: DVec3) {
        match self {
            Self::Metres => push_numbers(text, vector.to_array(), 7),
            Self::Centimetres => push_numbers(text, (vector * 100.0).to_array(), 5),
        }
    }
}

/// Writes BVH, with a frame at time 0 and then at a fixed rate.
///
/// While a hand was not tracked it keeps the pose that it had before, or gets after, because in BVH everything is always
/// there. A hand that was never tracked is left out.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::bvh::{self, BvhOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut text = Vec::new();
/// let losses = bvh::write(&take, &BvhOptions::new().with_timing(Timing::Rate(30.0)), &mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.starts_with("HIERARCHY\nROOT holotape\n"));
/// assert!(text.contains("JOINT right-index-finger-tip\n"));
/// assert!(text.contains("Frames: 31\n"));
/// for loss in losses {
///     eprintln!("lost: {loss}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails, or there are no frames at such a rate: see [`Timing::times`].
pub fn write(recording: &Recording, options: &BvhOptions, mut out: impl Write) -> Result<Losses> {
    let rate_hz = options.timing.rate_hz(recording);
    let timing = Timing::Rate(rate_hz);
    let times = timing.times(recording)?;
    let skeleton = Skeleton::of(recording, &times, options);
    let mut text = skeleton.hierarchy();
    text.extend_from_slice(format!("MOTION\nFrames: {}\nFrame Time: {}\n", times.len(), 1.0 / rate_hz).as_bytes());
    let mut motion = BvhWriter::new(&skeleton);
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for &time in &times {
        sampler.frame_into(time, &mut frame);
        Space::RightHanded.convert_frame(&mut frame);
        motion.push_row(&frame, &mut text);
        out.write_all(&text)?;
        text.clear();
    }
    let mut losses = unsupported_losses(recording, &skeleton);
    losses.extend(timing.loss(recording, &times));
    losses.extend(motion.losses());
    Ok(losses)
}

fn unsupported_losses(recording: &Recording, skeleton: &Skeleton) -> Losses {
    let mut losses = Losses::default();
    let has_gaze = recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some());
    losses.extend(has_gaze.then(|| Loss::new(LossKind::Gaze, "eye gaze: BVH has no place for it")));
    let markers = recording.markers.len();
    losses.extend((markers > 0).then(|| Loss::new(LossKind::Markers, format!("markers ({markers}): BVH has none"))));
    for hand in Hand::ALL {
        let pinches = recording.hand(hand).pinching.spans_secs().len();
        let message = || format!("pinches of the {hand} hand ({pinches}): BVH has only poses");
        losses.extend((pinches > 0).then(|| Loss::new(LossKind::Flags, message())));
    }
    losses.extend(frame_losses::frame_losses(recording, FrameCapabilities::default()));
    losses.extend(unused_pose_losses(recording, skeleton));
    losses
}

fn unused_pose_losses(recording: &Recording, skeleton: &Skeleton) -> impl Iterator<Item = Loss> {
    let recorded = recording.poses().filter(|(_, curves)| curves.pose_at(0.0).is_some()).map(|(id, _)| id);
    recorded.filter(|id| skeleton.ids().all(|other| other != *id)).filter_map(|id| match id {
        // It is no joint to any format of frames.
        PoseId::Joint(_, Joint::None) => None,
        // Once for the hand, not for each of its joints.
        PoseId::Joint(hand, joint) if !skeleton.has_hand(hand) => (joint == Joint::Wrist).then(|| {
            Loss::new(LossKind::Untracked, format!("{hand} hand: it was tracked in no frame, and is left out"))
        }),
        _ => Some(Loss::new(
            LossKind::Unusable,
            format!("{id}: all its poses have numbers that are none, and it is left out"),
        )),
    })
}

fn push_numbers(text: &mut Vec<u8>, numbers: [f64; 3], decimals: usize) {
    for number in numbers {
        text.push(b' ');
        decimal::push(text, number, decimals);
    }
}
