//! The fewest keys that will do: the shortest way from the first key to the last, over spans that come close enough to
//! every key between their ends.
//!
//! Keys are reached in rounds: those that one span from the first key reaches, those that take two, and so on until the
//! last is reached. Most spans need not be tried. From a start, every further key narrows the slopes that a span can
//! still have. When none is left, no span reaches further, and of the ends before, those with a slope that was left are
//! tried in full.

use super::keyed_motion::{AnchorView, KeyedMotion};
use super::slope_range::SlopeRange;

/// What the search may spend: so many looks at a key for each key that it reaches. Motion from a device takes a tenth of
/// that. Where it is not enough, because spans are hundreds of keys long, the starts furthest on are tried and others not.
const CHECKS_PER_KEY: usize = 256;

/// What there is for each key to begin with, so that what lies still is seen to do so at once.
const INITIAL_CHECKS_PER_KEY: usize = 16;

/// The keys to keep, rising: the first, the last, and the fewest between them.
pub(super) fn minimal_keys(motion: &impl KeyedMotion) -> Vec<usize> {
    let count = motion.times().len();
    if count <= 2 {
        return (0..count).collect();
    }
    let mut search = Search {
        motion,
        reached_from: vec![None; count],
        looks_left: count.saturating_mul(INITIAL_CHECKS_PER_KEY),
        ends: Vec::new(),
    };
    search.run();
    search.path()
}

struct Search<'a, M> {
    motion: &'a M,
    reached_from: Vec<Option<usize>>,
    looks_left: usize,
    /// Where spans from the start in hand may end, rising.
    ends: Vec<usize>,
}

impl<M: KeyedMotion> Search<'_, M> {
    fn run(&mut self) {
        let mut round = vec![0];
        while !self.is_done() {
            let mut next_round = Vec::new();
            // From the furthest back: it reaches furthest, and leaves the others little to try. It also reaches at least
            // one key more than any before, so there is an end to this whatever the looks that are left.
            round.sort_unstable();
            while let Some(start) = round.pop() {
                self.expand_from(start, &mut next_round);
                if self.is_done() || self.looks_left == 0 {
                    break;
                }
            }
            round = next_round;
        }
    }

    /// Reaches all that one span from `start` can and that was not reached before, unless the last key is reached.
    fn expand_from(&mut self, start: usize, reached: &mut Vec<usize>) {
        self.find_candidate_ends(start);
        let mut culprit = start;
        while let Some(end) = self.ends.pop().filter(|_| !self.is_done()) {
            if end == start + 1 || self.is_valid_segment(start, end, &mut culprit) {
                self.reached_from[end] = Some(start);
                self.looks_left = self.looks_left.saturating_add(CHECKS_PER_KEY);
                reached.push(end);
            }
        }
    }

    fn find_candidate_ends(&mut self, start: usize) {
        self.ends.clear();
        let times = self.motion.times();
        let view = self.motion.view_from(start);
        let mut cone = SlopeRange::UNBOUNDED;
        // Half of the looks that are left: the others are to try the ends with.
        let most = (self.looks_left / 2).max(1);
        let mut looks = 0;
        for key in (start + 1..times.len()).take(most) {
            looks += 1;
            let sight = view.slope_bounds(key);
            let per_sec = 1.0 / (times[key] - times[start]);
            if self.reached_from[key].is_none() && (key == start + 1 || cone.contains(&sight, per_sec)) {
                self.ends.push(key);
            }
            cone.narrow(&sight, per_sec);
            if cone.is_empty() {
                break;
            }
        }
        self.looks_left = self.looks_left.saturating_sub(looks);
    }

    /// Whether all keys between two can be left out, as far as there are looks left to tell. `culprit` is a key that was
    /// too far from another span from this start: most often it is again.
    fn is_valid_segment(&mut self, start: usize, end: usize, culprit: &mut usize) -> bool {
        if self.looks_left < end - start {
            return false;
        }
        let line = self.motion.line(start, end);
        let largest = self.motion.max_square_error();
        let is_far = |key: &usize| self.motion.square_error(&line, *key) > largest;
        if (start + 1..end).contains(culprit) && is_far(culprit) {
            self.looks_left -= 1;
            return false;
        }
        let far = (start + 1..end).find(is_far);
        self.looks_left -= far.unwrap_or(end) - start;
        *culprit = far.unwrap_or(*culprit);
        far.is_none()
    }

    fn is_done(&self) -> bool {
        self.reached_from.last().is_none_or(Option::is_some)
    }

    /// The keys on the way to the last.
    fn path(&self) -> Vec<usize> {
        let last = self.reached_from.len() - 1;
        let mut way: Vec<_> = std::iter::successors(Some(last), |&key| self.reached_from[key]).collect();
        way.reverse();
        way
    }
}
