//! Rotations and directions of length 1, and rotations by the nearer of their two quaternions.

use super::keys::scale;
use crate::check::Fault;
use crate::check::bundle::{Bundle, Meaning, for_each_bundle_mut, rows};
use crate::check::spans::Recorded;
use crate::check::tally::{Seen, Tally};
use crate::check::vector::{is_flip, length, off_unit};
use crate::{Curve, Recording};

/// Brings rotations and directions to length 1 where they are further from it than the tolerance.
pub(super) fn normalise(recording: &mut Recording, tolerance: f64, done: &mut Tally) {
    for_each_bundle_mut(recording, |mut bundle| match bundle.meaning {
        Meaning::Rotation => normalise_bundle::<4>(&mut bundle, Fault::NonUnitRotations, tolerance, done),
        Meaning::Direction => normalise_bundle::<3>(&mut bundle, Fault::NonUnitDirections, tolerance, done),
        Meaning::Position | Meaning::Origin => {}
    });
}

fn normalise_bundle<const N: usize>(bundle: &mut Bundle<&mut [Curve]>, fault: Fault, tolerance: f64, done: &mut Tally) {
    let Some(rows) = rows::<N>(bundle.curves) else { return };
    let mut seen = Seen::default();
    for (key, row) in rows.iter().enumerate() {
        let Some(off) = off_unit(row.values, tolerance) else { continue };
        bundle.curves.iter_mut().for_each(|curve| scale(curve, key, 1.0 / length(row.values)));
        seen.add(row.time, off);
    }
    done.add(fault, &bundle.ids(), seen);
}

/// Negates rotations whose quaternion is on the far side of the one before. Where the hand was lost in between, either
/// side will do.
pub(super) fn restore_signs(recording: &mut Recording, done: &mut Tally) {
    let recorded = Recorded::new(recording);
    for_each_bundle_mut(recording, |bundle| {
        let Some(rows) = rows::<4>(bundle.curves) else { return };
        let spans = recorded.of(bundle.owner);
        let mut seen = Seen::default();
        let mut negated = false;
        for (key, pair) in rows.windows(2).enumerate() {
            let flips = is_flip(pair[0].values, pair[1].values);
            // A flip of what was negated is none, and the other way round.
            negated = spans.join(pair[0].time, pair[1].time) && negated != flips;
            if negated {
                bundle.curves.iter_mut().for_each(|curve| scale(curve, key + 1, -1.0));
                seen.add(pair[1].time, 0.0);
            }
        }
        done.add(Fault::SignFlips, &bundle.ids(), seen);
    });
}
