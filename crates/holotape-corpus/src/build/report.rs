//! What a build came to, in numbers.

use std::collections::HashMap;

use serde::Serialize;

use super::dataset_dir::DatasetDir;
use crate::Table;
use crate::dataset::{Manifest, ManifestEntry};

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// How many takes there are.
    pub takes: usize,
    /// How many of them were not there before, or have other contents now. All of them, where nothing could be kept.
    pub changed_recording_count: usize,
    /// How many were there before and are not any more.
    pub removed_recording_count: usize,
    /// How many parts there are,
    pub parts: usize,
    /// and how many of them had to be made. The others were there.
    pub written_partition_count: usize,
    /// How many rows each table has.
    pub rows: TableCounts,
    /// How large its files are.
    pub bytes: TableCounts,
    /// Takes of which there are no frames, and why: those that are broken, and those that cannot be read.
    pub broken: Vec<BrokenRecording>,
    /// Why nothing of the dataset that was there could be kept.
    pub rebuild_reason: Option<String>,
}

/// A number for each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableCounts {
    /// Of [`Table::Recordings`].
    pub recordings: u64,
    /// Of [`Table::Frames`].
    pub frames: u64,
    /// Of [`Table::Events`].
    pub events: u64,
    /// Of [`Table::Keys`]; nothing if it was not asked for.
    pub keys: Option<u64>,
}

/// A take of which there are no frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenRecording {
    /// Its name.
    pub take: String,
    /// What is wrong with it.
    pub error: String,
}

pub(super) fn report(
    place: &DatasetDir,
    manifest: &Manifest,
    before: Option<&Manifest>,
    parts_made: usize,
    rebuilt_because: Option<String>,
) -> BuildReport {
    let takes = |manifest: &Manifest| -> HashMap<String, Option<String>> {
        let takes = manifest.parts.iter().flat_map(|part| &part.takes);
        takes.map(|take| (take.take.clone(), take.sha256.clone())).collect()
    };
    let (now, then) = (takes(manifest), before.map(takes).unwrap_or_default());
    let is_same = |(take, sha256): &(&String, &Option<String>)| then.get(*take) == Some(*sha256);
    let kept = if rebuilt_because.is_some() { 0 } else { now.iter().filter(is_same).count() };
    let sizes = place.sizes(manifest);
    let count = |of: &dyn Fn(Table) -> u64| TableCounts {
        recordings: of(Table::Recordings),
        frames: of(Table::Frames),
        events: of(Table::Events),
        keys: manifest.keys.then(|| of(Table::Keys)),
    };
    let broken = |take: &ManifestEntry| Some(BrokenRecording { take: take.take.clone(), error: take.error.clone()? });
    BuildReport {
        takes: now.len(),
        changed_recording_count: now.len() - kept,
        removed_recording_count: then.keys().filter(|take| !now.contains_key(*take)).count(),
        parts: manifest.parts.len(),
        written_partition_count: parts_made,
        rows: count(&|table| manifest.parts.iter().filter_map(|part| part.rows.of(table)).sum()),
        bytes: count(&|table| sizes.get(&table).copied().unwrap_or(0)),
        broken: manifest.parts.iter().flat_map(|part| &part.takes).filter_map(broken).collect(),
        rebuild_reason: rebuilt_because,
    }
}
