//! Finds the minimal number of keys: the shortest path from the first key to the last over valid segments. A segment is
//! valid if it is within the tolerance of every key between its ends.
//!
//! This is a breadth-first search: first the keys that one segment from the first key reaches, then those that two
//! segments reach, and so on. Most segments need not be checked. From a start, every further key narrows the range of
//! possible slopes. When it is empty, no segment reaches farther. Of the ends before, only those with a possible slope are
//! checked completely.

use super::keyed_motion::{AnchorView, KeyedMotion};
use super::slope_range::SlopeRange;

/// The budget of the search: the number of checks of a key per key that it reaches. Motion from a device needs a tenth of
/// that. If the budget is used up, because segments span hundreds of keys, only the farthest starts are tried.
const CHECKS_PER_KEY: usize = 256;

/// The initial budget per key, so that motionless vectors are reduced at once.
const INITIAL_CHECKS_PER_KEY: usize = 16;

/// The indexes of the keys to keep, increasing: the first, the last, and as few as possible between them.
pub(super) fn minimal_keys(motion: &impl KeyedMotion) -> Vec<usize> {
    let count = motion.times().len();
    if count <= 2 {
        return (0..count).collect();
    }
    let mut search = Search {
        motion,
        reached_from: vec![None; count],
        checks_left: count.saturating_mul(INITIAL_CHECKS_PER_KEY),
        ends: Vec::new(),
    };
    search.run();
    search.path()
}

struct Search<'a, M> {
    motion: &'a M,
    reached_from: Vec<Option<usize>>,
    checks_left: usize,
    /// Candidate ends of segments from the current start, increasing.
    ends: Vec<usize>,
}

impl<M: KeyedMotion> Search<'_, M> {
    fn run(&mut self) {
        let mut round = vec![0];
        while !self.is_done() {
            let mut next_round = Vec::new();
            // From the last to the first: the last reaches farthest and leaves little to check for the others. It also
            // reaches at least one new key, so the search ends whatever is left of the budget.
            round.sort_unstable();
            while let Some(start) = round.pop() {
                self.expand_from(start, &mut next_round);
                if self.is_done() || self.checks_left == 0 {
                    break;
                }
            }
            round = next_round;
        }
    }

    /// Reaches all new keys that are one valid segment from `start`, until the last key is reached.
    fn expand_from(&mut self, start: usize, reached: &mut Vec<usize>) {
        self.find_candidate_ends(start);
        let mut last_violation = start;
        while let Some(end) = self.ends.pop().filter(|_| !self.is_done()) {
            if end == start + 1 || self.is_valid_segment(start, end, &mut last_violation) {
                self.reached_from[end] = Some(start);
                self.checks_left = self.checks_left.saturating_add(CHECKS_PER_KEY);
                reached.push(end);
            }
        }
    }

    fn find_candidate_ends(&mut self, start: usize) {
        self.ends.clear();
        let times = self.motion.times();
        let view = self.motion.view_from(start);
        let mut slopes = SlopeRange::UNBOUNDED;
        // Half of the remaining budget; the other half is for checking the ends.
        let max_checks = (self.checks_left / 2).max(1);
        let mut checks = 0;
        for key in (start + 1..times.len()).take(max_checks) {
            checks += 1;
            let bounds = view.slope_bounds(key);
            let per_sec = 1.0 / (times[key] - times[start]);
            if self.reached_from[key].is_none() && (key == start + 1 || slopes.contains(&bounds, per_sec)) {
                self.ends.push(key);
            }
            slopes.narrow(&bounds, per_sec);
            if slopes.is_empty() {
                break;
            }
        }
        self.checks_left = self.checks_left.saturating_sub(checks);
    }

    /// Whether all keys between two can be dropped; `false` if the budget does not suffice. `last_violation` is the key that
    /// invalidated the previous segment from this start: it often invalidates this one as well.
    fn is_valid_segment(&mut self, start: usize, end: usize, last_violation: &mut usize) -> bool {
        if self.checks_left < end - start {
            return false;
        }
        let line = self.motion.line(start, end);
        let largest = self.motion.max_square_error();
        let is_far = |key: &usize| self.motion.square_error(&line, *key) > largest;
        if (start + 1..end).contains(last_violation) && is_far(last_violation) {
            self.checks_left -= 1;
            return false;
        }
        let far = (start + 1..end).find(is_far);
        self.checks_left -= far.unwrap_or(end) - start;
        *last_violation = far.unwrap_or(*last_violation);
        far.is_none()
    }

    fn is_done(&self) -> bool {
        self.reached_from.last().is_none_or(Option::is_some)
    }

    /// The keys on the path to the last.
    fn path(&self) -> Vec<usize> {
        let last = self.reached_from.len() - 1;
        let mut path: Vec<_> = std::iter::successors(Some(last), |&key| self.reached_from[key]).collect();
        path.reverse();
        path
    }
}
