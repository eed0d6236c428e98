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

/// A time, and its position in the index once it was searched.
pub(super) struct TimeCursor<'a> {
    index: &'a mut KeyTimeIndex,
    time: f64,
    position: Option<CursorPosition>,
}

#[derive(Clone, Copy)]
enum CursorPosition {
    /// The index of the last key time that is not after the time.
    Indexed(Option<usize>),
    /// There is no index yet: every vector has to be searched.
    NotIndexed,
}

impl KeyTimeIndex {
    /// An index for vectors with these keys, whose times are strictly increasing.
    pub(super) fn new(vectors: Vec<SharedKeys>) -> Self {
        Self { vectors: vectors.into(), rank_index: Arc::default(), search_count: 0, last: 0 }
    }

    pub(super) fn at(&mut self, time: f64) -> TimeCursor<'_> {
        TimeCursor { index: self, time, position: None }
    }

    fn find(&mut self, time: f64) -> CursorPosition {
        self.search_count = self.search_count.saturating_add(1);
        if self.rank_index.get().is_none() && self.search_count <= MAX_SEARCHES_WITHOUT_INDEX {
            return CursorPosition::NotIndexed;
        }
        let key_times = &self.rank_index.get_or_init(|| RankIndex::new(&self.vectors)).key_times;
        let is_up_to = |index: usize| key_times.get(index).is_some_and(|key| f64::from(*key) <= time);
        let near = [self.last, self.last + 1].into_iter().find(|&index| is_up_to(index) && !is_up_to(index + 1));
        let index = near.or_else(|| key_times.partition_point(|key| f64::from(*key) <= time).checked_sub(1));
        self.last = index.unwrap_or(0);
        CursorPosition::Indexed(index)
    }
}

impl TimeCursor<'_> {
    /// The number of keys of a vector up to the time.
    pub(super) fn key_count(&mut self, vector: usize) -> usize {
        let position = *self.position.get_or_insert_with(|| self.index.find(self.time));
        match (position, self.index.rank_index.get()) {
            (CursorPosition::Indexed(index), Some(ranks)) => index.map_or(0, |index| ranks.keys_up_to(vector, index)),
            _ => self.index.vectors[vector].partition_point(|key| f64::from(key.time) <= self.time),
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

    /// The number of keys of a vector up to the key time with this index.
    fn keys_up_to(&self, vector: usize, index: usize) -> usize {
        let block = self.blocks[index / BLOCK_TIMES * self.vector_count + vector];
        let up_to = u64::MAX >> (BLOCK_TIMES - 1 - index % BLOCK_TIMES);
        (block.keys_before + (block.keys & up_to).count_ones()) as usize
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
            for (vector, times) in vectors.iter().enumerate() {
                let expected = times.iter().filter(|key| f64::from(**key) <= time).count();
                assert_eq!(cursor.key_count(vector), expected, "vector {vector} at {time}");
            }
        }
        assert!(index.rank_index.get().is_some());
    }
}
