//! Takes that are being recorded: over which connections they come, who watches them, and how they are saved. The protocol is in
//! `docs/stream.md`.

mod connection;
mod list;
mod name;
mod record;
mod registry;
mod save;
mod take;
mod timeouts;
mod watch;
mod watcher_queue;
mod worker;

pub(crate) use list::list;
pub(crate) use record::record;
pub(crate) use registry::LiveTakes;
pub use save::SavedRecording;
pub(crate) use timeouts::Timeouts;
pub(crate) use watch::watch;
