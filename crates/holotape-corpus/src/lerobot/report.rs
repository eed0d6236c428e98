//! The result of building a LeRobot dataset.

use std::collections::HashMap;

use holotape::text::pluralize;
use serde::Serialize;

use super::assemble::Assembled;
use super::dir::{FileKind, LerobotDir};
use super::manifest::{EpisodeInfo, Manifest};
use super::options::{LerobotOptions, TaskSource};
use crate::BrokenRecording;

/// The result of building a LeRobot dataset.
///
/// ```
/// # fn print(report: &holotape_corpus::LerobotReport) {
/// println!("{} episodes, {} frames", report.episode_count, report.frame_count);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LerobotReport {
    /// Number of episodes: recordings that are not broken.
    pub episode_count: u64,
    /// Number of frames of all episodes.
    pub frame_count: u64,
    /// Number of different tasks.
    pub task_count: usize,
    /// Number of data files.
    pub file_count: usize,
    /// Number of data files that this build wrote.
    pub written_file_count: usize,
    /// Total size of the data files.
    pub data_bytes: u64,
    /// Number of recordings that this build read; the episodes of others were kept or copied.
    pub read_recording_count: usize,
    /// Number of recordings that are new or changed; all if the dataset was rebuilt.
    pub changed_recording_count: usize,
    /// Number of recordings that were removed since the last build.
    pub removed_recording_count: usize,
    /// Recordings that are not episodes: broken or unreadable ones.
    pub broken: Vec<BrokenRecording>,
    /// What was dropped or filled in, by kind.
    pub notes: Vec<String>,
    /// Why the existing dataset was rebuilt completely.
    pub rebuild_reason: Option<String>,
}

pub(super) fn report(
    dir: &LerobotDir,
    assembled: &Assembled,
    manifest: &Manifest,
    before: Option<&Manifest>,
    rebuild_reason: Option<String>,
    options: &LerobotOptions,
) -> LerobotReport {
    let recordings = |manifest: &Manifest| -> HashMap<String, Option<String>> {
        manifest.entries().map(|entry| (entry.file.recording.clone(), entry.file.sha256.clone())).collect()
    };
    let (now, then) = (recordings(manifest), before.map(recordings).unwrap_or_default());
    let is_same = |(recording, sha256): &(&String, &Option<String>)| then.get(*recording) == Some(*sha256);
    let kept = if rebuild_reason.is_some() { 0 } else { now.iter().filter(is_same).count() };
    let size = |number| dir.path(FileKind::Data, number).metadata().map_or(0, |file| file.len());
    LerobotReport {
        episode_count: assembled.end.episode,
        frame_count: assembled.end.frame,
        task_count: assembled.end.tasks.texts().len(),
        file_count: manifest.numbered_files().count(),
        written_file_count: assembled.written_file_count,
        data_bytes: manifest.numbered_files().map(|(number, _)| size(number)).sum(),
        read_recording_count: assembled.read_recording_count,
        changed_recording_count: now.len() - kept,
        removed_recording_count: then.keys().filter(|recording| !now.contains_key(*recording)).count(),
        broken: manifest.entries().filter_map(|entry| BrokenRecording::from_entry(&entry.file)).collect(),
        notes: notes(manifest, options),
        rebuild_reason,
    }
}

fn notes(manifest: &Manifest, options: &LerobotOptions) -> Vec<String> {
    let sum = |of: fn(&EpisodeInfo) -> usize| {
        let counts = manifest.entries().filter_map(|entry| entry.episode.as_ref()).map(of).filter(|count| *count > 0);
        counts.fold((0, 0), |(sum, recordings), count| (sum + count, recordings + 1))
    };
    let (markers, with_markers) = sum(|info| info.marker_count);
    let (joints, with_missing) = sum(|info| info.missing_joint_count);
    let dropped = (markers > 0 && options.tasks != TaskSource::Markers).then(|| {
        let (markers, recordings) = (pluralize(markers, "marker"), pluralize(with_markers, "recording"));
        format!("dropped {markers} of {recordings}; --tasks-from markers makes them tasks")
    });
    let filled = (joints > 0).then(|| {
        let (joints, recordings) = (pluralize(joints, "joint"), pluralize(with_missing, "recording"));
        format!("constructed {joints} without data in {recordings}")
    });
    dropped.into_iter().chain(filled).collect()
}
