//! OpenXR API layers that record head, hands and gaze of any application, and replay recordings into any application.
//!
//! One library has two layers, [`RECORD_LAYER`] and [`REPLAY_LAYER`]. The OpenXR loader puts them between application
//! and runtime. The command `holotape openxr` sets the loader up for one application, or for all applications of a user.
//!
//! ```
//! use holotape_openxr::{RECORD_LAYER, RecordConfig, manifest};
//!
//! let config = RecordConfig::new("take.bin");
//! assert!(config.to_json().contains("take.bin")); // the value of the variable `RecordConfig::VARIABLE`
//! let manifest = manifest::json(RECORD_LAYER, "./libholotape_openxr.so".as_ref());
//! assert!(manifest.contains("XR_APILAYER_HOLOTAPE_record"));
//! ```
//!
//! # Where things are
//!
//! - `ffi` has all unsafe code: negotiation with the loader, the functions that applications call, calls to the runtime.
//! - `record` samples a session and writes takes; `replay` answers for the runtime.
//! - [`launch`] enables a layer for one application, and [`manifest`] describes it to the loader.
//! - [`RecordConfig`] and [`ReplayConfig`] tell the layers what to do; [`Report`] tells the command what they did.
//!
//! Whatever goes wrong in a layer, the application runs on as if the layer were not there; the reason is on stderr.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod config;
mod ffi;
pub mod launch;
mod log;
pub mod manifest;
mod probe;
mod profile;
mod record;
mod replay;
mod report;
mod rigid;

pub use config::{RecordConfig, ReplayConfig, SpaceChoice};
pub use probe::Probe;
pub use report::Report;

/// The name of the layer that records.
pub const RECORD_LAYER: &str = "XR_APILAYER_HOLOTAPE_record";

/// The name of the layer that replays.
pub const REPLAY_LAYER: &str = "XR_APILAYER_HOLOTAPE_replay";

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
