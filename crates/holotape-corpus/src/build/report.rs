//! The result of a build.

use std::collections::HashMap;

use serde::Serialize;

use super::dataset_dir::DatasetDir;
use crate::Table;
use crate::dataset::{Manifest, ManifestEntry, TableCounts};

/// The result of a build.
///
/// ```
/// # fn print(report: &holotape_corpus::BuildReport) {
/// println!("{} of {} recordings changed", report.changed_recording_count, report.recording_count);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// Number of recordings.
    pub recording_count: usize,
    /// Number of recordings that are new or changed; all if the dataset was rebuilt.
    pub changed_recording_count: usize,
    /// Number of recordings that were removed since the last build.
    pub removed_recording_count: usize,
    /// Number of partitions.
    pub partition_count: usize,
    /// Number of partitions that this build wrote.
    pub written_partition_count: usize,
    /// Number of rows by table.
    pub rows: TableCounts,
    /// File sizes by table.
    pub bytes: TableCounts,
    /// Recordings without frames: broken or unreadable ones.
    pub broken: Vec<BrokenRecording>,
    /// Why the existing dataset was rebuilt completely.
    pub rebuild_reason: Option<String>,
}

/// A recording without frames.
///
/// ```
/// # fn print(report: &holotape_corpus::BuildReport) {
/// for broken in &report.broken {
///     println!("{}: {}", broken.recording, broken.message);
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenRecording {
    /// The name of the recording.
    pub recording: String,
    /// The error.
    pub message: String,
}

impl BrokenRecording {
    /// Returns `None` if the recording is not broken.
    ///
    /// ```
    /// use holotape_corpus::{BrokenRecording, Dataset};
    ///
    /// # fn list(dataset: &Dataset) -> Vec<BrokenRecording> {
    /// dataset.recordings().filter_map(BrokenRecording::from_entry).collect()
    /// # }
    /// ```
    #[must_use]
    pub fn from_entry(entry: &ManifestEntry) -> Option<Self> {
        Some(Self { recording: entry.recording.clone(), message: entry.error.clone()? })
    }
}

pub(super) fn report(
    dir: &DatasetDir,
    manifest: &Manifest,
    before: Option<&Manifest>,
    written_partition_count: usize,
    rebuild_reason: Option<String>,
) -> BuildReport {
    let recordings = |manifest: &Manifest| -> HashMap<String, Option<String>> {
        let recordings = manifest.partitions.iter().flat_map(|partition| &partition.recordings);
        recordings.map(|entry| (entry.recording.clone(), entry.sha256.clone())).collect()
    };
    let (now, then) = (recordings(manifest), before.map(recordings).unwrap_or_default());
    let is_same = |(recording, sha256): &(&String, &Option<String>)| then.get(*recording) == Some(*sha256);
    let kept = if rebuild_reason.is_some() { 0 } else { now.iter().filter(is_same).count() };
    let sizes = dir.sizes(manifest);
    let count = |of: &dyn Fn(Table) -> u64| TableCounts {
        recordings: of(Table::Recordings),
        frames: of(Table::Frames),
        events: of(Table::Events),
        keys: manifest.has_keys.then(|| of(Table::Keys)),
    };
    BuildReport {
        recording_count: now.len(),
        changed_recording_count: now.len() - kept,
        removed_recording_count: then.keys().filter(|recording| !now.contains_key(*recording)).count(),
        partition_count: manifest.partitions.len(),
        written_partition_count,
        rows: count(&|table| manifest.partitions.iter().filter_map(|partition| partition.rows.of(table)).sum()),
        bytes: count(&|table| sizes.get(&table).copied().unwrap_or(0)),
        broken: manifest
            .partitions
            .iter()
            .flat_map(|partition| &partition.recordings)
            .filter_map(BrokenRecording::from_entry)
            .collect(),
        rebuild_reason,
    }
}
