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
        self.near(time_secs, &mut [0; 3])
    }

    /// The same, faster for times that increase: `near` has the indexes of keys, which become those of the last keys up to the time.
    pub(super) fn near(&self, time_secs: f64, [x, y, z]: &mut [usize; 3]) -> Option<DVec3> {
        if !(self.start..=self.end).contains(&time_secs) {
            return None;
        }
        let value = |component: usize, near: &mut usize| self.curves[component].value_near(time_secs, near);
        Some(DVec3::new(value(0, x)?, value(1, y)?, value(2, z)?)).filter(|point| point.is_finite())
    }
}
