//! Changing recordings as a whole: cutting them and putting them together, in time and in space.
//!
//! Every edit makes a new recording and leaves the old one as it is. What is sampled from the new one is what was
//! sampled from the old, where the edit says it stays: curves are split exactly, tangents and weights included, and a
//! pose is the same within the rounding of 32-bit keys. The format stays too, unless it could not hold what it now has
//! to.
//!
//! ```
//! use holotape::edit::{self, ConcatOptions};
//!
//! # let take = holotape::demo::DemoOptions::new().with_seconds(6.0).generate()?;
//! let beginning = edit::trim(&take, ..2.0)?;
//! let end = edit::trim(&take, 5.0..)?;
//! let short = edit::concat(&[&beginning, &end], &ConcatOptions::new())?;
//! assert_eq!(short.duration_secs(), 3.0);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # What is made of strange recordings
//!
//! - Keys out of order are put in order.
//! - A curve that repeats outside its keys, where it cannot go on doing so, is written out as far as the recording
//!   goes, and clamps from there on.
//! - Rotations whose keys change sign from one to the next come out with signs that agree. They are the same rotations.
//! - A key that is at no time, at NaN or infinity, is an error where times matter.

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
