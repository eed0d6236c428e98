//! The two rotations that x, y and z leave open at each key.

use glam::{DQuat, DVec3};

use crate::Curve;

/// How far the sum of the squares of x, y and z may be off by rounding to 32 bits, theirs and that of the length.
const ROUNDING_ERROR: f64 = 3e-7;

/// How far the sum of all four squares may be from 1 in a rotation.
const MAX_NORM_ERROR: f64 = 0.01;

/// What is known of the rotation at one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) time: f64,
    xyz: DVec3,
    /// The value of w without its sign.
    size: f64,
    /// Whether w is negative, where its key is left.
    known_negative: Option<bool>,
}

impl Candidate {
    fn new(time: f64, xyz: DVec3, known_w: Option<f64>) -> Self {
        let size = known_w.map_or_else(|| (1.0 - xyz.length_squared()).max(0.0).sqrt(), f64::abs);
        Self { time, xyz, size, known_negative: known_w.map(|w| w < 0.0) }
    }

    /// The one of the two that is known, where one is.
    pub(super) fn known_sign(&self) -> Option<usize> {
        self.known_negative.map(usize::from)
    }

    /// The value of w in one of the two: 0 is the one with w positive, 1 with w negative.
    pub(super) fn w(&self, which: usize) -> f64 {
        if which == 0 { self.size } else { -self.size }
    }

    /// The rotation with w positive, and the one with w negative.
    pub(super) fn rotations(&self) -> [DQuat; 2] {
        let DVec3 { x, y, z } = self.xyz;
        [0, 1].map(|which| unit(DQuat::from_xyzw(x, y, z, self.w(which))))
    }

    /// By how much rounding can have turned the rotation: the smaller w, the more.
    pub(super) fn rounding_deg(&self) -> f64 {
        let square = self.size * self.size;
        (2.0 * ((square + ROUNDING_ERROR).sqrt() - self.size)).to_degrees()
    }

    /// Whether x, y and z can be those of a rotation: with the w that is known, or with any.
    pub(super) fn is_rotation(&self) -> bool {
        let least = self.xyz.length_squared();
        match self.known_negative {
            Some(_) => (least + self.size * self.size - 1.0).abs() <= MAX_NORM_ERROR,
            None => least <= 1.0 + MAX_NORM_ERROR,
        }
    }
}

fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length.is_normal() { q / length } else { DQuat::IDENTITY }
}

/// The candidates of all keys of a pose, in order of time.
#[derive(Clone, Debug)]
pub(super) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// From curves of which x, y and z share their times. A key of w counts where they have one too.
    pub(super) fn new([x, y, z, w]: &[Curve; 4]) -> Self {
        let mut left = w.keys.iter().peekable();
        let xyz = x.keys.iter().zip(y.keys.iter()).zip(z.keys.iter());
        let keys = xyz.map(|((x, y), z)| {
            while left.next_if(|w| w.time < x.time).is_some() {}
            let known_w = left.next_if(|w| w.time == x.time).map(|w| f64::from(w.value));
            Candidate::new(x.time.into(), DVec3::new(x.value.into(), y.value.into(), z.value.into()), known_w)
        });
        Self(keys.collect())
    }

    /// Whether keys that are known speak against this being rotations: slots of no joint have zeros in all components.
    pub(super) fn contradict_known_keys(&self) -> bool {
        let mut known = self.0.iter().filter(|candidate| candidate.known_sign().is_some()).peekable();
        known.peek().is_some() && !known.any(Candidate::is_rotation)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Candidate> {
        self.0.iter()
    }

    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.0
    }
}
