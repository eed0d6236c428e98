//! The likeliest course of signs through all keys of a pose.
//!
//! Every choice has a cost: how little the evidence speaks for it, how far the pose turns from key to key, and how much
//! its turning changes. All costs grow with the logarithm of the surprise, so that no single one outweighs all others:
//! hands are fast at times, and bones wrong. The cheapest course is found with two passes over the keys, forwards and
//! backwards, which also give what the other sign would have cost at each key.

use glam::{DQuat, DVec3};

use super::candidates::Candidates;
use crate::is_sign_flip;

/// What a turn from key to key may be for free, and how much more with time. Joints turn at up to some 600 degrees a second.
const FREE_STEP_DEG: f64 = 3.0;
const MAX_TURN_DEG_PER_SEC: f64 = 600.0;

/// What a change of speed may be for free.
const FREE_ACCEL_DEG: f64 = 1.0;

/// However long the gap, a hand comes back turned about as it was.
const MAX_GAP_TURN_DEG: f64 = 90.0;

/// The cost of taking the other of the two quaternions of a rotation, as devices now and then do.
const FLIP_COST: f64 = 3.0;

/// The cost of denying a known key.
const KNOWN_COST: f64 = 1e9;

/// Below this difference in cost either sign may be right.
const CONFIDENT_COST: f64 = 2.0;

/// Below this difference in degrees it does not matter.
const EQUAL_DEG: f64 = 1.0;

/// Times that are nearer than this are taken for this far apart.
const MIN_STEP_SECS: f64 = 1e-4;

/// The sign that was chosen at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SignChoice {
    /// Which of the two candidates.
    pub(super) which: usize,
    /// Whether the other one can be ruled out, or is the same but for little.
    pub(super) is_sure: bool,
}

/// The cost of something that is off by so many times what is usual.
pub(super) fn penalty(times_usual: f64) -> f64 {
    (times_usual * times_usual).ln_1p()
}

/// The likeliest choices, given what the evidence charges for each candidate of each key.
pub(super) fn most_likely_signs(candidates: &Candidates, evidence: &[[f64; 2]]) -> Vec<SignChoice> {
    let chain = Trellis::new(candidates, evidence);
    let (behind, ahead) = (chain.forward_costs(), chain.backward_costs());
    let path = chain.best_path(&behind, &ahead);
    let keys = candidates.iter().enumerate().zip(path);
    keys.map(|((key, candidate), which)| {
        let [plus, minus] = candidate.rotations();
        let is_same = plus.angle_between(minus).to_degrees() < EQUAL_DEG;
        let [a, b] = [0, 1].map(|which| path_cost(&behind, &ahead, key, which));
        let is_told = (a - b).abs() >= CONFIDENT_COST && candidate.is_rotation();
        SignChoice { which, is_sure: is_told || is_same }
    })
    .collect()
}

/// Costs by the choices at two neighbouring keys.
type PairCosts = [[f64; 2]; 2];

/// Choices at two neighbouring keys.
const SIGNS: [usize; 2] = [0, 1];

/// From one candidate of a key to one of the next.
#[derive(Clone, Copy, Debug)]
struct Transition {
    cost: f64,
    /// Degrees a second about each axis.
    speed: DVec3,
}

/// All keys with what it costs to be at each and to go from each to the next.
struct Trellis {
    own: Vec<[f64; 2]>,
    /// By the choice at the key and at the next.
    steps: Vec<[[Transition; 2]; 2]>,
    secs: Vec<f64>,
}

impl Trellis {
    fn new(candidates: &Candidates, evidence: &[[f64; 2]]) -> Self {
        let own = candidates.iter().zip(evidence).map(|(candidate, evidence)| match candidate.known_sign() {
            Some(known) => SIGNS.map(|which| if which == known { 0.0 } else { KNOWN_COST }),
            None => *evidence,
        });
        let keys: Vec<_> = candidates.iter().map(|candidate| (candidate.time, candidate.rotations())).collect();
        let secs = keys.windows(2).map(|pair| (pair[1].0 - pair[0].0).max(MIN_STEP_SECS)).collect::<Vec<_>>();
        let steps = keys.windows(2).zip(&secs).map(|(pair, secs)| {
            let [from, to] = [pair[0].1, pair[1].1];
            from.map(|from| to.map(|to| Transition::new(from, to, *secs)))
        });
        Self { own: own.collect(), steps: steps.collect(), secs }
    }

    /// The cost of turning on at `key` + 1 as from the key before it, and of what follows: the step to the next key and that
    /// key itself.
    fn transition_cost(&self, key: usize, [a, b, c]: [usize; 3]) -> f64 {
        let (before, after) = (&self.steps[key][a][b], &self.steps[key + 1][b][c]);
        let secs = self.secs[key].min(self.secs[key + 1]);
        let change_deg = (after.speed - before.speed).length() * secs;
        let usual_deg = (FREE_ACCEL_DEG + MAX_TURN_DEG_PER_SEC * secs).min(MAX_GAP_TURN_DEG);
        penalty(change_deg / usual_deg) + after.cost + self.own[key + 2][c]
    }

    /// For each step, the least cost of everything up to its end.
    fn forward_costs(&self) -> Vec<PairCosts> {
        let mut costs: Vec<PairCosts> = Vec::with_capacity(self.steps.len());
        for (key, steps) in self.steps.iter().enumerate() {
            costs.push(match key.checked_sub(1).map(|before| (before, costs[before])) {
                None => SIGNS.map(|a| SIGNS.map(|b| self.own[0][a] + steps[a][b].cost + self.own[1][b])),
                Some((before, cost)) => SIGNS.map(|b| {
                    SIGNS.map(|c| min_cost(SIGNS.map(|a| cost[a][b] + self.transition_cost(before, [a, b, c]))))
                }),
            });
        }
        costs
    }

    /// For each step, the least cost of everything behind its end.
    fn backward_costs(&self) -> Vec<PairCosts> {
        let mut costs = vec![[[0.0; 2]; 2]; self.steps.len()];
        for key in (1..self.steps.len()).rev() {
            let cost = costs[key];
            costs[key - 1] = SIGNS
                .map(|a| SIGNS.map(|b| min_cost(SIGNS.map(|c| cost[b][c] + self.transition_cost(key - 1, [a, b, c])))));
        }
        costs
    }

    /// The choices at all keys that are cheapest together.
    fn best_path(&self, behind: &[PairCosts], ahead: &[PairCosts]) -> Vec<usize> {
        let Some((behind, first)) = behind.first().zip(ahead.first()) else { return vec![0; self.own.len()] };
        let [mut a, mut b] = argmin([[0, 0], [0, 1], [1, 0], [1, 1]], |[a, b]| behind[a][b] + first[a][b]);
        let mut path = vec![a, b];
        for (key, ahead) in ahead.iter().enumerate().skip(1) {
            let c = argmin(SIGNS, |c| self.transition_cost(key - 1, [a, b, c]) + ahead[b][c]);
            (a, b) = (b, c);
            path.push(c);
        }
        path
    }
}

impl Transition {
    fn new(from: DQuat, to: DQuat, secs: f64) -> Self {
        let is_flip = is_sign_flip(from.to_array(), to.to_array());
        let to = if is_flip { -to } else { to };
        let turn = (to * from.conjugate()).to_scaled_axis() * 1.0_f64.to_degrees();
        let usual_deg = (FREE_STEP_DEG + MAX_TURN_DEG_PER_SEC * secs).min(MAX_GAP_TURN_DEG);
        let cost = penalty(turn.length() / usual_deg) + if is_flip { FLIP_COST } else { 0.0 };
        Self { cost, speed: turn / secs }
    }
}

fn min_cost([a, b]: [f64; 2]) -> f64 {
    a.min(b)
}

/// The first of the things that cost least.
fn argmin<T: Copy, const N: usize>(things: [T; N], cost: impl Fn(T) -> f64) -> T {
    let mut best = things[0];
    for thing in things {
        if cost(thing) < cost(best) {
            best = thing;
        }
    }
    best
}

/// The least cost of all keys together with this choice at this one.
fn path_cost(behind: &[PairCosts], ahead: &[PairCosts], key: usize, which: usize) -> f64 {
    let sum = |step: usize, a: usize, b: usize| behind[step][a][b] + ahead[step][a][b];
    match key.checked_sub(1) {
        Some(step) => min_cost(SIGNS.map(|a| sum(step, a, which))),
        None => min_cost(SIGNS.map(|b| sum(0, which, b))),
    }
}
