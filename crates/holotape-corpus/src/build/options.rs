//! Options of a build.

use std::num::NonZeroUsize;
use std::thread;

/// Options of a build.
///
/// ```
/// use holotape_corpus::BuildOptions;
///
/// let options = BuildOptions::new().with_rate_hz(30.0).with_keys(true);
/// assert_ne!(options, BuildOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BuildOptions {
    pub(super) rate_hz: f64,
    pub(super) keys: bool,
    pub(super) verify: bool,
    jobs: Option<NonZeroUsize>,
}

impl BuildOptions {
    /// 60 frames per second, no table of keys, changes detected by file size and time, all cores.
    #[must_use]
    pub const fn new() -> Self {
        Self { rate_hz: 60.0, keys: false, verify: false, jobs: None }
    }

    /// Sets the rate of the table of frames: greater than 0 and at most 1000 Hz.
    #[must_use]
    pub const fn with_rate_hz(self, rate_hz: f64) -> Self {
        Self { rate_hz, ..self }
    }

    /// Adds the table of keys: the complete data, about as large as the recordings.
    #[must_use]
    pub const fn with_keys(self, keys: bool) -> Self {
        Self { keys, ..self }
    }

    /// Detects changes by content instead of by file size and time.
    #[must_use]
    pub const fn with_verify(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// Sets the number of partitions to build in parallel; by default the number of cores. Memory grows with this, not with
    /// the number of recordings.
    #[must_use]
    pub const fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self { jobs, ..self }
    }

    pub(super) fn jobs(&self) -> usize {
        job_count(self.jobs)
    }
}

/// The number of jobs; by default the number of cores.
pub(crate) fn job_count(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self::new()
    }
}
