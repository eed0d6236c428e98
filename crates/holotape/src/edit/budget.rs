//! Limits how many keys an edit may add.

use super::split::LINEAR_SUBDIVISIONS;
use crate::Recording;
use crate::error::{Error, ErrorKind, Result};

/// The number of keys that an edit may still add, e.g. to unroll a short loop or to subdivide a cubic: a multiple of the
/// keys that it edits, so that a small file cannot become a large one.
#[derive(Debug)]
pub(super) struct KeyBudget {
    max: usize,
    left: usize,
}

impl KeyBudget {
    /// Enough to subdivide every segment.
    const ADDED_PER_KEY: usize = LINEAR_SUBDIVISIONS;
    /// The budget for small recordings.
    const MIN_ADDED_KEYS: usize = 1_000_000;
    const MAX_ADDED_KEYS: usize = 10_000_000;

    pub(super) fn for_recordings(recordings: &[&Recording]) -> Self {
        let curves = recordings.iter().flat_map(|recording| recording.curves());
        let keys: usize = curves.map(|(_, curve)| curve.key_count()).sum();
        let max = keys.saturating_mul(Self::ADDED_PER_KEY).clamp(Self::MIN_ADDED_KEYS, Self::MAX_ADDED_KEYS);
        Self { max, left: max }
    }

    /// Spends a number of keys, which may exceed the range of integers.
    pub(super) fn spend(&mut self, keys: f64) -> Result<()> {
        if keys > self.left as f64 {
            let message = format!(
                "writing out repeating or curved segments needs more than {} keys, the limit for this recording; \
                 trim or resample the recording first",
                self.max
            );
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        self.left -= keys as usize;
        Ok(())
    }
}
