//! Many recordings as four tables: [`Table::Recordings`], [`Table::Frames`], [`Table::Events`] and [`Table::Keys`].
//!
//! [`scan`] reads recordings in place, [`build`] writes a dataset of Parquet files. Both have the same columns.
//! [`build_lerobot`] writes a LeRobot dataset instead, for training robots.

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod build;
mod dataset;
mod file;
mod lerobot;
mod recording_file;
mod report;
mod rows;
mod scan;
mod schema;
mod table;

pub use build::{BrokenRecording, BuildOptions, BuildReport, Progress, build};
pub use dataset::{Dataset, MANIFEST_NAME, ManifestEntry, TableCounts};
pub use lerobot::{ActionSource, FeatureSet, LerobotOptions, LerobotReport, TaskSource, build_lerobot};
pub use recording_file::{RecordingFile, find_recordings};
pub use report::{Report, ServedReport};
pub use rows::{RecordingRows, RowOptions};
pub use scan::{FileIndexCache, HandFilter, OnError, Scan, ScanCounts, ScanOptions, scan};
pub use schema::{SCHEMA_VERSION, schema};
pub use table::Table;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
