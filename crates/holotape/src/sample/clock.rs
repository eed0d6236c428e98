//! One search for all: the times of every bundle's keys on one clock.
//!
//! All keys of a recording come from the frames of one device, so there are few distinct times. Finding a time on the
//! clock finds it in every bundle: a bit for each of its keys on the clock, counted up to there, is the key's number.

use std::fmt;

/// Ticks that one word of bits stands for.
const BLOCK_TICKS: usize = 64;

/// All distinct key times, and which bundle has a key at which.
#[derive(Clone)]
pub(super) struct Clock {
    ticks: Vec<f32>,
    bundle_count: usize,
    /// For each block of ticks, the bundles one after the other: one time looks at one run of memory.
    blocks: Vec<Block>,
    /// Where the last time was found, to look there and just behind first.
    last: usize,
}

#[derive(Clone, Copy, Default)]
struct Block {
    keys: u64,
    keys_before: u32,
}

impl Clock {
    /// A clock for bundles with these key times, each strictly rising.
    pub(super) fn new(bundles: &[Vec<f32>]) -> Self {
        let mut ticks: Vec<f32> = bundles.iter().flatten().copied().collect();
        ticks.sort_unstable_by(f32::total_cmp);
        ticks.dedup();
        let block_count = ticks.len().div_ceil(BLOCK_TICKS);
        let mut blocks = vec![Block::default(); block_count * bundles.len()];
        for (bundle, times) in bundles.iter().enumerate() {
            let mut tick = 0;
            for time in times {
                while ticks[tick] < *time {
                    tick += 1;
                }
                blocks[tick / BLOCK_TICKS * bundles.len() + bundle].keys |= 1 << (tick % BLOCK_TICKS);
            }
            let mut keys_before = 0;
            for block in blocks.iter_mut().skip(bundle).step_by(bundles.len()) {
                block.keys_before = keys_before;
                keys_before += block.keys.count_ones();
            }
        }
        Self { ticks, bundle_count: bundles.len(), blocks, last: 0 }
    }

    /// The last tick up to a time, if there is one.
    pub(super) fn find(&mut self, time: f64) -> Option<usize> {
        let is_up_to = |tick: usize| self.ticks.get(tick).is_some_and(|tick| f64::from(*tick) <= time);
        let found = [self.last, self.last + 1].into_iter().find(|&tick| is_up_to(tick) && !is_up_to(tick + 1));
        let found = found.or_else(|| self.ticks.partition_point(|tick| f64::from(*tick) <= time).checked_sub(1));
        self.last = found.unwrap_or(0);
        found
    }

    /// How many keys a bundle has up to a tick.
    pub(super) fn keys_up_to(&self, bundle: usize, tick: usize) -> usize {
        let block = self.blocks[tick / BLOCK_TICKS * self.bundle_count + bundle];
        // The bits of this tick and of those before it.
        let up_to = u64::MAX >> (BLOCK_TICKS - 1 - tick % BLOCK_TICKS);
        (block.keys_before + (block.keys & up_to).count_ones()) as usize
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("ticks", &self.ticks.len()).field("bundles", &self.bundle_count).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_across_blocks() {
        let every = |step: usize| (0..300).step_by(step).map(|n| n as f32).collect::<Vec<_>>();
        let bundles = [every(1), every(2), every(7), vec![250.0]];
        let mut clock = Clock::new(&bundles);
        for time in [0.0, 0.5, 1.0, 63.0, 63.9, 64.0, 127.5, 128.0, 249.9, 250.0, 299.0, 1e9, 3.0, 4.0, 5.0] {
            let tick = clock.find(time).expect("not before the first");
            for (bundle, times) in bundles.iter().enumerate() {
                let expected = times.iter().filter(|key| f64::from(**key) <= time).count();
                assert_eq!(clock.keys_up_to(bundle, tick), expected, "bundle {bundle} at {time}");
            }
        }
        assert_eq!(clock.find(-1.0), None);
        assert_eq!(Clock::new(&[]).find(0.0), None);
    }
}
