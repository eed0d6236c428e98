//! Which curves are wanted.

use holotape::{CurveId, Hand, Joint, PoseComponent};

const POSE: usize = PoseComponent::ALL.len();
const HANDS: usize = Hand::ALL.len();
const JOINTS: usize = Joint::ALL.len();

/// Some of the curves of a recording. Every scan asks it about each curve of each take, some times over: with a hash set, that
/// was a third of its work.
#[derive(Debug, Default)]
pub(super) struct CurveSet([u64; 7]);

impl CurveSet {
    pub(super) fn insert(&mut self, id: CurveId) {
        let bit = bit_index(id);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(super) fn contains(&self, id: CurveId) -> bool {
        let bit = bit_index(id);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// The place of a curve among all, as [`CurveId::all`] has them.
fn bit_index(id: CurveId) -> usize {
    match id {
        CurveId::Camera(part) => part as usize,
        CurveId::Tracked(hand) => POSE + hand as usize,
        CurveId::Pinching(hand) => POSE + HANDS + hand as usize,
        CurveId::Joint(hand, joint, part) => {
            POSE + 2 * HANDS + (hand as usize * JOINTS + joint as usize) * POSE + part as usize
        }
        CurveId::Gaze(part) => POSE + 2 * HANDS + HANDS * JOINTS * POSE + part as usize,
    }
}

#[cfg(test)]
mod tests {
    use holotape::format::Channels;

    use super::*;

    #[test]
    fn every_curve_has_a_place_of_its_own() {
        let all = || CurveId::all(Channels::ALL);
        assert!(all().map(bit_index).eq(0..all().count()));
        let mut set = CurveSet::default();
        assert!(!all().any(|id| set.contains(id)));
        for (count, id) in all().enumerate() {
            set.insert(id);
            assert!(all().map(|id| set.contains(id)).eq((0..395).map(|n| n <= count)), "{id}");
        }
    }
}
