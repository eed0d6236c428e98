//! A viewer for recordings in the browser: a local server, and self-contained HTML pages.
//!
//! [`Viewer`] serves recordings. [`page::export`] writes recordings and the viewer into one HTML file:
//!
//! ```
//! use holotape_viewer::page::{ExportedRecording, export};
//!
//! let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let page = export(&[ExportedRecording { name: "demo.bin", recording: &recording, losses: Vec::new() }])?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), holotape::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod api;
mod counter;
pub mod curve_pack;
mod details;
mod edit;
mod http_error;
mod library;
mod live;
pub mod page;
mod server;
mod slots;
#[cfg(test)]
mod typescript;

pub use library::ServedDataset;
pub use live::SavedRecording;
pub use server::{
    AccessToken, DamagedFile, LanEvent, LanOptions, LanServer, LocalServer, NewCodeReason, PairedDevice, PairedDevices,
    Viewer, ViewerOptions,
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
