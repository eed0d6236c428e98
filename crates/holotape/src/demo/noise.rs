//! Randomness: numbers from a seed, and smooth noise over time.

use std::f64::consts::TAU;

use glam::DVec3;

/// Pseudo-random numbers from a seed (splitmix64).
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    /// Each stream of a seed is a separate sequence: drawing from one does not shift another.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut apart = Self(stream);
        let offset = apart.next_u64();
        let mut random = Self(seed ^ offset);
        random.0 = random.next_u64();
        random
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        // The upper 53 bits: as many as an f64 represents exactly.
        let unit = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    pub(super) fn uniform_point(&mut self, low: DVec3, high: DVec3) -> DVec3 {
        DVec3::new(self.uniform(low.x, high.x), self.uniform(low.y, high.y), self.uniform(low.z, high.z))
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.uniform(0.0, 1.0) < probability
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.next_u64() % (last as u64 + 1)) as usize);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Wave {
    amplitude: f64,
    hz: f64,
    phase: f64,
}

const WAVES: usize = 3;

/// Band-limited noise that never exceeds its amplitude along any axis. Its value depends only on the time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmoothNoise([[Wave; WAVES]; 3]);

impl SmoothNoise {
    pub(super) fn new(random: &mut SplitMix64, amplitude: f64, low_hz: f64, high_hz: f64) -> Self {
        let mut wave = || Wave {
            amplitude: amplitude / WAVES as f64 * random.uniform(0.6, 1.0),
            hz: random.uniform(low_hz, high_hz),
            phase: random.uniform(0.0, TAU),
        };
        Self(std::array::from_fn(|_| std::array::from_fn(|_| wave())))
    }

    pub(super) fn at(&self, time: f64) -> DVec3 {
        let axis = |waves: &[Wave; WAVES]| -> f64 {
            waves.iter().map(|wave| wave.amplitude * (TAU * wave.hz * time + wave.phase).sin()).sum()
        };
        DVec3::from_array(self.0.each_ref().map(axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_and_seeds_differ() {
        let first = |seed, stream| SplitMix64::new(seed, stream).next_u64();
        let drawn: std::collections::HashSet<_> = (0..50).flat_map(|s| (0..50).map(move |t| first(s, t))).collect();
        assert_eq!(drawn.len(), 2500);
    }

    #[test]
    fn numbers_fill_their_range() {
        let mut random = SplitMix64::new(1, 0);
        let drawn: Vec<_> = (0..1000).map(|_| random.uniform(-2.0, 3.0)).collect();
        assert!(drawn.iter().all(|x| (-2.0..3.0).contains(x)));
        assert!((drawn.iter().sum::<f64>() / 1000.0 - 0.5).abs() < 0.2);
        assert!(drawn.iter().any(|&x| x < -1.9) && drawn.iter().any(|&x| x > 2.9));
    }

    #[test]
    fn wobbles_stay_within_their_amplitude() {
        let wobble = SmoothNoise::new(&mut SplitMix64::new(1, 0), 0.5, 8.0, 12.0);
        let furthest =
            (0..10_000).flat_map(|n| wobble.at(f64::from(n) * 0.01).to_array()).map(f64::abs).fold(0.0, f64::max);
        assert!(furthest <= 0.5 && furthest > 0.2, "{furthest}");
    }
}
