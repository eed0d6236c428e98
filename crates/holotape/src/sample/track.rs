//! Vectors of one kind, each evaluated with shared keys where possible and by the reference implementation otherwise.

use std::sync::Arc;

use super::key_time_index::{SharedKeys, TimeCursor};
use super::reference::values_at;
use super::shared_tracks::SharedKeyTracks;
use crate::curve::CurveEvaluator;
use crate::pose::{to_f32, unit};
use crate::{Curve, Pose, VectorKind};

/// How to evaluate a vector: by its index among those with shared keys, or with one evaluator per component, which clones share.
#[derive(Clone, Debug)]
pub(super) enum VectorTrack<const N: usize> {
    Shared(usize),
    Reference(Arc<[CurveEvaluator<'static>; N]>),
}

/// All positions, rotations or directions of a hand or of the head.
#[derive(Clone, Debug)]
pub(super) struct VectorTracks<const N: usize> {
    shared: SharedKeyTracks,
    /// The number of the first vector in the key time index.
    first_in_index: usize,
    time: f64,
}

impl<const N: usize> VectorTracks<N> {
    pub(super) fn new(kind: VectorKind) -> Self {
        Self { shared: SharedKeyTracks::new(kind), first_in_index: 0, time: 0.0 }
    }

    /// Adds a vector; `None` if a component has no keys and so the vector has no value.
    pub(super) fn add(&mut self, curves: &[Curve; N]) -> Option<VectorTrack<N>> {
        if curves.iter().any(|curve| curve.keys.is_empty()) {
            return None;
        }
        let reference =
            || VectorTrack::Reference(Arc::new(curves.each_ref().map(|curve| curve.evaluator().into_owned())));
        Some(self.shared.push(curves).map_or_else(reference, VectorTrack::Shared))
    }

    /// Adds the keys of all vectors with shared keys to those of the key time index.
    pub(super) fn register_keys(&mut self, keys: &mut Vec<SharedKeys>) {
        self.first_in_index = keys.len();
        keys.extend_from_slice(self.shared.keys());
    }

    /// Evaluates all vectors; [`values`](Self::values) then returns the results.
    pub(super) fn evaluate_at(&mut self, time: f64, cursor: &mut TimeCursor<'_>) {
        self.time = time;
        self.shared.evaluate(time, cursor, self.first_in_index);
    }

    #[inline]
    pub(super) fn values(&self, track: &VectorTrack<N>) -> [f32; N] {
        match track {
            VectorTrack::Shared(vector) => truncate(self.shared.values(*vector)),
            VectorTrack::Reference(curves) => self.reference_values(curves),
        }
    }

    #[cold]
    fn reference_values(&self, curves: &[CurveEvaluator<'static>; N]) -> [f32; N] {
        let Some(values) = values_at(curves, self.time) else { return [f32::NAN; N] };
        match self.shared.kind {
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
