//! Bytes for the HDF5 reader, with a limit on how many it reads.

use std::sync::atomic::{AtomicU64, Ordering};

use hdf5_pure::{FormatError, Source};

/// How often a file may be read on average. Groups are searched for each dataset, so small files are read more often.
const MAX_READS_PER_BYTE: u64 = 16;
const MIN_BUDGET_BYTES: u64 = 8 << 20;

/// The bytes of a file. Reading fails once the budget is spent: the structures of a hostile file can refer to the same
/// bytes any number of times.
pub(super) struct LimitedSource {
    bytes: Vec<u8>,
    budget_bytes: AtomicU64,
}

impl LimitedSource {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let budget_bytes = (bytes.len() as u64).saturating_mul(MAX_READS_PER_BYTE).max(MIN_BUDGET_BYTES);
        Self { bytes, budget_bytes: AtomicU64::new(budget_bytes) }
    }

    fn spend(&self, count: u64) -> Result<(), FormatError> {
        let spend = |budget: u64| budget.checked_sub(count.max(1));
        self.budget_bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend)
            .map(drop)
            .map_err(|_| FormatError::Source("the file refers to the same bytes too often".into()))
    }
}

impl Source for LimitedSource {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), FormatError> {
        self.spend(buf.len() as u64)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(buf.len());
        let bytes = self.bytes.get(start..end);
        let bytes = bytes.ok_or(FormatError::UnexpectedEof { expected: end, available: self.bytes.len() })?;
        buf.copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_with_the_budget() {
        let source = LimitedSource::new(vec![7; 1 << 20]);
        let mut buf = vec![0; 1 << 20];
        for _ in 0..MAX_READS_PER_BYTE {
            source.read_at(0, &mut buf).unwrap();
        }
        assert_eq!(buf, [7; 1 << 20]);
        assert!(source.read_at(0, &mut buf).is_err());
        assert!(source.read_at(0, &mut [0]).is_err());
    }

    #[test]
    fn reads_past_the_end_fail() {
        let source = LimitedSource::new(vec![0; 10]);
        for offset in [8, 10, u64::MAX] {
            assert!(source.read_at(offset, &mut [0; 4]).is_err());
        }
    }
}
