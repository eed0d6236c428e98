//! How to build a dataset.

use std::num::NonZeroUsize;
use std::thread;

/// How to build a dataset.
///
/// ```
/// use holotape_corpus::BuildOptions;
///
/// let options = BuildOptions::new().with_rate_hz(30.0).with_keys(true);
/// assert_ne!(options, BuildOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BuildOptions {
    rate_hz: f64,
    keys: bool,
    verify: bool,
    jobs: Option<NonZeroUsize>,
}

impl BuildOptions {
    /// Sixty frames a second, no table of keys, files believed to be unchanged by their size and time, all cores.
    #[must_use]
    pub const fn new() -> Self {
        Self { rate_hz: 60.0, keys: false, verify: false, jobs: None }
    }

    /// How many frames a second has: above 0, and at most 1000.
    #[must_use]
    pub const fn with_rate_hz(self, rate_hz: f64) -> Self {
        Self { rate_hz, ..self }
    }

    /// Whether to make the table of keys: all that is in the files, and about as large.
    #[must_use]
    pub const fn with_keys(self, keys: bool) -> Self {
        Self { keys, ..self }
    }

    /// Whether to read every file to see if it changed, whatever its size and time say.
    #[must_use]
    pub const fn with_verify(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// How many parts to work on at once; as many as there are cores unless given. Memory grows with this, not with the number
    /// of takes.
    #[must_use]
    pub const fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self { jobs, ..self }
    }

    pub(super) fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    pub(super) fn keys(&self) -> bool {
        self.keys
    }

    pub(super) fn verify(&self) -> bool {
        self.verify
    }

    pub(super) fn jobs(&self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self::new()
    }
}
