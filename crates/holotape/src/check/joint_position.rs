//! The recorded positions of a joint.

use glam::DVec3;

use super::rules::has_increasing_times;
use crate::curve::CurveEvaluator;
use crate::{Curve, CurveRef, PoseCurves};

/// The position of a joint, at times between its first and its last key.
#[derive(Clone, Debug)]
pub(super) struct JointPosition<'a> {
    curves: [CurveEvaluator<'a>; 3],
    start: f64,
    end: f64,
}

impl<'a> JointPosition<'a> {
    /// `None` if a component has no keys or unsorted ones.
    pub(super) fn new(pose: &'a PoseCurves) -> Option<Self> {
        if !pose.position.iter().all(|curve| has_increasing_times(CurveRef::Float(curve))) {
            return None;
        }
        let (mut start, mut end) = (f64::NEG_INFINITY, f64::INFINITY);
        for curve in &pose.position {
            start = start.max(CurveRef::Float(curve).start_secs()?.into());
            end = end.min(curve.end_secs()?.into());
        }
        Some(Self { curves: pose.position.each_ref().map(Curve::evaluator), start, end })
    }

    /// `None` outside the keys: values that the curves hold there are not recorded positions.
    pub(super) fn at(&self, time_secs: f64) -> Option<DVec3> {
        if !(self.start..=self.end).contains(&time_secs) {
            return None;
        }
        let [x, y, z] = self.curves.each_ref().map(|curve| curve.value_at(time_secs));
        Some(DVec3::new(x?, y?, z?)).filter(|point| point.is_finite())
    }
}
