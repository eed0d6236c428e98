//! The contents of a frame as a bit mask of 64 bits.

use crate::{Hand, Joint};

/// The camera, then the joints of the left hand, then those of the right.
pub(super) const POSE_COUNT: usize = 1 + 2 * Joint::COUNT;

pub(super) const CAMERA: usize = 0;
pub(super) const GAZE: usize = POSE_COUNT;
pub(super) const TRACKED: usize = GAZE + 1;
pub(super) const PINCHING: usize = TRACKED + 2;
const BITS: usize = PINCHING + 2;

/// The bit of the first joint of a hand.
pub(super) fn first_joint(hand: Hand) -> usize {
    1 + hand as usize * Joint::COUNT
}

/// The hand of a pose, and the index of its joint; `None` for the camera.
pub(super) fn hand_joint(number: usize) -> Option<(Hand, usize)> {
    let joint = number.checked_sub(1)?;
    let hand = if joint < Joint::COUNT { Hand::Left } else { Hand::Right };
    Some((hand, joint % Joint::COUNT))
}

/// Which poses and rays a frame has, and its four flags: one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameMask(u64);

impl FrameMask {
    pub(super) fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// `None` if undefined bits are set.
    pub(super) fn from_bytes(bytes: [u8; 8]) -> Option<Self> {
        let bits = u64::from_le_bytes(bytes);
        (bits >> BITS == 0).then_some(Self(bits))
    }

    pub(super) fn with(self, bit: usize, is_set: bool) -> Self {
        Self(self.0 | u64::from(is_set) << bit)
    }

    fn has(self, bit: usize) -> bool {
        self.0 >> bit & 1 == 1
    }

    pub(super) fn has_gaze(self) -> bool {
        self.has(GAZE)
    }

    /// Whether the mask has any joint of a hand.
    pub(super) fn has_joints(self, hand: Hand) -> bool {
        self.0 >> first_joint(hand) & ((1 << Joint::COUNT) - 1) != 0
    }

    pub(super) fn is_tracked(self, hand: Hand) -> bool {
        self.has(TRACKED + hand as usize)
    }

    pub(super) fn is_pinching(self, hand: Hand) -> bool {
        self.has(PINCHING + hand as usize)
    }

    /// The bits of the poses that are set.
    pub(super) fn poses(self) -> impl Iterator<Item = usize> {
        let mut rest = self.pose_bits();
        std::iter::from_fn(move || {
            let next = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(next)
        })
    }

    fn pose_bits(self) -> u64 {
        self.0 & ((1 << POSE_COUNT) - 1)
    }

    /// The number of values in the frame.
    pub(super) fn value_count(self) -> usize {
        7 * self.pose_bits().count_ones() as usize + if self.has_gaze() { 6 } else { 0 }
    }
}
