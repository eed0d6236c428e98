//! BVH: skeleton and motion as text, for animation programs. In Blender, import with *File > Import > Motion Capture*
//! and check *Update Scene FPS* and *Update Scene Duration*; otherwise each frame of the file becomes one frame of the
//! scene, whatever its rate.
//!
//! The root stays at the origin. Its children are the head and the wrists of both hands; joints have names like
//! `left-wrist`, `left-palm` and, as in WebXR, `left-index-finger-tip`. Coordinates are right-handed with y up; head
//! and bones look along -z. Angles are in degrees in the order z, x, y, always the ones nearest to the previous frame.
//!
//! Programs interpret the position of a joint with an `OFFSET` differently. With [free bones](BoneMode::Free) the
//! position replaces the offset, as in Blender, Maya and MotionBuilder, and the offsets show the rest pose. With [fixed
//! bones](BoneMode::Fixed) joints with positions have no offset, so programs that add the two agree.

mod euler;
mod motion;
mod skeleton;

use std::io::Write;

use glam::DVec3;
use holotape::text::pluralize;
use holotape::{Frame, Hand, Joint, PoseId, Recording, Result, WindowedRecording};

use self::motion::BvhWriter;
use self::skeleton::Skeleton;
use crate::frame_losses::{self, FrameCapabilities};
use crate::{Loss, LossKind, Losses, Space, Timing, decimal};

/// Options for writing BVH.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::bvh::{BoneMode, BvhOptions, Unit};
///
/// let options = BvhOptions::new().with_timing(Timing::Rate(30.0)).with_bones(BoneMode::Fixed).with_unit(Unit::Centimetres);
/// assert_ne!(options, BvhOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhOptions {
    timing: Timing,
    bones: BoneMode,
    unit: Unit,
}

/// The handling of bones, whose recorded lengths vary slightly from frame to frame.
///
/// ```
/// assert_eq!(holotape_convert::bvh::BoneMode::default(), holotape_convert::bvh::BoneMode::Free);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneMode {
    /// Every joint has a position and is exactly where it was recorded.
    #[default]
    Free,
    /// Bones have their median length; joints below the wrist have only rotations. Each bone points at the recorded
    /// position of its end.
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
    /// The defaults: the median rate of the recording, free bones, metres.
    #[must_use]
    pub const fn new() -> Self {
        Self { timing: Timing::Keys, bones: BoneMode::Free, unit: Unit::Metres }
    }

    /// Sets the frame rate. BVH has a fixed rate: [`Timing::Keys`] stands for the median rate of the recording.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// Sets the handling of bones.
    #[must_use]
    pub const fn with_bones(self, bones: BoneMode) -> Self {
        Self { bones, ..self }
    }

    /// Sets the unit of lengths.
    #[must_use]
    pub const fn with_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

impl Unit {
    /// Adds a vector in metres, rounded to 0.0001 mm.
    fn push_vector(self, text: &mut Vec<u8>, vector: DVec3) {
        match self {
            Self::Metres => push_numbers(text, vector.to_array(), 7),
            Self::Centimetres => push_numbers(text, (vector * 100.0).to_array(), 5),
        }
    }
}

/// Writes BVH with frames at a fixed rate from time 0 on, and returns what it cannot represent.
///
/// While a hand is not tracked it keeps its previous or, at the start, its next pose, because BVH has no notion of
/// tracking. A hand that is never tracked is dropped.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::bvh::{self, BvhOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut text = Vec::new();
/// let losses = bvh::write(&recording, &BvhOptions::new().with_timing(Timing::Rate(30.0)), &mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.starts_with("HIERARCHY\nROOT holotape\n"));
/// assert!(text.contains("JOINT right-index-finger-tip\n"));
/// assert!(text.contains("Frames: 31\n"));
/// for loss in losses {
///     eprintln!("{loss}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails or the rate is invalid: see [`Timing::times`].
pub fn write(recording: &Recording, options: &BvhOptions, mut out: impl Write) -> Result<Losses> {
    let rate_hz = options.timing.rate_hz(recording);
    let timing = Timing::Rate(rate_hz);
    let times = timing.times(recording)?;
    let skeleton = Skeleton::new(recording, &times, options);
    let mut text = skeleton.hierarchy();
    text.extend_from_slice(format!("MOTION\nFrames: {}\nFrame Time: {}\n", times.len(), 1.0 / rate_hz).as_bytes());
    let mut writer = BvhWriter::new(&skeleton);
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for &time in &times {
        sampler.frame_into(time, &mut frame);
        Space::RightHanded.convert_frame(&mut frame);
        writer.push_row(&frame, &mut text);
        out.write_all(&text)?;
        text.clear();
    }
    let mut losses = unsupported_losses(recording, &skeleton);
    losses.extend(timing.loss(&WindowedRecording::new(recording), &times)?);
    writer.add_losses(&mut losses);
    Ok(losses)
}

fn unsupported_losses(recording: &Recording, skeleton: &Skeleton) -> Losses {
    let mut losses = Losses::default();
    let has_gaze = recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some());
    losses.push_if(has_gaze, LossKind::Gaze, || "dropped the gaze: not supported by BVH".to_owned());
    let markers = recording.markers.len();
    losses.push_if(markers > 0, LossKind::Markers, || {
        format!("dropped {}: not supported by BVH", pluralize(markers, "marker"))
    });
    for hand in Hand::ALL {
        let pinches = recording.hand(hand).pinching.spans_secs().len();
        losses.push_if(pinches > 0, LossKind::Flags, || {
            format!("dropped {} of the {hand} hand: not supported by BVH", pluralize(pinches, "pinch"))
        });
    }
    losses.extend(frame_losses::frame_losses(&WindowedRecording::new(recording), FrameCapabilities::default()));
    losses.extend(unused_pose_losses(recording, skeleton));
    losses
}

fn unused_pose_losses(recording: &Recording, skeleton: &Skeleton) -> impl Iterator<Item = Loss> {
    let recorded = recording.poses().filter(|(_, curves)| curves.pose_at(0.0).is_some()).map(|(id, _)| id);
    recorded.filter(|id| skeleton.ids().all(|other| other != *id)).filter_map(|id| match id {
        // Reported by `frame_losses`.
        PoseId::Joint(_, Joint::None) => None,
        // Reported once per hand.
        PoseId::Joint(hand, joint) if !skeleton.has_hand(hand) => (joint == Joint::Wrist)
            .then(|| Loss::new(LossKind::Untracked, format!("dropped the {hand} hand: not tracked in any frame"))),
        _ => Some(Loss::new(LossKind::Unusable, format!("dropped {id}: none of its poses is finite"))),
    })
}

fn push_numbers(text: &mut Vec<u8>, numbers: [f64; 3], decimals: usize) {
    for number in numbers {
        text.push(b' ');
        decimal::push(text, number, decimals);
    }
}
