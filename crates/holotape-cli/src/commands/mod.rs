//! One file a command.

pub mod check;
pub mod completions;
pub mod concat;
pub mod convert;
pub mod dataset;
pub mod demo;
pub mod diff;
pub mod info;
pub mod man;
pub mod markers;
pub mod merge;
pub mod mirror;
pub mod optimize;
pub mod play;
pub mod plot;
pub mod record;
pub mod repair;
pub mod resample;
pub mod retime;
pub mod sample;
pub mod select;
pub mod stats;
pub mod transform;
pub mod trim;
#[cfg(feature = "viewer")]
pub mod view;
