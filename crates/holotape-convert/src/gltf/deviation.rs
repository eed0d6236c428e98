//! How far the motion that glTF viewers show between keys deviates from the recording.

use holotape::{Pose, Ray};

use super::sampled::{NonLinearCurves, Sampled, Unusable};
use crate::timing::{NOTICEABLE_DEG, NOTICEABLE_M};
use crate::{Loss, LossKind, Losses};

/// Fractions of a segment at which deviations are measured. Slerp and nlerp differ most near a quarter and three
/// quarters, and agree in the middle.
pub(super) const SAMPLE_FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];

/// Smaller rotation errors are not reported. Almost every recording has errors of about 0.001°; 0.05° moves a point at
/// 1 m distance by less than 1 mm.
const MIN_REPORTED_DEG: f64 = 0.05;

/// The largest deviations found so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviation {
    distance_m: f64,
    angle_deg: f64,
}

impl Deviation {
    pub(super) fn include(&mut self, distance_m: f64, angle_deg: f64) {
        // max() ignores NaN.
        *self = Self { distance_m: self.distance_m.max(distance_m), angle_deg: self.angle_deg.max(angle_deg) };
    }

    pub(super) fn include_poses(&mut self, one: &Pose, other: &Pose) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }

    pub(super) fn include_rays(&mut self, one: &Ray, other: &Ray) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }

    fn describe(&self, min_deg: f64) -> Option<String> {
        let distance = (self.distance_m > NOTICEABLE_M).then(|| format!("{:.3} mm", self.distance_m * 1e3));
        let angle = (self.angle_deg > min_deg).then(|| format!("{:.3}°", self.angle_deg));
        let message: Vec<_> = [distance, angle].into_iter().flatten().collect();
        (!message.is_empty()).then(|| message.join(" and "))
    }
}

/// All deviations between a recording and its scene.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviations {
    /// Of curves with tangents or repeating wrap modes.
    curved: Deviation,
    /// Of piecewise linear curves.
    linear: Deviation,
    /// Of joints that are interpolated relative to their parents.
    pub(super) hierarchy: Deviation,
    unusable: Unusable,
}

impl Deviations {
    /// Returns the deviation that the curves contribute to.
    pub(super) fn for_curves<const N: usize>(&mut self, sampled: &Sampled<'_, N>) -> &mut Deviation {
        match &sampled.non_linear {
            Some(non_linear) if non_linear.is_curved => &mut self.curved,
            _ => &mut self.linear,
        }
    }

    pub(super) fn count<const N: usize>(&mut self, sampled: &Sampled<'_, N>) {
        let Some(NonLinearCurves { unusable, .. }) = &sampled.non_linear else { return };
        self.unusable.keys += unusable.keys;
        self.unusable.values += unusable.values;
    }

    pub(super) fn losses(&self) -> Losses {
        let mut losses = Losses::default();
        let deviation = |kind, deviation: &Deviation, min_deg, subject, reason| {
            Some(Loss::new(
                kind,
                format!("{subject} deviate by up to {} in viewers: {reason}", deviation.describe(min_deg)?),
            ))
        };
        let curved = "they show samples of the curves; the original keys are kept in the extras";
        losses.extend(deviation(
            LossKind::Tangents,
            &self.curved,
            NOTICEABLE_DEG,
            "curves with tangents or repeats",
            curved,
        ));
        let linear = "glTF interpolates rotations at constant speed";
        losses.extend(deviation(LossKind::Resampled, &self.linear, MIN_REPORTED_DEG, "rotations between keys", linear));
        let hierarchy = "they are interpolated relative to their parents";
        let deviation =
            deviation(LossKind::Resampled, &self.hierarchy, NOTICEABLE_DEG, "joints between keys", hierarchy);
        losses.extend(deviation);
        let unusable = |count: usize, what: &str| {
            let message = format!("hid {count} keys {what}: kept in the extras only");
            (count > 0).then(|| Loss::new(LossKind::Unusable, message))
        };
        losses.extend(unusable(self.unusable.keys, "before time 0 or at non-finite times"));
        losses.extend(unusable(self.unusable.values, "with non-finite values"));
        losses
    }
}
