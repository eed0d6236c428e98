//! Content-defined partitioning: names and sizes of recordings alone determine the partitions, not the order of builds.

use std::ops::Range;

use sha2::{Digest, Sha256};

/// One of this many recordings ends a partition.
const BOUNDARY_MODULUS: u64 = 32;

/// Maximum number of recordings of a partition. The average is then 15, and 21 for the partition of a random recording,
/// which is the number of recordings to rebuild when one changes.
const MAX_RECORDINGS: usize = 32;

/// Maximum total file size of a partition, unless a single recording exceeds it.
const MAX_PARTITION_BYTES: u64 = 256 << 20;

/// The properties of a recording that determine its partition.
pub(super) struct PartitionInput {
    name_hash: u64,
    bytes: u64,
}

impl PartitionInput {
    pub(super) fn new(recording: &str, bytes: u64) -> Self {
        let hash = Sha256::digest(recording);
        let name_hash = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        Self { name_hash, bytes }
    }

    /// Whether a partition ends after this recording, independent of its neighbours.
    fn is_boundary(&self) -> bool {
        self.name_hash.is_multiple_of(BOUNDARY_MODULUS)
    }
}

/// Divides recordings, sorted by name, into partitions. An added or removed recording affects its partition, and the next one
/// if it is a boundary.
pub(super) fn partition_ranges(recordings: &[PartitionInput]) -> Vec<Range<usize>> {
    let mut partitions = Vec::new();
    let mut start = 0;
    for run in recordings.split_inclusive(PartitionInput::is_boundary) {
        split_oversized(run, start, &mut partitions);
        start += run.len();
    }
    partitions
}

/// Splits an oversized run after the recording with the smallest hash. Changes elsewhere do not move that boundary, unlike
/// with a fixed count.
fn split_oversized(run: &[PartitionInput], start: usize, partitions: &mut Vec<Range<usize>>) {
    let mut pending = Vec::from([Range { start: 0, end: run.len() }]);
    while let Some(range) = pending.pop() {
        let recordings = &run[range.clone()];
        let bytes = recordings.iter().fold(0_u64, |sum, recording| sum.saturating_add(recording.bytes));
        let fits = recordings.len() <= MAX_RECORDINGS && bytes <= MAX_PARTITION_BYTES;
        let inner = recordings.iter().take(recordings.len().saturating_sub(1));
        match inner.enumerate().min_by_key(|(_, recording)| recording.name_hash) {
            Some((smallest, _)) if !fits => {
                let middle = range.start + smallest + 1;
                // Last in, first out.
                pending.push(middle..range.end);
                pending.push(range.start..middle);
            }
            _ => partitions.push(start + range.start..start + range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Partitions as lists of names.
    fn partition_names(names: &BTreeSet<String>, bytes: u64) -> Vec<Vec<&str>> {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let inputs: Vec<_> = names.iter().map(|name| PartitionInput::new(name, bytes)).collect();
        partition_ranges(&inputs).into_iter().map(|range| names[range].to_vec()).collect()
    }

    fn names(count: u32) -> BTreeSet<String> {
        (0..count).map(|number| format!("p{:02}/recording-{number:05}.bin", number % 20)).collect()
    }

    #[test]
    fn every_recording_is_in_one_partition_within_the_limits() {
        for (count, bytes) in [(0, 1), (1, u64::MAX), (5000, 2_000_000), (5000, 20 << 20), (300, 300 << 20)] {
            let names = names(count);
            let partitions = partition_names(&names, bytes);
            assert_eq!(partitions.concat(), names.iter().map(String::as_str).collect::<Vec<_>>());
            for partition in partitions {
                let sum = bytes.saturating_mul(partition.len() as u64);
                assert!(
                    partition.len() == 1 || (partition.len() <= MAX_RECORDINGS && sum <= MAX_PARTITION_BYTES),
                    "{} recordings",
                    partition.len()
                );
            }
        }
        let mean = 5000 / partition_names(&names(5000), 1).len();
        assert!((10..=20).contains(&mean), "{mean} recordings per partition");
    }

    #[test]
    fn added_recording_changes_at_most_two_partitions() {
        let before = names(5000);
        for bytes in [1, 10 << 20] {
            let old: BTreeSet<_> = partition_names(&before, bytes).into_iter().collect();
            for number in 0..50 {
                let mut after = before.clone();
                after.insert(format!("p{:02}/new-{number}.bin", number % 20));
                let new = partition_names(&after, bytes);
                let changed = new.iter().filter(|partition| !old.contains(*partition)).count();
                assert!(changed <= 2, "{changed} partitions for one recording");
            }
        }
    }
}
