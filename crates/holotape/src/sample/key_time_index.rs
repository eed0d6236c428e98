//! An index of the key times of all vectors, so that one search finds a time in every vector.
//!
//! All keys of a recording come from the frames of one device, so there are few distinct times. For each distinct time
//! and each vector, the index has a bit that is set if the vector has a key there. Counting the bits up to a time gives
//! the number of keys up to that time.
//!
//! Playing forward needs no index, because the next key directly follows the last. So it is built only after many
//! searches.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::vector::VectorKey;

/// The number of times per bitmap word.
const BLOCK_TIMES: usize = 64;

/// After this many times that were searched in every vector, building the index would have been cheaper.
const MAX_SEARCHES_WITHOUT_INDEX: u32 = 64;

/// A time that is more key times than this after the last one, or before it, is a jump.
const MAX_STEP: usize = 4;

/// The immutable keys of a vector.
pub(super) type SharedKeys = Arc<Vec<VectorKey<4>>>;

/// Finds times in the keys of all vectors.
#[derive(Clone)]
pub(super) struct KeyTimeIndex {
    vectors: Arc<[SharedKeys]>,
    rank_index: Arc<OnceLock<RankIndex>>,
    search_count: u32,
    /// The index of the last time that was found. The next one is usually there or just after it.
    last: usize,
}

struct RankIndex {
    /// All distinct key times, sorted.
    key_times: Vec<f32>,
    vector_count: usize,
    /// For each block of times, the blocks of all vectors, so that looking up one time reads contiguous memory.
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Default)]
struct Block {
    keys: u64,
    keys_before: u32,
}

/// A time, and its position in the index.
pub(super) struct TimeCursor<'a> {
    vectors: &'a [SharedKeys],
    time: f64,
    /// `None` if there is no index yet.
    position: Option<IndexPosition<'a>>,
    search_count: &'a mut u32,
    was_searched: bool,
}

#[derive(Clone, Copy)]
struct IndexPosition<'a> {
    ranks: &'a RankIndex,
    /// The index of the last key time that is not after the time.
    key_time: Option<usize>,
    is_jump: bool,
}

impl KeyTimeIndex {
    /// An index for vectors with these keys, whose times are strictly increasing.
    pub(super) fn new(vectors: Vec<SharedKeys>) -> Self {
        Self { vectors: vectors.into(), rank_index: Arc::default(), search_count: 0, last: 0 }
    }

    pub(super) fn at(&mut self, time: f64) -> TimeCursor<'_> {
        let Self { vectors, rank_index, search_count, last } = self;
        if *search_count >= MAX_SEARCHES_WITHOUT_INDEX {
            rank_index.get_or_init(|| RankIndex::new(vectors));
        }
        let position = rank_index.get().map(|ranks| {
            let key_time = ranks.find(time, *last);
            let found = key_time.unwrap_or(0);
            let is_jump = !(*last..=*last + MAX_STEP).contains(&found);
            *last = found;
            IndexPosition { ranks, key_time, is_jump }
        });
        TimeCursor { vectors, time, position, search_count, was_searched: false }
    }
}

impl TimeCursor<'_> {
    /// Whether there is an index and the time is far from the last one, so that the current segments are of no use.
    pub(super) fn is_jump(&self) -> bool {
        self.position.is_some_and(|position| position.is_jump)
    }

    /// The number of keys of a vector up to the time.
    pub(super) fn key_count(&mut self, vector: usize) -> usize {
        if let Some(IndexPosition { ranks, key_time, .. }) = self.position {
            return key_time.map_or(0, |key_time| ranks.keys_up_to(vector, key_time));
        }
        if !self.was_searched {
            self.was_searched = true;
            *self.search_count = self.search_count.saturating_add(1);
        }
        self.vectors[vector].partition_point(|key| f64::from(key.time) <= self.time)
    }

    /// The number of keys up to the time, of all vectors from `first` on that have an entry in `counts`. Needs an index.
    pub(super) fn key_counts(&self, first: usize, counts: &mut [usize]) {
        match self.position {
            Some(IndexPosition { ranks, key_time: Some(key_time), .. }) => {
                ranks.all_keys_up_to(first, key_time, counts)
            }
            _ => counts.fill(0),
        }
    }
}

impl RankIndex {
    fn new(vectors: &[SharedKeys]) -> Self {
        let mut key_times: Vec<f32> = vectors.iter().flat_map(|keys| keys.iter()).map(|key| key.time).collect();
        key_times.sort_unstable_by(f32::total_cmp);
        key_times.dedup();
        let block_count = key_times.len().div_ceil(BLOCK_TIMES);
        let mut blocks = vec![Block::default(); block_count * vectors.len()];
        for (vector, keys) in vectors.iter().enumerate() {
            let mut index = 0;
            for key in keys.iter() {
                while key_times[index] < key.time {
                    index += 1;
                }
                blocks[index / BLOCK_TIMES * vectors.len() + vector].keys |= 1 << (index % BLOCK_TIMES);
            }
            let mut keys_before = 0;
            for block in blocks.iter_mut().skip(vector).step_by(vectors.len()) {
                block.keys_before = keys_before;
                keys_before += block.keys.count_ones();
            }
        }
        Self { key_times, vector_count: vectors.len(), blocks }
    }

    /// The index of the last key time that is not after a time. It is usually `last` or the next one.
    fn find(&self, time: f64, last: usize) -> Option<usize> {
        let is_up_to = |index: usize| self.key_times.get(index).is_some_and(|key| f64::from(*key) <= time);
        let near = [last, last + 1].into_iter().find(|&index| is_up_to(index) && !is_up_to(index + 1));
        near.or_else(|| self.key_times.partition_point(|key| f64::from(*key) <= time).checked_sub(1))
    }

    /// The number of keys of a vector up to the key time with this index.
    fn keys_up_to(&self, vector: usize, key_time: usize) -> usize {
        self.blocks[key_time / BLOCK_TIMES * self.vector_count + vector].keys_up_to(key_time)
    }

    /// The same for all vectors from `first` on that have an entry in `counts`.
    fn all_keys_up_to(&self, first: usize, key_time: usize, counts: &mut [usize]) {
        let blocks = &self.blocks[key_time / BLOCK_TIMES * self.vector_count + first..];
        counts.iter_mut().zip(blocks).for_each(|(count, block)| *count = block.keys_up_to(key_time));
    }
}

impl Block {
    #[inline]
    fn keys_up_to(self, key_time: usize) -> usize {
        let up_to = u64::MAX >> (BLOCK_TIMES - 1 - key_time % BLOCK_TIMES);
        (self.keys_before + (self.keys & up_to).count_ones()) as usize
    }
}

impl fmt::Debug for KeyTimeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyTimeIndex").field("vectors", &self.vectors.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_across_blocks() {
        let every = |step: usize| (0..300).step_by(step).map(|n| n as f32).collect::<Vec<_>>();
        let vectors = [every(1), every(2), every(7), vec![250.0]];
        let keys =
            |times: &Vec<f32>| Arc::new(times.iter().map(|&time| VectorKey { time, values: [0.0; 4] }).collect());
        let mut index = KeyTimeIndex::new(vectors.iter().map(keys).collect());
        let times = [0.0, 0.5, 1.0, 63.0, 63.9, 64.0, 127.5, 128.0, 249.9, 250.0, 299.0, 1e9, 3.0, 4.0, 5.0, -1.0];
        // The first searches run without an index, the rest with one.
        for time in times.repeat(2 * MAX_SEARCHES_WITHOUT_INDEX as usize / times.len()) {
            let mut cursor = index.at(time);
            let up_to = |times: &Vec<f32>| times.iter().filter(|key| f64::from(**key) <= time).count();
            let expected: Vec<_> = vectors.iter().map(up_to).collect();
            let counts: Vec<_> = (0..vectors.len()).map(|vector| cursor.key_count(vector)).collect();
            assert_eq!(counts, expected, "at {time}");
            if cursor.position.is_some() {
                let mut counts = [usize::MAX; 3];
                cursor.key_counts(1, &mut counts);
                assert_eq!(counts, expected[1..], "at {time}");
            }
        }
        assert!(index.rank_index.get().is_some());
    }

    #[test]
    fn steps_of_a_few_key_times_are_no_jumps() {
        let keys = (0..300).map(|n| VectorKey { time: n as f32, values: [0.0; 4] }).collect();
        let mut index = KeyTimeIndex::new(vec![Arc::new(keys)]);
        for _ in 0..MAX_SEARCHES_WITHOUT_INDEX {
            assert!(!index.at(200.0).is_jump(), "there is no index yet");
            index.at(200.0).key_count(0);
        }
        let times = [200.0, 200.5, 201.0, 205.0, 200.0, 210.0, -1.0, 2.0, 1e9, 1e9];
        let jumps = times.map(|time| index.at(time).is_jump());
        assert_eq!(jumps, [true, false, false, false, true, true, true, false, true, false]);
    }
}
