//! LeRobot datasets, version 3.0: one episode per recording, at a fixed rate.
//!
//! ```text
//! recording_file ──► changes ──► episode … ──► assemble ──► data_file, episode_file ──► dir
//! find files         changed?    sampled,      numbers      files                      move into place
//!                                encoded       in order
//! ```
//!
//! Numbers of episodes and frames are global, so a changed recording changes all files from its own on. The columns that do not
//! depend on these numbers are copied from the old files, without reading the recordings.

mod assemble;
mod data_file;
mod dir;
mod episode;
mod episode_file;
mod features;
mod hold;
mod info;
mod known;
mod manifest;
mod options;
mod ordered;
mod report;
mod stats;
mod tasks;

use std::ops::ControlFlow;
use std::path::Path;

use holotape::{Error, ErrorKind, Result};
use parquet::errors::ParquetError;
use rayon::ThreadPool;

pub(crate) use dir::is_lerobot_dataset;
pub use options::{ActionSource, FeatureSet, LerobotOptions, TaskSource};
pub use report::LerobotReport;

use self::assemble::{Assembled, Context, assemble};
use self::dir::{FileKind, LerobotDir, check_output_dir};
use self::features::Features;
use self::info::{DatasetFiles, info_json, stats_json};
use self::known::{KnownFile, known_files};
use self::manifest::Manifest;
use crate::build::changes::detect_changes;
use crate::build::{exclude_output_dir, pool};
use crate::{BrokenRecording, Progress, find_recordings};

/// Builds or updates a LeRobot dataset of all recordings that [`find_recordings`] finds. Files below `out` are ignored.
///
/// Episodes are sorted by the names of their recordings; broken recordings are left out and reported. A second build reads only
/// changed recordings, and an interrupted one resumes. `progress` is called after each recording, and can cancel the build.
///
/// ```
/// use std::ops::ControlFlow;
/// use holotape_corpus::{LerobotOptions, build_lerobot};
///
/// let folder = tempfile::tempdir()?;
/// let study = folder.path().join("study");
/// std::fs::create_dir(&study)?;
/// for seed in 0..3 {
///     let recording = holotape::demo::DemoOptions::new().with_seed(seed).with_seconds(0.5).generate()?;
///     let _losses = recording.save(study.join(format!("{seed}.bin")))?;
/// }
/// let out = folder.path().join("lerobot");
/// let report = build_lerobot([&study], &out, &LerobotOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!((report.episode_count, report.frame_count), (3, 3 * 16));
///
/// let again = build_lerobot([&study], &out, &LerobotOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!(again.written_file_count, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no recording can be read, an option is invalid, `out` has other contents, is locked by another build, was built by a newer
/// version of holotape, or cannot be written to.
pub fn build_lerobot<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    out: impl AsRef<Path>,
    options: &LerobotOptions,
    progress: impl Fn(Progress) -> ControlFlow<()> + Sync,
) -> Result<LerobotReport> {
    let out = out.as_ref();
    options.check()?;
    check_output_dir(out)?;
    let files = exclude_output_dir(find_recordings(inputs)?, out);
    if files.is_empty() {
        return Err(Error::invalid_argument("no recordings found"));
    }
    let dir = LerobotDir::lock_for_build(out)?;
    let before = dir.manifest()?;
    let has_changed = |manifest: &&Manifest| manifest.settings != options.to_string();
    let rebuild_reason = before.as_ref().filter(has_changed).map(|_| REBUILD_REASON.to_owned());
    let pool = pool(options.jobs())?;
    let in_place = before.iter().filter(|_| rebuild_reason.is_none()).flat_map(|it| it.files.clone()).collect();
    let known = known_files(&dir, &options.to_string(), in_place);
    let entries = known.iter().flat_map(|known| &known.file.recordings).map(|entry| &entry.file);
    let sources = pool.install(|| detect_changes(files, entries, options.verify));
    let features = Features::new(options);
    let context = Context { dir: &dir, known: &known, features: &features, options };
    let assembled = assemble(&context, sources, &progress)?;
    let manifest = Manifest::new(options.to_string(), assembled.files.clone());
    check_not_empty(&assembled, &manifest)?;
    finish(&context, &assembled, &manifest, before.as_ref(), &pool)?;
    Ok(report::report(&dir, &assembled, &manifest, before.as_ref(), rebuild_reason, options))
}

const REBUILD_REASON: &str = "other options, or another version of holotape";

/// Readers cannot open a dataset without episodes.
fn check_not_empty(assembled: &Assembled, manifest: &Manifest) -> Result<()> {
    if assembled.end.episode > 0 {
        return Ok(());
    }
    let broken = manifest.entries().find_map(|entry| BrokenRecording::from_entry(&entry.file));
    let first = broken.map_or_else(String::new, |broken| format!(": {}: {}", broken.recording, broken.message));
    Err(Error::new(ErrorKind::Invalid, format!("no recording could be read{first}")))
}

/// Replaces the dataset, unless nothing has changed.
fn finish(
    context: &Context<'_>,
    assembled: &Assembled,
    manifest: &Manifest,
    before: Option<&Manifest>,
    pool: &ThreadPool,
) -> Result<()> {
    let Context { dir, known, features, options } = *context;
    let ids = |manifest: &Manifest| manifest.files.iter().map(|file| file.id.clone()).collect::<Vec<_>>();
    let in_place = |id: &String| known.iter().any(|known| known.is_in_place && known.file.id == *id);
    let is_same = before.is_some_and(|before| ids(before) == ids(manifest));
    if is_same && ids(manifest).iter().all(in_place) && dir.has_meta_files() {
        if before != Some(manifest) {
            dir.replace_manifest(manifest)?;
        }
        dir.remove_staged();
        return Ok(());
    }
    let files = dataset_files(dir, known, manifest, assembled.end.frame);
    let stats = stats_json(&files, features, pool)?;
    let info = info_json(features, &assembled.end, options)?;
    dir.commit(manifest, info, stats.as_bytes(), &assembled.end.tasks.to_parquet()?)
}

/// Where the files of the next dataset are: in place or staged.
fn dataset_files(dir: &LerobotDir, known: &[KnownFile], manifest: &Manifest, frame_count: u64) -> DatasetFiles {
    let mut files = DatasetFiles { episodes: Vec::new(), data: Vec::new(), frame_count };
    let mut first_frame = 0;
    for (_, file) in manifest.numbered_files() {
        let staged = || [FileKind::Data, FileKind::Episodes].map(|kind| dir.staged_path(kind, &file.id));
        let existing = known.iter().find(|known| known.file.id == file.id);
        let [data, episodes] = existing.map_or_else(staged, |known| [known.data.clone(), known.episodes.clone()]);
        let lengths: Vec<u64> = file.episodes().map(|(_, info)| info.length).collect();
        files.data.push((data, first_frame));
        first_frame += lengths.iter().sum::<u64>();
        files.episodes.push((episodes, lengths));
    }
    files
}

/// I/O errors stay I/O errors.
fn parquet_error(error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(error) => (*error).into(),
            Err(other) => Error::new(ErrorKind::Invalid, other.to_string()),
        },
        other => Error::new(ErrorKind::Invalid, other.to_string()),
    }
}
