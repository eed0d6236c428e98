//! Edits of whole recordings: trimming, joining, merging, moving in time and in space.
//!
//! Every edit returns a new recording. Values that an edit does not change stay the same within the rounding of 32-bit
//! keys: curves are split exactly, including tangents and weights. The format stays as well, unless it cannot represent
//! the result.
//!
//! ```
//! use holotape::edit::{self, ConcatOptions};
//!
//! # let recording = holotape::demo::DemoOptions::new().with_seconds(6.0).generate()?;
//! let beginning = edit::trim(&recording, ..2.0)?;
//! let end = edit::trim(&recording, 5.0..)?;
//! let short = edit::concat(&[&beginning, &end], &ConcatOptions::new())?;
//! assert_eq!(short.duration_secs(), 3.0);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # Unusual recordings
//!
//! - Unsorted keys are sorted.
//! - A curve that repeats outside its keys is unrolled up to the end of the recording, where an edit requires it.
//! - Quaternion sign flips are removed. The rotations stay the same.
//! - A key at a NaN or infinite time is an error where times matter.

mod align;
mod budget;
mod concat;
mod editable_curve;
mod format;
mod merge;
mod mirror;
mod plane_rotation;
mod resample;
mod retime;
mod select;
mod split;
mod tangents;
mod times;
mod transform;
mod trim;
mod unroll;
mod vector;

pub use concat::{ConcatOptions, concat};
pub use merge::{MergeOptions, merge};
pub use mirror::mirror;
pub use resample::resample;
pub use retime::{RetimeOptions, retime};
pub use select::{Selection, select};
pub use transform::{Transform, transform};
pub use trim::trim;
