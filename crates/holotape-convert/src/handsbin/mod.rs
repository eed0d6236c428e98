//! Hand captures of Unity's package XR Hands (`com.unity.xr.hands`): `.handsbin`.
//!
//! Version 1 (package 1.7) has the joints of both hands. Version 2 (packages 1.8 to 1.10) also has the head, gestures and
//! aim poses. Unity reads only the version of the installed package; [`write`](write()) writes both, so that reading
//! version 1 and writing version 2 upgrades a file.
//!
//! A file has a header and frames, without magic bytes, padding or checksum. Numbers are little-endian. Coordinates are
//! those of a recording, so numbers are copied.
//!
//! # Times
//!
//! Unity stamps a frame of version 2 with the time of the frame before: 0, 0, t₁, t₂ … and stores the true time of the
//! last frame as the duration. [`read`](read()) restores the true times if it recognizes this: the first two stamps are
//! 0, and the duration exceeds the last one. [`write`](write()) writes true times.

mod cursor;
mod frame;
mod hand_writer;
mod header;
mod read;
mod write;

use std::path::Path;

use holotape::{Joint, Skeleton};

use crate::Timing;
use crate::compression::Compression;

pub use read::read;
pub(crate) use read::read_named;
pub use write::write;

pub(crate) use header::detect;

/// The name in messages.
const FORMAT: &str = "Unity hand captures";

/// A position and a rotation, seven 32-bit floats.
const POSE_BYTES: usize = 28;

const SKELETON: Skeleton = Skeleton::UnityXrHands;
const JOINT_COUNT: usize = SKELETON.joint_count();

/// The joints in the order of the file.
const JOINTS: [Joint; JOINT_COUNT] = {
    let mut joints = [Joint::None; JOINT_COUNT];
    let mut n = 0;
    while n < JOINT_COUNT {
        if let Some(joint) = SKELETON.joint(n) {
            joints[n] = joint;
        }
        n += 1;
    }
    joints
};

/// Bit for joint 0 first; the two joints of the last byte are in its lowest bits.
const ALL_JOINTS: [u8; 4] = [0xff, 0xff, 0xff, 0x03];

/// The mesh layout that hand providers have by default: that of Meta Quest.
const DEFAULT_MESH: i32 = 1;

const FINGER_COUNT: usize = 5;
const FINGER_VALUES: usize = 16;

/// The finger shapes that hand providers have by default, thumb first: minimum and maximum of full curl 1 to 3, base
/// curl, tip curl 1 and 2 in degrees, pinch in metres, spread in degrees; -1 if the finger has no such shape.
const DEFAULT_FINGERS: [[f32; FINGER_VALUES]; FINGER_COUNT] = [
    [132.0, 162.0, 129.0, 180.0, -1.0, -1.0, 2.0, 60.0, 119.0, 169.0, 129.0, 180.0, -1.0, -1.0, 3.0, 57.0],
    [102.0, 180.0, 90.0, 174.0, 120.0, 180.0, 102.0, 180.0, 90.0, 174.0, 120.0, 180.0, 0.01, 0.045, 3.0, 18.0],
    [92.0, 180.0, 90.0, 174.0, 116.0, 180.0, 92.0, 180.0, 90.0, 174.0, 116.0, 180.0, 0.01, 0.045, 3.0, 20.0],
    [90.0, 180.0, 90.0, 174.0, 112.0, 180.0, 95.0, 180.0, 90.0, 174.0, 112.0, 180.0, 0.01, 0.045, 3.0, 20.0],
    [90.0, 180.0, 90.0, 164.0, 116.0, 180.0, 95.0, 180.0, 90.0, 164.0, 116.0, 180.0, 0.01, 0.045, -1.0, -1.0],
];

/// Bits of the integers in a file of version 2.
mod bits {
    /// Sequence flags: common gestures, pinch value.
    pub(super) const SEQUENCE_PINCH: i32 = 1 | 64;
    /// Options: frames also have the before-render step.
    pub(super) const OPTION_BEFORE_RENDER: i32 = 1;

    /// Frame flags of the left hand; those of the right hand are one bit higher.
    pub(super) const FRAME_SNAPSHOT: i32 = 1;
    pub(super) const FRAME_GESTURES: i32 = 4;
    pub(super) const FRAME_AIM: i32 = 16;

    /// Head state: position and rotation are valid.
    pub(super) const HEAD_POSE: i32 = 3;

    /// Success bits of the left hand; those of the right hand are two bits higher.
    pub(super) const SUCCESS_ROOT: i32 = 1;
    pub(super) const SUCCESS_HAND: i32 = 3;

    /// Steps of a snapshot.
    pub(super) const STEP_DYNAMIC: i32 = 1;
    pub(super) const STEP_BEFORE_RENDER: i32 = 2;

    /// Hand flags.
    pub(super) const HAND_JOINTS: i32 = 1;
    pub(super) const HAND_TRACKED: i32 = 2;

    /// Gesture flags.
    pub(super) const GESTURE_PINCH_VALUE: i32 = 32;
    pub(super) const GESTURE_AIM_ACTIVATED: i32 = 128;
    pub(super) const GESTURE_GRASP_FIRM: i32 = 256;
    pub(super) const GESTURE_PINCH_TOUCHED: i32 = 512;

    /// Aim flags.
    pub(super) const AIM_INDEX_PRESSED: i32 = 2;
    pub(super) const AIM_POSE: i32 = 32;
}

/// The name of a recording in a file: the name of the file without extensions.
pub(crate) fn recording_name(path: &Path) -> Option<&str> {
    let (name, _) = Compression::split_name(path.file_name()?.to_str()?);
    Path::new(name).file_stem()?.to_str()
}

/// The version of a capture. Unity reads only the one that its package writes.
///
/// ```
/// use holotape_convert::handsbin::HandsbinVersion;
///
/// assert_eq!(HandsbinVersion::default().number(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HandsbinVersion {
    /// XR Hands 1.7: joints only.
    V1,
    /// XR Hands 1.8 to 1.10: joints, head and pinches.
    #[default]
    V2,
}

impl HandsbinVersion {
    /// All versions.
    pub const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// The number in the file: 1 or 2.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }
}

/// Options for writing a capture.
///
/// ```
/// use holotape_convert::handsbin::{HandsbinOptions, HandsbinVersion};
///
/// let options = HandsbinOptions::new().with_version(HandsbinVersion::V1).with_name("reach");
/// assert_ne!(options, HandsbinOptions::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandsbinOptions {
    version: HandsbinVersion,
    timing: Timing,
    name: String,
}

impl HandsbinOptions {
    /// The defaults: version 2, frames at each key time, and the name `recording`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the version.
    #[must_use]
    pub fn with_version(self, version: HandsbinVersion) -> Self {
        Self { version, ..self }
    }

    /// Sets the frame times.
    #[must_use]
    pub fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// Sets the name in the file, which must not be empty: an empty one becomes `recording`.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }
}
