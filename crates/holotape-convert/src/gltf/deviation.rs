//! How far the motion that glTF viewers show between keys deviates from the recording.

use super::sampled::Sampled;
use crate::deviation::{Deviation, NOTICEABLE_DEG, NOTICEABLE_M};
use crate::{Loss, LossKind, Losses};
use holotape::text::pluralize;

/// Fractions of a segment at which deviations are measured. Slerp and nlerp differ most near a quarter and three
/// quarters, and agree in the middle.
pub(super) const SAMPLE_FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];

/// Smaller rotation errors are not reported. Almost every recording has errors of about 0.001°; 0.05° moves a point at
/// 1 m distance by less than 1 mm.
const MIN_REPORTED_DEG: f64 = 0.05;

/// All deviations between a recording and its scene.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviations {
    /// Of curves with tangents or repeating wrap modes.
    curved: Deviation,
    /// Of piecewise linear curves.
    linear: Deviation,
    /// Of joints that are interpolated relative to their parents.
    pub(super) hierarchy: Deviation,
    unusable_keys: usize,
    unusable_values: usize,
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
        if let Some(non_linear) = &sampled.non_linear {
            self.unusable_keys += non_linear.unusable_keys;
            self.unusable_values += non_linear.unusable_values;
        }
    }

    pub(super) fn losses(&self) -> Losses {
        let deviations = [
            (
                LossKind::Tangents,
                describe(&self.curved, NOTICEABLE_DEG),
                "curves with tangents or repeats",
                "they show samples of the curves, and the extras keep the original keys",
            ),
            (
                LossKind::Resampled,
                describe(&self.linear, MIN_REPORTED_DEG),
                "rotations between keys",
                "glTF interpolates rotations at constant speed",
            ),
            (
                LossKind::Resampled,
                describe(&self.hierarchy, NOTICEABLE_DEG),
                "joints between keys",
                "they are interpolated relative to their parents",
            ),
        ];
        let mut losses = Losses::default();
        for (kind, deviation, subject, reason) in deviations {
            let message = |by| format!("resampled {subject}: up to {by} away in viewers; {reason}");
            losses.extend(deviation.map(|by| Loss::new(kind, message(by))));
        }
        let (keys, values) = (self.unusable_keys, self.unusable_values);
        for (count, what) in [(keys, "before time 0 or at non-finite times"), (values, "with non-finite values")] {
            let message =
                || format!("dropped {} {what} from the animation: kept in the extras only", pluralize(count, "key"));
            losses.push_if(count > 0, LossKind::Unusable, message);
        }
        losses
    }
}

/// The distance and the angle, if they are large enough to be reported.
fn describe(deviation: &Deviation, min_deg: f64) -> Option<String> {
    let Deviation { distance_m, angle_deg } = deviation;
    let distance = (*distance_m > NOTICEABLE_M).then(|| format!("{:.3} mm", distance_m * 1e3));
    let angle = (*angle_deg > min_deg).then(|| format!("{angle_deg:.3}°"));
    let message: Vec<_> = [distance, angle].into_iter().flatten().collect();
    (!message.is_empty()).then(|| message.join(" and "))
}
