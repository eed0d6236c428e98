//! How much an edit may make of little.

use crate::error::{Error, ErrorKind, Result};

/// Keys that an edit may still add where few stand for many: a short loop in a long recording, a bend that is to be
/// straight pieces.
#[derive(Debug)]
pub(super) struct KeyBudget(usize);

impl KeyBudget {
    const MAX_ADDED_KEYS: usize = 10_000_000;

    pub(super) const fn new() -> Self {
        Self(Self::MAX_ADDED_KEYS)
    }

    /// Takes so many keys, which may be more than can be counted.
    pub(super) fn spend(&mut self, keys: f64) -> Result<()> {
        if keys > self.0 as f64 {
            let most = Self::MAX_ADDED_KEYS;
            let message = format!("what repeats or bends in the recording takes more than {most} keys to write out");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        self.0 -= keys as usize;
        Ok(())
    }
}
