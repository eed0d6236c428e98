//! Frames in, a recording out: [`Recorder`]. A [`Journal`] brings back what a process that was killed had recorded.

mod checksum;
mod finished;
mod framing;
mod journal;
mod name;
mod options;
pub(crate) mod packed;
mod present;
mod rate;
mod recorder;
mod reel;
mod tracks;
pub(crate) mod unpack;

pub use finished::Finished;
pub use journal::{JOURNAL_MAGIC, Journal, journal_path};
pub use name::file_name;
pub use options::RecorderOptions;
pub use recorder::{Pushed, Recorder, Status};
