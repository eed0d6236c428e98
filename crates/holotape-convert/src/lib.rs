//! Converts recordings to and from other file formats.
//!
//! Each format is a module. `write` converts a [`Recording`] to bytes and returns the losses: what the format cannot
//! represent. `read` converts bytes to a recording and returns what a recording cannot represent. [`open`] and
//! [`from_slice`] detect the format by content, and its [compression] before.
//!
//! ```
//! let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
//! let imported = holotape_convert::from_slice(&bytes)?;
//! assert_eq!(imported.file_format, holotape_convert::FileFormat::Bin);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # Coordinates
//!
//! A recording uses Unity's coordinates: left-handed, x right, y up, z forward. Tables keep them by default. Formats
//! with right-handed coordinates (glTF, BVH, MCAP, Isaac Teleop, WebXR) are [converted](Space) when written and read.

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod aria_mps;
pub mod arrow;
mod assemble;
pub mod bvh;
pub mod combined_table;
pub mod compression;
pub mod csv;
mod curve;
mod decimal;
mod delimited;
mod deviation;
pub mod egodex;
mod file_format;
mod file_set;
mod frame_losses;
pub mod gltf;
mod hand_joints;
pub mod handsbin;
pub mod hl2ss;
pub mod isaac;
pub mod iwer;
mod joint;
mod key_rotation;
mod loss;
pub mod mcap;
pub mod parquet;
pub mod plot;
pub mod psi;
mod read;
mod recording_name;
mod rigid;
pub mod stream_recorder;
pub mod table;
mod thrift;
mod ticks;
mod timing;
pub mod vision_pro;
mod write;

pub use assemble::from_frames;
pub use file_format::FileFormat;
pub use holotape::Space;
pub use loss::{Loss, LossKind, Losses};
pub use read::{ImportedRecording, OpenOptions, from_slice, open};
pub use recording_name::{is_recording_name, other_files};
pub use timing::Timing;
pub use write::WriteOptions;

#[cfg(doc)]
use holotape::Recording;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
