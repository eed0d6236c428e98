//! Action recordings of the [Immersive Web Emulation
//! Runtime](https://github.com/meta-quest/immersive-web-emulation-runtime) (IWER), which replays them to a web page as
//! if a headset were connected. The JSON has frames with the head pose, and for each input a ray, the 25 joints of
//! WebXR's hand, and buttons.
//!
//! [`write`](write()) gives each hand a fixed ray at the origin, because joints are relative to the ray: so they have
//! world coordinates. A pinch is the first button, which the player reports as `select`. The gaze is a separate input,
//! which a page receives if it requests the feature `gaze-tracking`.

mod parse;
mod read;
mod schema;
mod write;

pub use read::read;
pub use write::write;

use holotape::Joint;

/// The number of joints of WebXR's hand.
const JOINT_COUNT: usize = 25;

/// Values of a pose: position, then rotation.
const POSE_NUMBERS: usize = 7;

/// Values of a joint: its pose, then its radius.
const JOINT_NUMBERS: usize = POSE_NUMBERS + 1;

/// The joints of WebXR's hand, in WebXR's order.
fn webxr_joints() -> impl Iterator<Item = Joint> {
    Joint::ALL.into_iter().filter(|joint| joint.webxr_index().is_some())
}

/// Typical joint radii of a hand in metres, in WebXR's order.
const RADII: [f32; JOINT_COUNT] = [
    0.025, // wrist
    0.02, 0.014, 0.011, 0.009, // thumb
    0.017, 0.011, 0.009, 0.008, 0.007, // index finger
    0.017, 0.011, 0.009, 0.008, 0.007, // middle finger
    0.016, 0.01, 0.009, 0.008, 0.007, // ring finger
    0.015, 0.009, 0.008, 0.007, 0.006, // little finger
];
