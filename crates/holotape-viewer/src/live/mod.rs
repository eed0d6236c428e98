//! Takes that are being recorded: over which connections they come, who watches them, and how they are saved. The protocol is in
//! `docs/stream.md`.

mod connection;
mod list;
mod name;
mod queue;
mod record;
mod registry;
mod save;
mod take;
mod timing;
mod watch;
mod worker;

pub(crate) use list::list;
pub(crate) use record::record;
pub(crate) use registry::Live;
pub use save::SavedTake;
pub(crate) use timing::Timing;
pub(crate) use watch::watch;
