//! Recordings in the browser: hands, head and gaze moving in 3D over a timeline.
//!
//! [`page::export`] makes one file of recordings and the page that plays them, to mail or to put on a web site:
//!
//! ```
//! use holotape_viewer::page::Exported;
//!
//! let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let exported = ExportedRecording { name: "demo.bin", recording: &take, losses: Vec::new() };
//! let page = holotape_viewer::page::export(&[exported])?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), holotape::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod api;
mod counter;
pub mod curve_pack;
mod edit;
mod http_error;
mod library;
mod live;
pub mod page;
mod server;

pub use library::ServedDataset;
pub use live::SavedRecording;
pub use server::{LanEvent, LanOptions, LanServer, LocalServer, NewCodeReason, Viewer, ViewerOptions};
