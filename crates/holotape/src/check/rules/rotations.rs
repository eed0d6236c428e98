//! Rotations and directions: lost, zero, of the wrong length, of changing sign.

use super::Scene;
use crate::Curve;
use crate::check::Fault;
use crate::check::bundle::{Bundle, Meaning, Row, bundles, has_lost_w, rows};
use crate::check::spans::Spans;
use crate::check::tally::{Seen, Tally};
use crate::check::vector::{is_flip, is_zero, off_unit};

pub(super) fn check(scene: Scene<'_>, tally: &mut Tally) {
    for bundle in bundles(scene.recording) {
        match bundle.meaning {
            Meaning::Rotation => check_rotation(scene, &bundle, tally),
            Meaning::Direction => check_direction(scene, &bundle, tally),
            Meaning::Position | Meaning::Origin => {}
        }
    }
}

fn check_rotation(scene: Scene<'_>, bundle: &Bundle<&[Curve]>, tally: &mut Tally) {
    if has_lost_w(bundle.curves) {
        tally.add(Fault::RotationWLost, &bundle.ids(), lost_w(bundle.curves));
        return;
    }
    let Some(rows) = rows::<4>(bundle.curves) else { return };
    tally.add(Fault::ZeroRotations, &bundle.ids(), zeros(&rows));
    tally.add(Fault::NonUnitRotations, &bundle.ids(), non_units(&rows, scene.options.unit_tolerance));
    tally.add(Fault::SignFlips, &bundle.ids(), flips(&rows, scene.recorded.of(bundle.owner)));
}

fn check_direction(scene: Scene<'_>, bundle: &Bundle<&[Curve]>, tally: &mut Tally) {
    let Some(rows) = rows::<3>(bundle.curves) else { return };
    tally.add(Fault::ZeroDirections, &bundle.ids(), zeros(&rows));
    tally.add(Fault::NonUnitDirections, &bundle.ids(), non_units(&rows, scene.options.unit_tolerance));
}

/// The keys that x has and w has not.
fn lost_w(rotation: &[Curve]) -> Seen {
    let [x, .., w] = rotation else { return Seen::default() };
    let mut seen = Seen::default();
    x.keys.iter().skip(w.keys.len()).for_each(|key| seen.add(key.time.into(), 0.0));
    seen
}

fn zeros<const N: usize>(rows: &[Row<N>]) -> Seen {
    let mut seen = Seen::default();
    rows.iter().filter(|row| is_zero(row.values)).for_each(|row| seen.add(row.time, 0.0));
    seen
}

fn non_units<const N: usize>(rows: &[Row<N>], tolerance: f64) -> Seen {
    let mut seen = Seen::default();
    for row in rows {
        if let Some(off) = off_unit(row.values, tolerance) {
            seen.add(row.time, off);
        }
    }
    seen
}

fn flips(rows: &[Row<4>], spans: &Spans) -> Seen {
    let mut seen = Seen::default();
    for pair in rows.windows(2).filter(|pair| is_flip(pair[0].values, pair[1].values)) {
        if spans.join(pair[0].time, pair[1].time) {
            seen.add(pair[1].time, 0.0);
        }
    }
    seen
}
