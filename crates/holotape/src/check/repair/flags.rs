//! Normalizes flag values to 0 and 1.

use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::{BoolCurve, CurveId, Hand, HandsCurves, Recording};

/// Calls a function with each flag of both hands.
pub(super) fn for_each_mut(recording: &mut Recording, mut each: impl FnMut(CurveId, &mut BoolCurve)) {
    let Some(hands) = &mut recording.hands else { return };
    let HandsCurves { left, right } = &mut **hands;
    for (hand, curves) in [(Hand::Left, left), (Hand::Right, right)] {
        each(CurveId::Tracked(hand), &mut curves.tracked);
        each(CurveId::Pinching(hand), &mut curves.pinching);
    }
}

/// Sets values above 0.5 to 1, and all others to 0.
pub(super) fn normalize_flags(recording: &mut Recording, repaired: &mut FindingAggregator) {
    for_each_mut(recording, |id, flag| {
        let mut occurrences = Occurrences::default();
        for key in flag.keys.iter_mut().filter(|key| key.value != 0.0 && key.value != 1.0) {
            key.value = if key.value > 0.5 { 1.0 } else { 0.0 };
            occurrences.add(key.time.into(), 0.0);
        }
        repaired.add(FindingKind::InvalidFlagValues, &[id], occurrences);
    });
}
