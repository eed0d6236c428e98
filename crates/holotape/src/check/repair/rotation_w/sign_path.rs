//! Finds the most likely sequence of signs over all keys of a pose, with a Viterbi search.
//!
//! Each choice has a cost: the disagreement with the evidence, the rotation from key to key, and the change of that
//! rotation. Costs grow logarithmically, so that no single one outweighs all others: hands are sometimes fast, and bones
//! sometimes wrong. One forward and one backward pass find the path of minimal cost, and the cost of the other sign at
//! each key.

use glam::{DQuat, DVec3};

use super::candidates::Candidate;
use crate::is_sign_flip;

/// The typical rotation from key to key, and its growth with time. Joints rotate at up to about 600°/s.
const FREE_STEP_DEG: f64 = 3.0;
const MAX_TURN_DEG_PER_SEC: f64 = 600.0;

/// The typical change of the rotation between consecutive steps.
const FREE_ACCEL_DEG: f64 = 1.0;

/// The largest typical rotation, however long the gap is.
const MAX_GAP_TURN_DEG: f64 = 90.0;

/// The cost of a sign flip, which devices write now and then.
const FLIP_COST: f64 = 3.0;

/// The cost of contradicting a known key.
const KNOWN_COST: f64 = 1e9;

/// Below this difference in cost, the sign is uncertain.
const CONFIDENT_COST: f64 = 2.0;

/// Below this angle between the candidates, the sign does not matter.
const EQUAL_DEG: f64 = 1.0;

/// The minimum time between keys; smaller steps are treated as this.
const MIN_STEP_SECS: f64 = 1e-4;

/// The chosen sign at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SignChoice {
    /// The index of the candidate.
    pub(super) which: usize,
    /// Whether the other candidate is clearly less likely, or almost the same rotation.
    pub(super) is_certain: bool,
}

/// The cost of a deviation, given as a multiple of the typical one.
pub(super) fn penalty(relative_deviation: f64) -> f64 {
    (relative_deviation * relative_deviation).ln_1p()
}

/// The most likely signs, given the evidence costs of both candidates of each key.
pub(super) fn most_likely_signs(candidates: &[Candidate], evidence: &[[f64; 2]]) -> Vec<SignChoice> {
    let trellis = Trellis::new(candidates, evidence);
    let (forward, backward) = (trellis.forward_costs(), trellis.backward_costs());
    let path = trellis.best_path(&forward, &backward);
    let keys = candidates.iter().enumerate().zip(path);
    keys.map(|((key, candidate), which)| {
        let [plus, minus] = candidate.rotations();
        let is_same = plus.angle_between(minus).to_degrees() < EQUAL_DEG;
        let [a, b] = [0, 1].map(|which| path_cost(&forward, &backward, key, which));
        let is_decided = (a - b).abs() >= CONFIDENT_COST && candidate.is_rotation();
        SignChoice { which, is_certain: is_decided || is_same }
    })
    .collect()
}

/// Costs by the signs at two neighbouring keys.
type PairCosts = [[f64; 2]; 2];

/// The indexes of the two candidates.
const SIGNS: [usize; 2] = [0, 1];

/// A step from one candidate of a key to one of the next.
#[derive(Clone, Copy, Debug)]
struct Transition {
    cost: f64,
    /// Degrees per second about each axis.
    speed: DVec3,
}

/// The costs of all candidates and of all steps between them.
struct Trellis {
    own: Vec<[f64; 2]>,
    /// By the candidates at the key and at the next.
    steps: Vec<[[Transition; 2]; 2]>,
    secs: Vec<f64>,
}

impl Trellis {
    fn new(candidates: &[Candidate], evidence: &[[f64; 2]]) -> Self {
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

    /// The cost of the change of rotation at `key` + 1, plus the costs of the step to the next key and of that key.
    fn transition_cost(&self, key: usize, [a, b, c]: [usize; 3]) -> f64 {
        let (before, after) = (&self.steps[key][a][b], &self.steps[key + 1][b][c]);
        let secs = self.secs[key].min(self.secs[key + 1]);
        let change_deg = (after.speed - before.speed).length() * secs;
        let typical_deg = (FREE_ACCEL_DEG + MAX_TURN_DEG_PER_SEC * secs).min(MAX_GAP_TURN_DEG);
        penalty(change_deg / typical_deg) + after.cost + self.own[key + 2][c]
    }

    /// For each step, the minimal cost up to its end.
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

    /// For each step, the minimal cost after its end.
    fn backward_costs(&self) -> Vec<PairCosts> {
        let mut costs = vec![[[0.0; 2]; 2]; self.steps.len()];
        for key in (1..self.steps.len()).rev() {
            let cost = costs[key];
            costs[key - 1] = SIGNS
                .map(|a| SIGNS.map(|b| min_cost(SIGNS.map(|c| cost[b][c] + self.transition_cost(key - 1, [a, b, c])))));
        }
        costs
    }

    /// The candidates on the path of minimal cost.
    fn best_path(&self, forward: &[PairCosts], backward: &[PairCosts]) -> Vec<usize> {
        let Some((first_forward, first_backward)) = forward.first().zip(backward.first()) else {
            return vec![0; self.own.len()];
        };
        let [mut a, mut b] =
            argmin([[0, 0], [0, 1], [1, 0], [1, 1]], |[a, b]| first_forward[a][b] + first_backward[a][b]);
        let mut path = vec![a, b];
        for (key, backward) in backward.iter().enumerate().skip(1) {
            let c = argmin(SIGNS, |c| self.transition_cost(key - 1, [a, b, c]) + backward[b][c]);
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
        let typical_deg = (FREE_STEP_DEG + MAX_TURN_DEG_PER_SEC * secs).min(MAX_GAP_TURN_DEG);
        let cost = penalty(turn.length() / typical_deg) + if is_flip { FLIP_COST } else { 0.0 };
        Self { cost, speed: turn / secs }
    }
}

fn min_cost([a, b]: [f64; 2]) -> f64 {
    a.min(b)
}

/// The first item of minimal cost.
fn argmin<T: Copy, const N: usize>(items: [T; N], cost: impl Fn(T) -> f64) -> T {
    let mut best = items[0];
    for item in items {
        if cost(item) < cost(best) {
            best = item;
        }
    }
    best
}

/// The minimal cost of a path through a candidate.
fn path_cost(forward: &[PairCosts], backward: &[PairCosts], key: usize, which: usize) -> f64 {
    let sum = |step: usize, a: usize, b: usize| forward[step][a][b] + backward[step][a][b];
    match key.checked_sub(1) {
        Some(step) => min_cost(SIGNS.map(|a| sum(step, a, which))),
        None => min_cost(SIGNS.map(|b| sum(0, which, b))),
    }
}
