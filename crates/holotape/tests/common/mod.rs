//! Shared helpers of the integration tests.
#![allow(dead_code, reason = "each test binary uses a part of this")]

pub mod arbitrary;
pub mod change;
pub mod motion;
pub mod properties;
pub mod reduction;
pub mod same;
pub mod strange;
#[cfg(feature = "stream")]
pub mod take_session;
pub mod walk;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub fn testdata(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(part)
}

/// All `.bin` files in a folder of the test data, with their names.
pub fn bin_files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<_> = fs::read_dir(testdata(folder))
        .expect("the test data is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .collect();
    paths.sort();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).expect("readable"))).collect()
}

/// The valid recordings and their expected values.
pub fn valid_pairs() -> Vec<(String, Vec<u8>, Value)> {
    let pairs: Vec<_> = bin_files("valid")
        .into_iter()
        .map(|(name, bytes)| {
            let json = fs::read(testdata("valid").join(format!("{name}.json"))).expect("each .bin has its .json");
            let expected = serde_json::from_slice(&json).expect("valid JSON");
            (name, bytes, expected)
        })
        .collect();
    assert!(pairs.len() >= 19, "only {} valid recordings found", pairs.len());
    pairs
}

/// A small recording with all channels.
pub fn small_file() -> Vec<u8> {
    fs::read(testdata("valid/mrtk28_three_frames.bin")).expect("readable")
}
