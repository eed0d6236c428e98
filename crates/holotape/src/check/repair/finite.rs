//! Keys that are no numbers go, and with them the same key of the other components.

use super::keys::{groups_by_times, retain, retain_marked};
use crate::check::Fault;
use crate::check::bundle::for_each_bundle_mut;
use crate::check::rules::has_sound_shape;
use crate::check::tally::{Seen, Tally};
use crate::{BezierKey, Curve, CurveId, Keys, LinearKey, Recording};

/// Drops keys whose time or value is not a finite number, and makes straight those with such tangents or weights.
pub(super) fn drop_non_finite(recording: &mut Recording, done: &mut Tally) {
    for_each_bundle_mut(recording, |bundle| {
        for component in 0..bundle.curves.len() {
            let straightened = straighten(&mut bundle.curves[component]);
            done.add(Fault::NonFiniteValues, &[bundle.id(component)], straightened);
        }
        for group in groups_by_times(bundle.curves) {
            let ids: Vec<_> = group.iter().map(|component| bundle.id(*component)).collect();
            let mut finite = Finite::new(bundle.curves[group[0]].keys.iter());
            group.iter().for_each(|component| finite.look_at_values(bundle.curves[*component].keys.iter()));
            finite.tell(done, &ids);
            if finite.drops_any() {
                group.iter().for_each(|component| retain(&mut bundle.curves[*component], &finite.marks));
            }
        }
    });
    super::flags::for_each_mut(recording, |id, flag| {
        let mut finite = Finite::new(flag.keys.iter().copied());
        finite.look_at_values(flag.keys.iter().copied());
        finite.tell(done, &[id]);
        retain_marked(&mut flag.keys, &finite.marks);
    });
}

/// Which keys of some curves are finite in all of them.
struct Finite {
    marks: Vec<bool>,
    without_time: Seen,
    without_value: Seen,
}

impl Finite {
    fn new(keys: impl Iterator<Item = LinearKey>) -> Self {
        let marks: Vec<_> = keys.map(|key| key.time.is_finite()).collect();
        let without_time = Seen::times(marks.iter().filter(|mark| !**mark).count());
        Self { marks, without_time, without_value: Seen::default() }
    }

    fn look_at_values(&mut self, keys: impl Iterator<Item = LinearKey>) {
        for (mark, key) in self.marks.iter_mut().zip(keys) {
            if *mark && !key.value.is_finite() {
                *mark = false;
                self.without_value.add(key.time.into(), 0.0);
            }
        }
    }

    fn drops_any(&self) -> bool {
        self.without_time.count + self.without_value.count > 0
    }

    fn tell(&self, done: &mut Tally, ids: &[CurveId]) {
        done.add(Fault::NonFiniteTimes, ids, self.without_time);
        done.add(Fault::NonFiniteValues, ids, self.without_value);
    }
}

fn straighten(curve: &mut Curve) -> Seen {
    let mut seen = Seen::default();
    if let Keys::Bezier(keys) = &mut curve.keys {
        for key in keys.iter_mut().filter(|key| !has_sound_shape(key)) {
            seen.add(key.time.into(), 0.0);
            *key = BezierKey::from(LinearKey::new(key.time, key.value));
        }
    }
    seen
}
