//! Detects pinches.

use super::hand::{Joints, pinch_gap};

/// Tips nearer than this start a pinch, in metres; tips further apart than `PINCH_END_M` end it.
const PINCH_START_M: f64 = 0.003;
const PINCH_END_M: f64 = 0.0045;

/// Whether a hand pinches, given whether it did in the frame before.
pub(super) fn is_pinching(joints: &Joints, was_pinching: bool) -> bool {
    pinch_gap(joints) < if was_pinching { PINCH_END_M } else { PINCH_START_M }
}
