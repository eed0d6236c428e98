//! The reference implementation: evaluates each curve of a pose or ray separately. It supports all curves, and the tests
//! compare vectors with shared keys against it.

use crate::curve::CurveEvaluator;
use crate::pose::{to_f32, unit_quaternion, unit_vector};
use crate::{Curve, Pose, PoseCurves, Ray, RayCurves};

#[derive(Clone, Debug)]
pub(crate) struct PoseSampler<'a> {
    position: [CurveEvaluator<'a>; 3],
    rotation: [CurveEvaluator<'a>; 4],
}

impl<'a> PoseSampler<'a> {
    pub(crate) fn new(curves: &'a PoseCurves) -> Self {
        Self {
            position: curves.position.each_ref().map(Curve::evaluator),
            rotation: curves.rotation.each_ref().map(Curve::evaluator),
        }
    }

    pub(crate) fn at(&self, time_secs: f64) -> Option<Pose> {
        Some(Pose {
            position: to_f32(values_at(&self.position, time_secs)?),
            rotation: unit_quaternion(values_at(&self.rotation, time_secs)?),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RaySampler<'a> {
    origin: [CurveEvaluator<'a>; 3],
    direction: [CurveEvaluator<'a>; 3],
}

impl<'a> RaySampler<'a> {
    pub(crate) fn new(curves: &'a RayCurves) -> Self {
        Self {
            origin: curves.origin.each_ref().map(Curve::evaluator),
            direction: curves.direction.each_ref().map(Curve::evaluator),
        }
    }

    pub(crate) fn at(&self, time_secs: f64) -> Option<Ray> {
        Some(Ray {
            origin: to_f32(values_at(&self.origin, time_secs)?),
            direction: unit_vector(values_at(&self.direction, time_secs)?),
        })
    }
}

pub(super) fn values_at<const N: usize>(curves: &[CurveEvaluator<'_>; N], time_secs: f64) -> Option<[f64; N]> {
    let mut values = [0.0; N];
    for (value, curve) in values.iter_mut().zip(curves) {
        *value = curve.value_at(time_secs)?;
    }
    Some(values)
}
