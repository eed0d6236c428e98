//! Action recordings of the [Immersive Web Emulation Runtime](https://github.com/meta-quest/immersive-web-emulation-runtime)
//! (IWER), which plays them to a page in the browser as if a headset were there. Frames of JSON: the head, and for each
//! input a ray, the 25 joints of WebXR's hand, and buttons.
//!
//! What [`write`](write()) makes has a fixed ray at the origin for each hand, because joints are relative to the ray: so they are
//! exactly where they were. A pinch is the first button, which the player reports as `select`. Eye gaze is an input of its
//! own, which a page sees if it asked for the feature `gaze-tracking`.

mod parse;
mod read;
mod schema;
mod write;

pub use read::read;
pub use write::write;

use holotape::Joint;

use crate::Timing;

/// How to write an action recording.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::iwer::IwerOptions;
///
/// let options = IwerOptions::new().with_timing(Timing::Rate(30.0));
/// assert_ne!(options, IwerOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IwerOptions {
    timing: Timing,
}

impl IwerOptions {
    /// The defaults: a frame wherever anything was recorded.
    #[must_use]
    pub const fn new() -> Self {
        Self { timing: Timing::Keys }
    }

    /// The times of the frames.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing }
    }
}

/// How many joints WebXR's hand has.
const JOINTS: usize = 25;

/// Numbers of a pose: position, then rotation.
const POSE_NUMBERS: usize = 7;

/// Numbers of a joint: its pose, then its radius.
const JOINT_NUMBERS: usize = POSE_NUMBERS + 1;

/// The joints of WebXR's hand, in its order.
fn webxr_joints() -> impl Iterator<Item = Joint> {
    Joint::ALL.into_iter().filter(|joint| joint.webxr_index().is_some())
}

/// Half the thickness of a hand at each joint, in metres, of nobody in particular. In WebXR's order.
const RADII: [f32; JOINTS] = [
    0.025, // wrist
    0.02, 0.014, 0.011, 0.009, // thumb
    0.017, 0.011, 0.009, 0.008, 0.007, // index finger
    0.017, 0.011, 0.009, 0.008, 0.007, // middle finger
    0.016, 0.01, 0.009, 0.008, 0.007, // ring finger
    0.015, 0.009, 0.008, 0.007, 0.006, // little finger
];
