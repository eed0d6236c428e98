//! glTF 2.0: a recording as a scene that Blender, three.js, Godot, Unreal and every other viewer plays.
//!
//! ```
//! use holotape_convert::gltf::{self, GltfOptions};
//!
//! let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let mut glb = Vec::new();
//! let losses = gltf::write_glb(&take, &GltfOptions::new(), &mut glb)?;
//! let (again, _) = gltf::read(&glb)?;
//! assert_eq!(again.hands, take.hands);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # The scene
//!
//! Metres and seconds, right-handed, y up. There is a node for everything that has keys, and none for what has not:
//!
//! | node | what it is |
//! |---|---|
//! | `camera` | the head, with a camera that looks along its -z; `headset` is its body |
//! | `left-hand`, `right-hand` | a hand: not moved, but of size 0 while it is not tracked |
//! | `left-wrist`, `left-index-finger-tip`, … | the joints: the hand and the name of the joint in WebXR. Bones point along -z |
//! | `left-palm` | the palm, which WebXR has no name for |
//! | `left-wrist-bone`, … | the body of a bone, named after the joint that it ends in; it does not move by itself |
//! | `left-pinch` | of size 1 while the hand pinches, and 0 else |
//! | `gaze` | the eye ray: at its origin, with -z along it, turned as little as possible from key to key |
//!
//! The joints of a hand are children of the hand, so that their translations and rotations are those of the world. With
//! [`with_hierarchy`](GltfOptions::with_hierarchy) they are children of one another, as bones are, and all joints of a
//! hand have keys at the same times.
//!
//! There is one animation, `recording`. Translations and rotations have the keys that were recorded and are `LINEAR`; sizes
//! are `STEP`. Curves with tangents have more keys, as many a second as the recording has usually. Bodies are as long as the
//! bones were most of the time; their thickness is made up.
//!
//! # What comes back
//!
//! `asset.extras.holotape` is a document as [`Recording::write_json_to`] writes it, with everything that the animation does
//! not hold: markers, flags, format, the joint None, and curves that are not straight lines from time 0 on. So [`read`]
//! gives back what was written: positions to the bit where the curves of one share their keys, as those of all recorders do;
//! rotations of length 1 too, with signs that agree from key to key; directions within 10⁻⁶. What [`Losses`] tell of is what
//! others see: viewers turn evenly from key to key, which is said where it takes a rotation more than 0.05° off. A hierarchy comes back where it has keys, within the rounding of 32 bits.

mod accessors;
mod animation;
mod bone;
mod buffer;
mod container;
mod deviation;
mod flag;
mod geometry;
mod lengths;
mod local;
mod materials;
mod names;
mod read;
mod rotation;
mod sampled;
mod scene;
mod track;
mod write;

use std::io::Write;

use holotape::{Recording, Result};

use crate::{Losses, Timing};

/// Where in `asset.extras` the rest of a recording is.
const EXTRAS_KEY: &str = "holotape";

/// How a recording becomes a scene.
///
/// ```
/// use holotape_convert::{Timing, gltf::GltfOptions};
///
/// let options = GltfOptions::new().with_hierarchy(true).with_timing(Timing::Rate(30.0));
/// assert_ne!(options, GltfOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GltfOptions {
    hierarchy: bool,
    timing: Timing,
}

impl GltfOptions {
    /// Joints side by side, on the keys that were recorded.
    #[must_use]
    pub const fn new() -> Self {
        Self { hierarchy: false, timing: Timing::Keys }
    }

    /// Whether joints hang on one another, as seen from their parents, or side by side, as seen from the world.
    #[must_use]
    pub const fn with_hierarchy(self, hierarchy: bool) -> Self {
        Self { hierarchy, ..self }
    }

    /// At which times there are keys: where they were recorded, or so many a second.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }
}

/// Writes a recording as one binary file, `.glb`, and says what viewers do not see of it.
///
/// ```
/// use holotape_convert::gltf::{GltfOptions, write_glb};
///
/// let mut glb = Vec::new();
/// assert!(write_glb(&holotape::Recording::default(), &GltfOptions::new(), &mut glb)?.is_empty());
/// assert!(glb.starts_with(b"glTF"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails or the file would be larger than 4 GiB; with [`Timing::Rate`] also if there is no such rate, or a key is
/// at no time.
pub fn write_glb(recording: &Recording, options: &GltfOptions, out: impl Write) -> Result<Losses> {
    let (root, buffer, losses) = write::build(recording, options)?;
    container::write_binary(&root, &buffer, out)?;
    Ok(losses)
}

/// Writes a recording as one file of JSON, `.gltf`, that needs no other, and says what viewers do not see of it.
///
/// ```
/// use holotape_convert::gltf::{GltfOptions, write_gltf};
///
/// let mut gltf = Vec::new();
/// assert!(write_gltf(&holotape::Recording::default(), &GltfOptions::new(), &mut gltf)?.is_empty());
/// assert!(gltf.starts_with(b"{\"asset\""));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As with [`write_glb`].
pub fn write_gltf(recording: &Recording, options: &GltfOptions, out: impl Write) -> Result<Losses> {
    let (root, buffer, losses) = write::build(recording, options)?;
    container::write_text(root, &buffer, out)?;
    Ok(losses)
}

/// Reads a recording from a file of either form that was written here, and says what moves in it besides.
///
/// ```
/// use holotape_convert::gltf::{self, GltfOptions};
///
/// let mut glb = Vec::new();
/// let _ = gltf::write_glb(&holotape::Recording::default(), &GltfOptions::new(), &mut glb)?;
/// assert_eq!(gltf::read(&glb)?.0, holotape::Recording::default());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the bytes are no glTF file, if another program wrote it, if it is broken, or if it has thousands of nodes or of
/// anything else that a recording has few of.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read::read(bytes)
}
