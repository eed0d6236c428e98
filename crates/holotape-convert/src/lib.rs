//! Recordings into and out of the formats that people use already.
//!
//! Every format is a module with the functions that it has: `write` makes bytes of a [`Recording`] and says what these
//! could not hold, `read` makes a recording of bytes and says what it has no place for. [`open`] and [`from_slice`] find
//! out by content what they are given.
//!
//! ```
//! let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
//! let opened = holotape_convert::from_slice(&bytes)?;
//! assert_eq!(opened.kind, holotape_convert::Kind::Bin);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # Spaces
//!
//! A recording is in Unity's space: left-handed, x right, y up, z forward. Tables stay there unless asked otherwise; what
//! goes to the right-handed world (glTF, BVH, MCAP, WebXR) is [turned over](Space), and back on the way in.

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod arrow;
mod assemble;
pub mod bvh;
pub mod combined_table;
pub mod csv;
mod curve;
mod decimal;
mod delimited;
mod file_format;
mod frame_losses;
mod frames;
pub mod gltf;
pub mod hl2ss;
pub mod iwer;
mod joint;
mod loss;
pub mod mcap;
mod openxr;
pub mod parquet;
pub mod plot;
pub mod psi;
mod read;
mod rigid;
mod space;
pub mod stream_recorder;
pub mod table;
mod ticks;
mod timing;
mod write;

pub use file_format::FileFormat;
pub use frames::from_frames;
pub use loss::{Loss, LossKind, Losses};
pub use read::{ImportedRecording, OpenOptions, from_slice, open};
pub use space::Space;
pub use timing::Timing;
pub use write::WriteOptions;

#[cfg(doc)]
use holotape::Recording;
