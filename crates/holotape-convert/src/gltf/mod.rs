//! glTF 2.0: a recording as an animated scene for Blender, three.js, Godot, Unreal and other viewers.
//!
//! ```
//! use holotape_convert::gltf::{self, GltfOptions};
//!
//! let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let mut glb = Vec::new();
//! let losses = gltf::write_glb(&recording, &GltfOptions::new(), &mut glb)?;
//! let (read, _) = gltf::read(&glb)?;
//! assert_eq!(read.hands, recording.hands);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # The scene
//!
//! Units are metres and seconds; coordinates are right-handed with y up. Nodes exist only for data that has keys:
//!
//! | node | contents |
//! |---|---|
//! | `camera` | the head, with a camera that looks along its -z; its child `headset` has the mesh |
//! | `left-hand`, `right-hand` | a hand: static, but with scale 0 while it is not tracked |
//! | `left-wrist`, `left-index-finger-tip`, … | the joints: the hand and the joint's WebXR name. Bones point along -z |
//! | `left-palm` | the palm, for which WebXR has no name |
//! | `left-wrist-bone`, … | the mesh of a bone, named after the joint it ends in; static relative to its parent |
//! | `left-pinch` | scale 1 while the hand is pinching, otherwise 0 |
//! | `gaze` | the gaze ray: at its origin, with -z along its direction, with minimal rotation from key to key |
//!
//! The joints of a hand are children of the hand's node, so their translations and rotations are in world coordinates.
//! With [`with_hierarchy`](GltfOptions::with_hierarchy) joints are children of their parent joints, as bones are, and
//! all joints of a hand have the same key times.
//!
//! The scene has one animation, `recording`. Translations and rotations have the recorded keys with `LINEAR`
//! interpolation; scales use `STEP`. Curves with tangents are sampled at the recording's median rate. Bone meshes have
//! the median length of the recorded bones; their thickness is invented.
//!
//! # Round trip
//!
//! `asset.extras.holotape` is a document as written by [`Recording::write_json_to`]. It holds everything that the
//! animation does not represent: markers, flags, format, the joint None, and curves that are not linear from time 0 on.
//! [`read`] therefore restores what was written. Positions are bit-identical if their three curves share key times, as
//! those of all known recorders do. So are rotations of length 1 whose signs agree from key to key. Directions are
//! restored within 10⁻⁶. [`Losses`] describe what viewers show differently: they interpolate rotations at constant
//! speed, which is reported if a rotation deviates by more than 0.05°. A hierarchy is restored at its key times, within
//! 32-bit rounding.

mod accessors;
mod animation;
mod buffer;
mod container;
mod deviation;
mod geometry;
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

/// The key in `asset.extras` of the data that the scene does not represent.
const EXTRAS_KEY: &str = "holotape";

/// Options for writing a recording as glTF.
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
    /// A flat scene with the recorded key times.
    #[must_use]
    pub const fn new() -> Self {
        Self { hierarchy: false, timing: Timing::Keys }
    }

    /// Sets whether joints are children of their parent joints, instead of children of the hand with world coordinates.
    #[must_use]
    pub const fn with_hierarchy(self, hierarchy: bool) -> Self {
        Self { hierarchy, ..self }
    }

    /// Sets the key times: as recorded, or at a constant rate.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }
}

/// Writes a recording as a binary `.glb` file, and returns what viewers do not show of it.
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
/// If writing fails or the file would be larger than 4 GiB. With [`Timing::Rate`] also if the rate is invalid or a key
/// has a non-finite time.
pub fn write_glb(recording: &Recording, options: &GltfOptions, out: impl Write) -> Result<Losses> {
    let (root, buffer, losses) = write::build(recording, options)?;
    container::write_binary(&root, &buffer, out)?;
    Ok(losses)
}

/// Writes a recording as a self-contained JSON `.gltf` file, and returns what viewers do not show of it.
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

/// Reads a recording from a file that [`write_glb`] or [`write_gltf`] wrote. The losses report other animations.
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
/// If the bytes are not a glTF file, another program wrote it, it is damaged, or it has more than a few thousand nodes,
/// accessors or other items.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read::read(bytes)
}
