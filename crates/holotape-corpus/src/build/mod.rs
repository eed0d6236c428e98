//! Incremental builds of datasets.
//!
//! ```text
//! recording_file ──► changes ──► partitioning ──► partition … ──► dataset_dir
//! find files         changed?    by name, size    rows, files     move, manifest, clean up
//! ```
//!
//! Names and sizes of recordings determine the partitions, and their contents determine the files and file names. So the
//! result does not depend on earlier builds, and existing files need not be read.

pub(crate) mod changes;
pub(crate) mod dataset_dir;
mod options;
mod parquet_writer;
mod partition;
mod partitioning;
mod report;
mod schedule;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use holotape::paths::canonicalize;
use holotape::{Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use options::BuildOptions;
pub(crate) use options::job_count;
pub use report::{BrokenRecording, BuildReport};

use self::changes::detect_changes;
use self::dataset_dir::DatasetDir;
use self::schedule::BuildSchedule;
use crate::dataset::{FORMAT, FORMAT_VERSION, HOLOTAPE_VERSION, Manifest, Partition, tables};
use crate::{Dataset, RecordingFile, RowOptions, SCHEMA_VERSION, Table, find_recordings};

/// Progress of a build, in recordings of partitions that must be built.
///
/// ```
/// let progress = holotape_corpus::Progress { done: 12, total: 96 };
/// assert_eq!(progress.total - progress.done, 84);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Processed recordings.
    pub done: usize,
    /// Recordings to process.
    pub total: usize,
}

/// Builds or updates a dataset of all recordings that [`find_recordings`] finds. Files below `out` are ignored.
///
/// An interrupted build leaves the dataset unchanged, and the next one resumes. Broken recordings have a row in
/// [`Table::Recordings`] and do not stop the build. `progress` is called after each recording, from several threads, and can
/// cancel the build.
///
/// ```
/// use std::ops::ControlFlow;
/// use holotape_corpus::{BuildOptions, build};
///
/// let folder = tempfile::tempdir()?;
/// let study = folder.path().join("study");
/// std::fs::create_dir(&study)?;
/// for seed in 0..3 {
///     let recording = holotape::demo::DemoOptions::new().with_seed(seed).with_seconds(0.5).generate()?;
///     let _losses = recording.save(study.join(format!("{seed}.bin")))?;
/// }
/// let out = folder.path().join("dataset");
/// let report = build([&study], &out, &BuildOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!((report.recording_count, report.rows.frames), (3, 3 * 31));
///
/// let again = build([&study], &out, &BuildOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!(again.written_partition_count, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are no recordings, `out` has other contents, is locked by another build, was built by a newer version of
/// holotape, or cannot be written to.
pub fn build<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    out: impl AsRef<Path>,
    options: &BuildOptions,
    progress: impl Fn(Progress) -> ControlFlow<()> + Sync,
) -> Result<BuildReport> {
    let out = out.as_ref();
    let settings = BuildSettings::new(options)?;
    dataset_dir::check_output_dir(out)?;
    let files = exclude_output_dir(find_recordings(inputs)?, out);
    if files.is_empty() {
        let advice = if Dataset::is_at(out) { "; to empty a dataset, remove its folder" } else { "" };
        return Err(Error::invalid_argument(format!("no recordings found{advice}")));
    }
    let dir = DatasetDir::lock_for_build(out)?;
    let before = dir.manifest()?;
    let rebuild_reason = before.as_ref().and_then(|manifest| settings.rebuild_reason(manifest));
    let pool = pool(options.jobs())?;
    let mut known = if rebuild_reason.is_some() {
        Vec::new()
    } else {
        before.iter().flat_map(|it| it.partitions.clone()).collect()
    };
    known.extend(dir.staged_partitions());
    let sources = pool.install(|| detect_changes(files, known.iter().flat_map(|it| &it.recordings), options.verify));
    let schedule = BuildSchedule::new(sources, &known, &settings, &dir);
    let partitions = schedule.run(&dir, &settings, &pool, options.jobs(), &progress)?;
    let manifest = settings.manifest(partitions.iter().map(|(partition, _)| partition.clone()).collect());
    dir.commit(&manifest)?;
    let written = partitions.iter().filter(|(_, is_new)| *is_new).count();
    Ok(report::report(&dir, &manifest, before.as_ref(), written, rebuild_reason))
}

/// Excludes the files of the dataset itself.
pub(crate) fn exclude_output_dir(files: Vec<RecordingFile>, out: &Path) -> Vec<RecordingFile> {
    let Ok(out) = canonicalize(out) else { return files };
    files.into_iter().filter(|file| !file.path.starts_with(&out)).collect()
}

pub(crate) fn pool(jobs: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(jobs).build().map_err(|error| io::Error::other(error).into())
}

/// The inputs of files besides the recordings.
struct BuildSettings {
    tables: Vec<Table>,
    rows: RowOptions,
    has_keys: bool,
}

impl BuildSettings {
    fn new(options: &BuildOptions) -> Result<Self> {
        let rows = RowOptions::new().with_rate_hz(options.rate_hz)?;
        Ok(Self { tables: tables(options.keys), rows, has_keys: options.keys })
    }

    fn manifest(&self, partitions: Vec<Partition>) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            schema_version: SCHEMA_VERSION,
            holotape_version: HOLOTAPE_VERSION.to_owned(),
            rate_hz: self.rows.rate_hz(),
            has_keys: self.has_keys,
            partitions,
        }
    }

    /// Why no existing partition can be kept.
    fn rebuild_reason(&self, before: &Manifest) -> Option<String> {
        let rate_hz = self.rows.rate_hz();
        if (before.format_version, before.schema_version) != (FORMAT_VERSION, SCHEMA_VERSION) {
            Some("an older version of holotape built it".to_owned())
        } else if before.holotape_version != HOLOTAPE_VERSION {
            Some(format!("another version of holotape built it, not {HOLOTAPE_VERSION}"))
        } else if before.rate_hz != rate_hz {
            Some(format!("the rate changes from {} to {rate_hz} Hz", before.rate_hz))
        } else if before.has_keys != self.has_keys {
            Some(if self.has_keys { "the table keys is added" } else { "the table keys is removed" }.to_owned())
        } else {
            None
        }
    }
}

/// The settings as part of the hash in file names.
impl fmt::Display for BuildSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rate_hz, keys) = (self.rows.rate_hz(), self.has_keys);
        write!(
            f,
            "holotape {HOLOTAPE_VERSION}, format {FORMAT_VERSION}, schema {SCHEMA_VERSION}, {rate_hz} Hz, keys {keys}"
        )
    }
}
