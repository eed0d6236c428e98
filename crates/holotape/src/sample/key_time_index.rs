//! One search for all: the times of every bundle's keys on one clock.
//!
//! All keys of a recording come from the frames of one device, so there are few distinct times. Finding a time on the
//! clock finds it in every bundle: a bit for each of its keys on the clock, counted up to there, is the key's number.
//!
//! Who goes forward needs no clock, because the next key is the one behind the last: its dial is made for those who jump
//! again and again.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::vector::VectorKey;

/// Ticks that one word of bits stands for.
const BLOCK_TIMES: usize = 64;

/// After so many jumps without a dial, each of them a search for every bundle, a dial would have been cheaper.
const MAX_SEARCHES_WITHOUT_INDEX: u32 = 64;

/// The keys of a bundle, shared by all that need them: they never change.
pub(super) type SharedKeys = Arc<Vec<VectorKey<4>>>;

/// All distinct key times, and which bundle has a key at which.
#[derive(Clone)]
pub(super) struct KeyTimeIndex {
    bundles: Arc<[SharedKeys]>,
    dial: Arc<OnceLock<RankIndex>>,
    jumps: u32,
    /// Where the last time was found, to look there and just behind first.
    last: usize,
}

struct RankIndex {
    key_times: Vec<f32>,
    bundle_count: usize,
    /// For each block of ticks, the bundles one after the other: one time looks at one run of memory.
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Default)]
struct Block {
    keys: u64,
    keys_before: u32,
}

/// A time, and where it is on the clock once somebody has asked.
pub(super) struct TimeCursor<'a> {
    clock: &'a mut KeyTimeIndex,
    time: f64,
    found: Option<CursorPosition>,
}

#[derive(Clone, Copy)]
enum CursorPosition {
    /// The last tick up to the time, if there is one.
    Tick(Option<usize>),
    /// There is no dial yet: every bundle has to be searched.
    Nowhere,
}

impl KeyTimeIndex {
    /// A clock for bundles with these keys, whose times are strictly rising.
    pub(super) fn new(bundles: Vec<SharedKeys>) -> Self {
        Self { bundles: bundles.into(), dial: Arc::default(), jumps: 0, last: 0 }
    }

    pub(super) fn at(&mut self, time: f64) -> TimeCursor<'_> {
        TimeCursor { clock: self, time, found: None }
    }

    fn find(&mut self, time: f64) -> CursorPosition {
        self.jumps = self.jumps.saturating_add(1);
        if self.dial.get().is_none() && self.jumps <= MAX_SEARCHES_WITHOUT_INDEX {
            return CursorPosition::Nowhere;
        }
        let ticks = &self.dial.get_or_init(|| RankIndex::new(&self.bundles)).key_times;
        let is_up_to = |tick: usize| ticks.get(tick).is_some_and(|tick| f64::from(*tick) <= time);
        let near = [self.last, self.last + 1].into_iter().find(|&tick| is_up_to(tick) && !is_up_to(tick + 1));
        let tick = near.or_else(|| ticks.partition_point(|tick| f64::from(*tick) <= time).checked_sub(1));
        self.last = tick.unwrap_or(0);
        CursorPosition::Tick(tick)
    }
}

impl TimeCursor<'_> {
    /// How many keys a bundle has up to here.
    pub(super) fn key_count(&mut self, bundle: usize) -> usize {
        let found = *self.found.get_or_insert_with(|| self.clock.find(self.time));
        match (found, self.clock.dial.get()) {
            (CursorPosition::Tick(tick), Some(dial)) => tick.map_or(0, |tick| dial.keys_up_to(bundle, tick)),
            _ => self.clock.bundles[bundle].partition_point(|key| f64::from(key.time) <= self.time),
        }
    }
}

impl RankIndex {
    fn new(bundles: &[SharedKeys]) -> Self {
        let mut ticks: Vec<f32> = bundles.iter().flat_map(|keys| keys.iter()).map(|key| key.time).collect();
        ticks.sort_unstable_by(f32::total_cmp);
        ticks.dedup();
        let block_count = ticks.len().div_ceil(BLOCK_TIMES);
        let mut blocks = vec![Block::default(); block_count * bundles.len()];
        for (bundle, keys) in bundles.iter().enumerate() {
            let mut tick = 0;
            for key in keys.iter() {
                while ticks[tick] < key.time {
                    tick += 1;
                }
                blocks[tick / BLOCK_TIMES * bundles.len() + bundle].keys |= 1 << (tick % BLOCK_TIMES);
            }
            let mut keys_before = 0;
            for block in blocks.iter_mut().skip(bundle).step_by(bundles.len()) {
                block.keys_before = keys_before;
                keys_before += block.keys.count_ones();
            }
        }
        Self { key_times: ticks, bundle_count: bundles.len(), blocks }
    }

    /// How many keys a bundle has up to a tick.
    fn keys_up_to(&self, bundle: usize, tick: usize) -> usize {
        let block = self.blocks[tick / BLOCK_TIMES * self.bundle_count + bundle];
        // The bits of this tick and of those before it.
        let up_to = u64::MAX >> (BLOCK_TIMES - 1 - tick % BLOCK_TIMES);
        (block.keys_before + (block.keys & up_to).count_ones()) as usize
    }
}

impl fmt::Debug for KeyTimeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("bundles", &self.bundles.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_across_blocks() {
        let every = |step: usize| (0..300).step_by(step).map(|n| n as f32).collect::<Vec<_>>();
        let bundles = [every(1), every(2), every(7), vec![250.0]];
        let keys =
            |times: &Vec<f32>| Arc::new(times.iter().map(|&time| VectorKey { time, values: [0.0; 4] }).collect());
        let mut clock = KeyTimeIndex::new(bundles.iter().map(keys).collect());
        let times = [0.0, 0.5, 1.0, 63.0, 63.9, 64.0, 127.5, 128.0, 249.9, 250.0, 299.0, 1e9, 3.0, 4.0, 5.0, -1.0];
        // Without a dial first, and then with one.
        for time in times.repeat(2 * MAX_SEARCHES_WITHOUT_INDEX as usize / times.len()) {
            let mut place = clock.at(time);
            for (bundle, times) in bundles.iter().enumerate() {
                let expected = times.iter().filter(|key| f64::from(**key) <= time).count();
                assert_eq!(place.key_count(bundle), expected, "bundle {bundle} at {time}");
            }
        }
        assert!(clock.dial.get().is_some());
    }
}
