//! The two candidate rotations at each key, given x, y and z.

use glam::{DQuat, DVec3};

use crate::Curve;

/// The error of the sum of squares of x, y and z due to rounding to 32 bits.
const ROUNDING_ERROR: f64 = 3e-7;

/// How far the sum of all four squares of a rotation may be from 1.
const MAX_NORM_ERROR: f64 = 0.01;

/// The candidates at one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) time: f64,
    xyz: DVec3,
    /// The absolute value of w.
    abs_w: f64,
    /// Whether w is negative, if its key is known.
    known_negative: Option<bool>,
}

impl Candidate {
    fn new(time: f64, xyz: DVec3, known_w: Option<f64>) -> Self {
        let abs_w = known_w.map_or_else(|| (1.0 - xyz.length_squared()).max(0.0).sqrt(), f64::abs);
        Self { time, xyz, abs_w, known_negative: known_w.map(|w| w < 0.0) }
    }

    /// The index of the known candidate, if w is known.
    pub(super) fn known_sign(&self) -> Option<usize> {
        self.known_negative.map(usize::from)
    }

    /// The value of w: positive for candidate 0, negative for candidate 1.
    pub(super) fn w(&self, which: usize) -> f64 {
        if which == 0 { self.abs_w } else { -self.abs_w }
    }

    /// The rotation with w positive, and the one with w negative.
    pub(super) fn rotations(&self) -> [DQuat; 2] {
        let DVec3 { x, y, z } = self.xyz;
        [0, 1].map(|which| unit(DQuat::from_xyzw(x, y, z, self.w(which))))
    }

    /// The rotation error due to rounding, which grows as w gets smaller.
    pub(super) fn rounding_deg(&self) -> f64 {
        let square = self.abs_w * self.abs_w;
        (2.0 * ((square + ROUNDING_ERROR).sqrt() - self.abs_w)).to_degrees()
    }

    /// Whether x, y and z can belong to a rotation, with the known w or with any.
    pub(super) fn is_rotation(&self) -> bool {
        let square = self.xyz.length_squared();
        match self.known_negative {
            Some(_) => (square + self.abs_w * self.abs_w - 1.0).abs() <= MAX_NORM_ERROR,
            None => square <= 1.0 + MAX_NORM_ERROR,
        }
    }
}

fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length.is_normal() { q / length } else { DQuat::IDENTITY }
}

/// The candidates of all keys of a pose, sorted by time. For curves whose x, y and z share their key times. Keys of w at
/// other times are ignored.
pub(super) fn candidates([x, y, z, w]: &[Curve; 4]) -> Vec<Candidate> {
    let mut left = w.keys.iter().peekable();
    let xyz = x.keys.iter().zip(y.keys.iter()).zip(z.keys.iter());
    let keys = xyz.map(|((x, y), z)| {
        while left.next_if(|w| w.time < x.time).is_some() {}
        let known_w = left.next_if(|w| w.time == x.time).map(|w| f64::from(w.value));
        Candidate::new(x.time.into(), DVec3::new(x.value.into(), y.value.into(), z.value.into()), known_w)
    });
    keys.collect()
}

/// Whether the known keys are not rotations: the joint slot `None` has zeros in all components.
pub(super) fn contradict_known_keys(candidates: &[Candidate]) -> bool {
    let mut known = candidates.iter().filter(|candidate| candidate.known_sign().is_some()).peekable();
    known.peek().is_some() && !known.any(Candidate::is_rotation)
}
