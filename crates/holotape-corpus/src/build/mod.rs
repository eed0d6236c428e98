//! Thousands of takes as a dataset of Parquet files, made anew only where takes have changed.
//!
//! ```text
//! find ──► survey ──► plan ──► part, part … ──► place::finish
//! takes    changed?   which    rows, files      moved into place, told
//!                     part     on all cores     by the manifest, swept
//! ```
//!
//! Which takes make a part follows from names and sizes, what its files hold and are called from their contents: so it does not
//! matter what was built before, and a file that is there need not be looked into.

mod changes;
mod dataset_dir;
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

use holotape::{Error, ErrorKind, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use options::BuildOptions;
pub use report::{BrokenRecording, BuildReport, TableCounts};

use self::changes::detect_changes;
use self::dataset_dir::DatasetDir;
use self::schedule::BuildSchedule;
use crate::dataset::{FORMAT, FORMAT_VERSION, HOLOTAPE_VERSION, Manifest, Partition, tables};
use crate::{Dataset, RecordingFile, RowOptions, SCHEMA_VERSION, Table, find_recordings};

/// How far a build is. Only takes of parts that have to be made count.
///
/// ```
/// let progress = holotape_corpus::Progress { done: 12, total: 96 };
/// assert_eq!(progress.total - progress.done, 84);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Takes whose rows have been made.
    pub done: usize,
    /// Takes whose rows have to be made.
    pub total: usize,
}

/// Builds a dataset of all takes that are found, or brings one up to date: see [`find`] for what `inputs` may be. Takes below
/// `out` are none.
///
/// A build that ends early, killed for example, leaves the dataset as it was, and the next one goes on where it was. Broken takes
/// have a row in [`Table::Recordings`] and stop nothing. `progress` is told after each take, from several threads, and may end
/// the build.
///
/// ```
/// use std::ops::ControlFlow;
/// use holotape_corpus::{BuildOptions, build};
///
/// let folder = tempfile::tempdir()?;
/// let takes = folder.path().join("takes");
/// std::fs::create_dir(&takes)?;
/// for seed in 0..3 {
///     let take = holotape::demo::DemoOptions::new().with_seed(seed).with_seconds(0.5).generate()?;
///     let _losses = take.save(takes.join(format!("{seed}.bin")))?;
/// }
/// let out = folder.path().join("dataset");
/// let report = build([&takes], &out, &BuildOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!((report.takes, report.rows.frames), (3, 3 * 31));
///
/// let again = build([&takes], &out, &BuildOptions::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!(again.parts_made, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are no takes, `out` is neither empty nor a dataset, another build is at work there, a newer holotape made it, or it
/// cannot be written to.
pub fn build<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    out: impl AsRef<Path>,
    options: &BuildOptions,
    progress: impl Fn(Progress) -> ControlFlow<()> + Sync,
) -> Result<BuildReport> {
    let out = out.as_ref();
    let settings = BuildSettings::new(options)?;
    dataset_dir::check_output_dir(out)?;
    let takes = exclude_output_dir(find_recordings(inputs)?, out);
    if takes.is_empty() {
        let advice = if Dataset::is_at(out) { "; no build empties a dataset: remove its folder" } else { "" };
        return Err(Error::new(ErrorKind::Invalid, format!("there are no recordings in what was named{advice}")));
    }
    let place = DatasetDir::lock_for_build(out)?;
    let before = place.manifest()?;
    let rebuilt_because = before.as_ref().and_then(|manifest| settings.rebuild_reason(manifest));
    let pool = pool(options.jobs())?;
    let mut known =
        if rebuilt_because.is_some() { Vec::new() } else { before.iter().flat_map(|it| it.parts.clone()).collect() };
    known.extend(place.staged_partitions());
    let seen = pool.install(|| detect_changes(takes, &known, options));
    let schedule = BuildSchedule::new(seen, &known, &settings, &place);
    let parts = schedule.make(&place, &settings, &pool, options.jobs(), &progress)?;
    let manifest = settings.manifest(parts.iter().map(|(part, _)| part.clone()).collect());
    place.commit(&manifest)?;
    let made = parts.iter().filter(|(_, is_made)| *is_made).count();
    Ok(report::report(&place, &manifest, before.as_ref(), made, rebuilt_because))
}

/// Takes that are no part of the dataset itself.
fn exclude_output_dir(takes: Vec<RecordingFile>, out: &Path) -> Vec<RecordingFile> {
    let Ok(out) = out.canonicalize() else { return takes };
    takes.into_iter().filter(|take| !take.path.starts_with(&out)).collect()
}

fn pool(jobs: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(jobs).build().map_err(|error| io::Error::other(error).into())
}

/// All that files follow from besides takes.
struct BuildSettings {
    tables: Vec<Table>,
    rows: RowOptions,
    keys: bool,
}

impl BuildSettings {
    fn new(options: &BuildOptions) -> Result<Self> {
        let rows = RowOptions::new().with_rate_hz(options.rate_hz())?;
        Ok(Self { tables: tables(options.keys()), rows, keys: options.keys() })
    }

    fn manifest(&self, parts: Vec<Partition>) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            schema_version: SCHEMA_VERSION,
            holotape_version: HOLOTAPE_VERSION.to_owned(),
            rate_hz: self.rows.rate_hz(),
            keys: self.keys,
            parts,
        }
    }

    /// Why no part of a dataset can be kept.
    fn rebuild_reason(&self, before: &Manifest) -> Option<String> {
        let rate_hz = self.rows.rate_hz();
        if (before.format_version, before.schema_version) != (FORMAT_VERSION, SCHEMA_VERSION) {
            Some("an older holotape made it".to_owned())
        } else if before.holotape_version != HOLOTAPE_VERSION {
            Some(format!("another holotape made it, and not {HOLOTAPE_VERSION}"))
        } else if before.rate_hz != rate_hz {
            Some(format!("it had {} frames a second and now has {rate_hz}", before.rate_hz))
        } else if before.keys != self.keys {
            Some(
                if self.keys { "it had no table of keys" } else { "it had a table of keys, and now has none" }
                    .to_owned(),
            )
        } else {
            None
        }
    }
}

/// What goes into the names of parts.
impl fmt::Display for BuildSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rate_hz, keys) = (self.rows.rate_hz(), self.keys);
        write!(
            f,
            "holotape {HOLOTAPE_VERSION}, format {FORMAT_VERSION}, schema {SCHEMA_VERSION}, {rate_hz} Hz, keys {keys}"
        )
    }
}
