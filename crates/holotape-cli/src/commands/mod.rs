//! One file a command.

pub mod completions;
pub mod convert;
pub mod demo;
pub mod diff;
pub mod info;
pub mod man;
pub mod optimize;
pub mod play;
pub mod record;
pub mod sample;
pub mod stats;
