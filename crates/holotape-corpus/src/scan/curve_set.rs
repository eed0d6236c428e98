//! Sets of curves.

use holotape::{CurveId, Hand, Joint, PoseComponent};

const POSE: usize = PoseComponent::ALL.len();
const HANDS: usize = Hand::ALL.len();
const JOINTS: usize = Joint::ALL.len();

/// A set of curves as a bitmap. A scan tests each curve of each recording several times; a hash set took a third of its time.
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

/// The index of a curve in [`CurveId::all`].
fn bit_index(id: CurveId) -> usize {
    match id {
        CurveId::Camera(component) => component as usize,
        CurveId::Tracked(hand) => POSE + hand as usize,
        CurveId::Pinching(hand) => POSE + HANDS + hand as usize,
        CurveId::Joint(hand, joint, component) => {
            POSE + 2 * HANDS + (hand as usize * JOINTS + joint as usize) * POSE + component as usize
        }
        CurveId::Gaze(component) => POSE + 2 * HANDS + HANDS * JOINTS * POSE + component as usize,
    }
}

#[cfg(test)]
mod tests {
    use holotape::format::Channels;

    use super::*;

    #[test]
    fn every_curve_has_its_own_bit() {
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
