//! Limits how many keys an edit may add.

use crate::error::{Error, ErrorKind, Result};

/// The number of keys that an edit may still add, e.g. to unroll a short loop or to subdivide a cubic.
#[derive(Debug)]
pub(super) struct KeyBudget(usize);

impl KeyBudget {
    const MAX_ADDED_KEYS: usize = 10_000_000;

    pub(super) const fn new() -> Self {
        Self(Self::MAX_ADDED_KEYS)
    }

    /// Spends a number of keys, which may exceed the range of integers.
    pub(super) fn spend(&mut self, keys: f64) -> Result<()> {
        if keys > self.0 as f64 {
            let max = Self::MAX_ADDED_KEYS;
            let message = format!("writing out repeating or curved segments needs more than {max} keys");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        self.0 -= keys as usize;
        Ok(())
    }
}
