//! Records frames: [`Recorder`]. A [`Journal`] recovers the take of a process that was killed.

mod build_recording;
pub(crate) mod decode;
pub(crate) mod encode;
mod finished;
mod frame_mask;
pub(crate) mod journal;
mod name;
mod options;
mod rate;
mod record_buffer;
mod record_header;
mod recorder;

pub use finished::FinishedRecording;
pub use journal::{Journal, journal_path};
pub use name::mrtk_file_name;
pub use options::RecorderOptions;
pub use recorder::{PushOutcome, Recorder, RecorderStatus};
