//! Positions, rotations and directions that are asked for together, each evaluated the fast way where its curves allow,
//! and plainly where not.

use super::key_time_index::{SharedKeys, TimeCursor};
use super::reference::values_at;
use super::shared_tracks::SharedKeyTracks;
use crate::curve::CurveEvaluator;
use crate::pose::{to_f32, unit};
use crate::{Curve, Pose, VectorKind};

/// Where to find the values of some curves: a bundle, by its number, or evaluators of their own.
#[derive(Clone, Debug)]
pub(super) enum VectorTrack<const N: usize> {
    Bundle(usize),
    Plain(Box<[CurveEvaluator<'static>; N]>),
}

/// All positions, or rotations, or directions, of a hand or of the head.
#[derive(Clone, Debug)]
pub(super) struct VectorTracks<const N: usize> {
    bundles: SharedKeyTracks,
    first_on_clock: usize,
    time: f64,
}

impl<const N: usize> VectorTracks<N> {
    pub(super) fn new(kind: VectorKind) -> Self {
        Self { bundles: SharedKeyTracks::new(kind), first_on_clock: 0, time: 0.0 }
    }

    /// The track of these curves; nothing if one has no keys, because then there is no value at all.
    pub(super) fn add(&mut self, curves: &[Curve; N]) -> Option<VectorTrack<N>> {
        if curves.iter().any(|curve| curve.keys.is_empty()) {
            return None;
        }
        let plain = || VectorTrack::Plain(Box::new(curves.each_ref().map(|curve| curve.evaluator().into_owned())));
        Some(self.bundles.push(curves).map_or_else(plain, VectorTrack::Bundle))
    }

    /// Adds the bundles to those that a clock is to be made of.
    pub(super) fn register_keys(&mut self, bundles: &mut Vec<SharedKeys>) {
        self.first_on_clock = bundles.len();
        bundles.extend_from_slice(self.bundles.keys());
    }

    /// Evaluates all that is asked for next.
    pub(super) fn evaluate_at(&mut self, time: f64, place: &mut TimeCursor<'_>) {
        self.time = time;
        self.bundles.evaluate(time, place, self.first_on_clock);
    }

    #[inline]
    pub(super) fn values(&self, track: &VectorTrack<N>) -> [f32; N] {
        match track {
            VectorTrack::Bundle(bundle) => truncate(self.bundles.values(*bundle)),
            VectorTrack::Plain(curves) => self.reference_values(curves),
        }
    }

    #[cold]
    fn reference_values(&self, curves: &[CurveEvaluator<'static>; N]) -> [f32; N] {
        let Some(values) = values_at(curves, self.time) else { return [f32::NAN; N] };
        match self.bundles.kind {
            VectorKind::Position => to_f32(values),
            VectorKind::Direction => unit(values).unwrap_or([0.0; N]),
            VectorKind::Rotation => unit(values).unwrap_or_else(|| truncate(Pose::IDENTITY.rotation)),
        }
    }
}

#[inline]
fn truncate<const N: usize>(values: [f32; 4]) -> [f32; N] {
    std::array::from_fn(|n| values[n])
}
