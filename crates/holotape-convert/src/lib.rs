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
//!
//! # Features
//!
//! All are enabled by default. A build without one of them detects its formats, but fails to read and write them.
//!
//! `hdf5` adds the module `egodex`.
//!
//! `mcap` adds the modules `mcap` and `isaac`.
//!
//! `plot` adds the module `plot`.
//!
//! `tables` adds the modules `csv`, `parquet`, `arrow` and `combined_table`, and the functions of [`table`].

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod aria_mps;
#[cfg(feature = "tables")]
pub mod arrow;
mod assemble;
pub mod bvh;
#[cfg(feature = "tables")]
pub mod combined_table;
pub mod compression;
#[cfg(feature = "tables")]
pub mod csv;
mod curve;
mod decimal;
mod delimited;
mod deviation;
#[cfg(feature = "hdf5")]
pub mod egodex;
mod file_format;
mod file_set;
mod frame_losses;
pub mod gltf;
mod hand_joints;
pub mod handsbin;
pub mod hl2ss;
#[cfg(feature = "mcap")]
pub mod isaac;
pub mod iwer;
mod joint;
mod key_rotation;
mod loss;
#[cfg(feature = "mcap")]
pub mod mcap;
#[cfg(feature = "tables")]
pub mod parquet;
#[cfg(feature = "plot")]
pub mod plot;
pub mod psi;
mod read;
mod recording_name;
mod rigid;
pub mod stream_recorder;
pub mod table;
#[cfg(feature = "tables")]
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
