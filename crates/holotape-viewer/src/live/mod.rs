//! Live takes: recording over WebSockets, watching, and saving. `docs/stream.md` specifies the protocol, and
//! [`TakeServer`](holotape::stream::TakeServer) implements it.

mod connection;
mod list;
mod name;
mod record;
mod registry;
mod save;
mod take;
mod watch;
mod watcher_queue;
mod worker;

#[cfg(test)]
pub(crate) use list::LiveMessage;
pub(crate) use list::list;
pub(crate) use record::record;
pub(crate) use registry::{LiveTakes, TakeTimeouts};
pub use save::SavedRecording;
pub(crate) use watch::watch;
