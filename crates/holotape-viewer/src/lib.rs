//! Recordings in the browser: hands, head and gaze moving in 3D over a timeline.
//!
//! [`page::export`] makes one file of recordings and the page that plays them, to mail or to put on a web site:
//!
//! ```
//! use holotape_viewer::page::Exported;
//!
//! let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
//! let exported = Exported { name: "demo.bin", recording: &take, losses: Vec::new() };
//! let page = holotape_viewer::page::export(&[exported])?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), holotape::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod counter;
pub mod describe;
mod edit;
mod library;
mod live;
pub mod page;
mod refusal;
mod server;
pub mod tape;

pub use library::Corpus;
pub use live::SavedTake;
pub use server::{Bound, CodeReason, LanBound, LanNews, LanOptions, Viewer, ViewerOptions};
