//! Which takes go into one part: decided by their names and sizes alone, so that it does not matter which were there first.

use std::ops::Range;

use sha2::{Digest, Sha256};

/// One of so many takes ends a part,
const BOUNDARY_MODULUS: u64 = 32;

/// which has so many at most. With both, a part has some 15 takes on average, and one that is picked by a take that changed some 21: that
/// many are made anew.
const MAX_RECORDINGS: usize = 32;

/// And so many bytes together, unless one take alone has more.
const MAX_PARTITION_BYTES: u64 = 256 << 20;

/// What decides where to cut.
pub(super) struct PartitionInput {
    name_hash: u64,
    bytes: u64,
}

impl PartitionInput {
    pub(super) fn new(take: &str, bytes: u64) -> Self {
        let hash = Sha256::digest(take);
        let name_hash = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        Self { name_hash, bytes }
    }

    /// Whether a part ends behind this take, whatever its neighbours are.
    fn is_boundary(&self) -> bool {
        self.name_hash.is_multiple_of(BOUNDARY_MODULUS)
    }
}

/// Cuts takes, in the order of their names, into parts. A take that comes or goes changes the part that it is in, and where
/// it ended a part, the one after it.
pub(super) fn partition_ranges(takes: &[PartitionInput]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for run in takes.split_inclusive(PartitionInput::is_boundary) {
        split_oversized(run, start, &mut parts);
        start += run.len();
    }
    parts
}

/// Cuts a run that is too large behind the take with the smallest hash: a take that comes or goes elsewhere does not move
/// that place, as counting would.
fn split_oversized(run: &[PartitionInput], start: usize, parts: &mut Vec<Range<usize>>) {
    let mut waiting = Vec::from([Range { start: 0, end: run.len() }]);
    while let Some(range) = waiting.pop() {
        let takes = &run[range.clone()];
        let bytes = takes.iter().fold(0_u64, |sum, take| sum.saturating_add(take.bytes));
        let fits = takes.len() <= MAX_RECORDINGS && bytes <= MAX_PARTITION_BYTES;
        let inner = takes.iter().take(takes.len().saturating_sub(1));
        match inner.enumerate().min_by_key(|(_, take)| take.name_hash) {
            Some((least, _)) if !fits => {
                let middle = range.start + least + 1;
                // The last one in is the first one out.
                waiting.push(middle..range.end);
                waiting.push(range.start..middle);
            }
            _ => parts.push(start + range.start..start + range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Parts as lists of names.
    fn parts_of(names: &BTreeSet<String>, bytes: u64) -> Vec<Vec<&str>> {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let weights: Vec<_> = names.iter().map(|name| PartitionInput::new(name, bytes)).collect();
        partition_ranges(&weights).into_iter().map(|range| names[range].to_vec()).collect()
    }

    fn names(count: u32) -> BTreeSet<String> {
        (0..count).map(|number| format!("p{:02}/take-{number:05}.bin", number % 20)).collect()
    }

    #[test]
    fn every_take_is_in_one_part_and_none_is_too_large() {
        for (count, bytes) in [(0, 1), (1, u64::MAX), (5000, 2_000_000), (5000, 20 << 20), (300, 300 << 20)] {
            let names = names(count);
            let parts = parts_of(&names, bytes);
            assert_eq!(parts.concat(), names.iter().map(String::as_str).collect::<Vec<_>>());
            for part in parts {
                let sum = bytes.saturating_mul(part.len() as u64);
                assert!(
                    part.len() == 1 || (part.len() <= MAX_RECORDINGS && sum <= MAX_PARTITION_BYTES),
                    "{} takes",
                    part.len()
                );
            }
        }
        let mean = 5000 / parts_of(&names(5000), 1).len();
        assert!((10..=20).contains(&mean), "{mean} takes a part");
    }

    #[test]
    fn a_take_more_touches_little() {
        let before = names(5000);
        for bytes in [1, 10 << 20] {
            let old: BTreeSet<_> = parts_of(&before, bytes).into_iter().collect();
            for number in 0..50 {
                let mut after = before.clone();
                after.insert(format!("p{:02}/new-{number}.bin", number % 20));
                let new = parts_of(&after, bytes);
                let changed = new.iter().filter(|part| !old.contains(*part)).count();
                assert!(changed <= 2, "{changed} parts for one take");
            }
        }
    }
}
