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

use holotape::Skeleton;

/// The number of joints of WebXR's hand.
const JOINT_COUNT: usize = Skeleton::WebXr.joint_count();

/// Values of a pose: position, then rotation.
const POSE_NUMBERS: usize = 7;

/// Values of a joint: its pose, then its radius.
const JOINT_NUMBERS: usize = POSE_NUMBERS + 1;
