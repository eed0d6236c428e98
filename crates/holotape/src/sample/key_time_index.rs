//! An index of the keys of all vectors by time, so that one search finds a time in every vector.
//!
//! All keys of a recording come from the frames of one device, so there are few distinct times. The index has the keys in blocks of 16
//! of these times, and within a block by vector. The keys around one time are therefore close together in memory, and a few bits per
//! time and vector tell where in a block they are.
//!
//! Playing forward needs no index, because the next key directly follows the last. So it is built only after many
//! searches. It then replaces the keys of the vectors, so that they are in memory once.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::vector::VectorKey;

/// The number of times per block.
const BLOCK_TIMES: usize = 16;

/// The bits of [`VectorBlock::ranks`] per time.
const RANK_BITS: usize = 4;

/// After this many times that were searched in every vector, building the index would have been cheaper.
const MAX_SEARCHES_WITHOUT_INDEX: u32 = 64;

/// Recordings with fewer keys per block of a vector get no index, which would be much larger than the keys. If vectors share no times,
/// each block has the keys of few vectors.
const MIN_KEYS_PER_BLOCK: f64 = 0.5;

/// The immutable keys of a vector.
pub(super) type SharedKeys = Arc<Vec<VectorKey<4>>>;

/// Finds times in the keys of all vectors.
#[derive(Clone)]
pub(super) struct KeyTimeIndex {
    /// The keys from which the index is built; empty afterwards.
    vectors: Vec<SharedKeys>,
    /// Clones share the index. `None` inside if there cannot be one.
    blocks: Arc<OnceLock<Option<TimeBlocks>>>,
    search_count: u32,
    /// The index of the last time that was found. The next one is usually there or just after it.
    last: usize,
}

/// The keys of all vectors.
struct TimeBlocks {
    /// All distinct key times, sorted.
    key_times: Vec<f32>,
    vector_count: usize,
    /// For each block of times, the blocks of all vectors.
    blocks: Vec<VectorBlock>,
    /// In the order of the blocks.
    keys: Vec<VectorKey<4>>,
}

/// The keys of one vector in one block of times.
#[derive(Clone, Copy, Default)]
struct VectorBlock {
    /// For each time, the number of keys after the first time of the block and up to this one. The last time has the number of all.
    ranks: u64,
    /// The index of the last key up to the first time of the block; of the vector's first key if there is none.
    before: u32,
    /// The index of the first key after the first time of the block.
    start: u32,
    /// The index of the first key after the block; of the vector's last key if there is none.
    after: u32,
}

/// A time, and its position in the index.
pub(super) struct TimeCursor<'a> {
    time: f64,
    /// `None` if there is no index.
    position: Option<IndexPosition<'a>>,
    search_count: &'a mut u32,
    was_searched: bool,
}

#[derive(Clone, Copy)]
struct IndexPosition<'a> {
    blocks: &'a TimeBlocks,
    /// The index of the last key time that is not after the time.
    key_time: Option<usize>,
}

impl KeyTimeIndex {
    /// An index for vectors with these keys, whose times are strictly increasing.
    pub(super) fn new(vectors: Vec<SharedKeys>) -> Self {
        Self { vectors, blocks: Arc::default(), search_count: 0, last: 0 }
    }

    pub(super) fn at(&mut self, time: f64) -> TimeCursor<'_> {
        let Self { vectors, blocks, search_count, last } = self;
        if *search_count >= MAX_SEARCHES_WITHOUT_INDEX && !vectors.is_empty() {
            blocks.get_or_init(|| TimeBlocks::new(vectors));
        }
        let index = blocks.get();
        if index.is_some() && !vectors.is_empty() {
            *vectors = Vec::new();
        }
        let position = index.and_then(Option::as_ref).map(|blocks| {
            let key_time = blocks.find(time, *last);
            *last = key_time.unwrap_or(0);
            IndexPosition { blocks, key_time }
        });
        TimeCursor { time, position, search_count, was_searched: false }
    }
}

impl<'a> TimeCursor<'a> {
    /// The last key up to the time and the next one, for `count` vectors from `first` on. Before the first key and after the last one,
    /// this key twice. `None` if there is no index.
    pub(super) fn keys_around(
        &self,
        first: usize,
        count: usize,
    ) -> Option<impl Iterator<Item = [&'a VectorKey<4>; 2]> + use<'a>> {
        let IndexPosition { blocks, key_time } = self.position?;
        let of_block = key_time.unwrap_or(0) / BLOCK_TIMES * blocks.vector_count + first;
        let vectors = blocks.blocks.get(of_block..of_block + count)?;
        Some(vectors.iter().map(move |vector| {
            let [before, after] = vector.keys_around(key_time);
            [&blocks.keys[before as usize], &blocks.keys[after as usize]]
        }))
    }

    /// The number of keys of a vector up to the time.
    pub(super) fn key_count(&mut self, keys: &[VectorKey<4>]) -> usize {
        if !self.was_searched {
            self.was_searched = true;
            *self.search_count = self.search_count.saturating_add(1);
        }
        keys.partition_point(|key| f64::from(key.time) <= self.time)
    }
}

impl TimeBlocks {
    /// `None` if the index would be much larger than the keys.
    fn new(vectors: &[SharedKeys]) -> Option<Self> {
        let key_times = distinct_times(vectors);
        let block_count = key_times.len().div_ceil(BLOCK_TIMES);
        let key_count: usize = vectors.iter().map(|keys| keys.len()).sum();
        let is_dense = key_count as f64 >= MIN_KEYS_PER_BLOCK * (block_count as f64 * vectors.len() as f64);
        if !is_dense || u32::try_from(key_count).is_err() {
            return None;
        }
        let mut blocks = vec![VectorBlock::default(); block_count * vectors.len()];
        for (vector, keys) in vectors.iter().enumerate() {
            let mut index = 0;
            for key in keys.iter() {
                while key_times[index] < key.time {
                    index += 1;
                }
                blocks[index / BLOCK_TIMES * vectors.len() + vector].count_key(index % BLOCK_TIMES);
            }
        }
        set_starts(&mut blocks);
        let mut sorted = vec![VectorKey { time: 0.0, values: [0.0; 4] }; key_count];
        for (vector, keys) in vectors.iter().enumerate() {
            place_keys(keys, (vector, vectors.len()), &mut blocks, &mut sorted);
        }
        Some(Self { key_times, vector_count: vectors.len(), blocks, keys: sorted })
    }

    /// The index of the last key time that is not after a time. It is usually `last` or the next one.
    fn find(&self, time: f64, last: usize) -> Option<usize> {
        let is_up_to = |index: usize| self.key_times.get(index).is_some_and(|key| f64::from(*key) <= time);
        let near = [last, last + 1].into_iter().find(|&index| is_up_to(index) && !is_up_to(index + 1));
        near.or_else(|| self.key_times.partition_point(|key| f64::from(*key) <= time).checked_sub(1))
    }
}

/// The times of all keys, sorted.
fn distinct_times(vectors: &[SharedKeys]) -> Vec<f32> {
    let mut times: Vec<f32> = vectors.iter().flat_map(|keys| keys.iter()).map(|key| key.time).collect();
    // A stable sort merges the times of the vectors, which are sorted.
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.shrink_to_fit();
    times
}

/// Gives each block of each vector a part of the sorted keys, in the order of the blocks.
fn set_starts(blocks: &mut [VectorBlock]) {
    let mut start = 0;
    for block in blocks {
        block.start = start + block.before;
        start = block.start + block.later_count();
    }
}

/// Copies the keys of one of `vector_count` vectors into its blocks, and connects these.
fn place_keys(
    keys: &[VectorKey<4>],
    (vector, vector_count): (usize, usize),
    blocks: &mut [VectorBlock],
    sorted: &mut [VectorKey<4>],
) {
    let mut rest = keys;
    let mut last = None;
    // The first block whose next key is not known.
    let mut unconnected = vector;
    for index in (vector..blocks.len()).step_by(vector_count) {
        let VectorBlock { before: at_first_time, start, .. } = blocks[index];
        let (first, count) = (start - at_first_time, at_first_time + blocks[index].later_count());
        if count == 0 {
            blocks[index].before = last.unwrap_or_default();
            continue;
        }
        let (added, later) = rest.split_at(count as usize);
        rest = later;
        sorted[first as usize..][..added.len()].copy_from_slice(added);
        blocks[index].before = last.filter(|_| at_first_time == 0).unwrap_or(first);
        for earlier in blocks[unconnected..index].iter_mut().step_by(vector_count) {
            earlier.after = first;
            earlier.before = last.map_or(first, |_| earlier.before);
        }
        (unconnected, last) = (index, Some(first + count - 1));
    }
    for end in blocks[unconnected..].iter_mut().step_by(vector_count) {
        end.after = last.unwrap_or_default();
    }
}

impl VectorBlock {
    /// Counts a key at a time of the block. Until the keys are placed, `before` is the number of keys at the first time.
    fn count_key(&mut self, time: usize) {
        if time == 0 {
            self.before += 1;
        } else {
            self.ranks += 0x1111_1111_1111_1111 << (RANK_BITS * time);
        }
    }

    /// The number of keys after the first time.
    #[inline]
    fn later_count(self) -> u32 {
        self.rank(BLOCK_TIMES - 1)
    }

    #[inline]
    fn rank(self, time: usize) -> u32 {
        (self.ranks >> (RANK_BITS * time)) as u32 & 0xf
    }

    /// The indices of the last key up to a key time and of the next key. `None` is before all key times.
    #[inline]
    fn keys_around(self, key_time: Option<usize>) -> [u32; 2] {
        let Some(key_time) = key_time else { return [self.before; 2] };
        let rank = self.rank(key_time % BLOCK_TIMES);
        let before = if rank == 0 { self.before } else { self.start + rank - 1 };
        let after = if rank == self.later_count() { self.after } else { self.start + rank };
        [before, after]
    }
}

impl fmt::Debug for KeyTimeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyTimeIndex").field("has_index", &self.blocks.get().is_some()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_at(times: impl IntoIterator<Item = f32>) -> SharedKeys {
        Arc::new(times.into_iter().map(|time| VectorKey { time, values: [time; 4] }).collect())
    }

    /// An index after enough searches to be built.
    fn searched(vectors: &[SharedKeys]) -> KeyTimeIndex {
        let mut index = KeyTimeIndex::new(vectors.to_vec());
        for _ in 0..MAX_SEARCHES_WITHOUT_INDEX {
            let mut cursor = index.at(200.0);
            assert!(cursor.keys_around(0, 1).is_none(), "there is no index yet");
            vectors.iter().for_each(|keys| assert!(cursor.key_count(keys) <= keys.len()));
        }
        index
    }

    #[test]
    fn keys_around_any_time_are_found_across_blocks() {
        let every = |step: usize| keys_at((0..300).step_by(step).map(|n| n as f32));
        // The last two have keys in few blocks, one of them from the first time of a block on.
        let vectors = [every(1), every(2), every(7), keys_at([250.0]), keys_at([32.0, 33.0, 47.0, 160.0])];
        let mut index = searched(&vectors);
        let times = (-4..1300).map(|n| f64::from(n) / 4.0);
        for time in times.clone().chain(times.rev()).chain([1e9, 0.0, 299.0, -1.0, 128.5, f64::NAN]) {
            for first in [0, 1] {
                let found: Vec<_> =
                    index.at(time).keys_around(first, vectors.len() - first).expect("an index").collect();
                for (keys, found) in vectors[first..].iter().zip(found) {
                    let count = keys.partition_point(|key| f64::from(key.time) <= time);
                    let expected = [count.saturating_sub(1), count.min(keys.len() - 1)].map(|index| &keys[index]);
                    assert_eq!(found, expected, "at {time}");
                }
            }
        }
        assert!(index.vectors.is_empty(), "the keys are in memory once");
    }

    #[test]
    fn vectors_without_common_times_get_no_index() {
        let vectors: Vec<_> = (0..100).map(|n| keys_at((0..9).map(|key| (key * 100 + n) as f32))).collect();
        let mut index = searched(&vectors);
        assert!(index.at(200.0).keys_around(0, 1).is_none());
        assert_eq!(index.at(250.0).key_count(&vectors[50]), 3);
    }
}
