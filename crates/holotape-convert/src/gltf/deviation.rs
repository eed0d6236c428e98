//! How far what glTF shows between keys is from what was recorded.

use holotape::{Pose, Ray};

use super::sampled::{Sampled, Unusable};
use crate::timing::{NOTICEABLE_DEG, NOTICEABLE_M};
use crate::{Loss, LossKind, Losses};

/// Where between two keys to look: near where turning evenly and turning along a straight line differ most, and in the
/// middle, where they do not.
pub(super) const SAMPLE_FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];

/// How far a rotation may be turned beside what was recorded before that is worth a word. Nearly every recording has some
/// turn that is off by a thousandth of a degree, but below this nothing moves by a millimetre at a metre's distance, and no
/// viewer shows it.
const MIN_REPORTED_DEG: f64 = 0.05;

/// The widest distances.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviation {
    distance_m: f64,
    angle_deg: f64,
}

impl Deviation {
    pub(super) fn include(&mut self, distance_m: f64, angle_deg: f64) {
        // max() passes over NaN, of curves that have some.
        *self = Self { distance_m: self.distance_m.max(distance_m), angle_deg: self.angle_deg.max(angle_deg) };
    }

    pub(super) fn widen_by_poses(&mut self, one: &Pose, other: &Pose) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }

    pub(super) fn widen_by_rays(&mut self, one: &Ray, other: &Ray) {
        self.include(one.distance_m(other), one.angle_deg(other));
    }

    fn describe(&self, least_deg: f64) -> Option<String> {
        let distance = (self.distance_m > NOTICEABLE_M).then(|| format!("{:.3} mm", self.distance_m * 1e3));
        let angle = (self.angle_deg > least_deg).then(|| format!("{:.3}°", self.angle_deg));
        let message: Vec<_> = [distance, angle].into_iter().flatten().collect();
        (!message.is_empty()).then(|| message.join(" and "))
    }
}

/// Everything that glTF shows otherwise than it was recorded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviations {
    /// Where there is more to curves than straight lines.
    bent: Deviation,
    /// Where there is not.
    straight: Deviation,
    /// Where joints follow their parents.
    pub(super) hierarchy: Deviation,
    unusable: Unusable,
}

impl Deviations {
    /// Where the distances of some curves go.
    pub(super) fn of<const N: usize>(&mut self, sampled: &Sampled<'_, N>) -> &mut Deviation {
        match &sampled.odd {
            Some(odd) if odd.bends => &mut self.bent,
            _ => &mut self.straight,
        }
    }

    pub(super) fn count<const N: usize>(&mut self, sampled: &Sampled<'_, N>) {
        let Some(odd) = &sampled.odd else { return };
        self.unusable.keys += odd.unusable.keys;
        self.unusable.values += odd.unusable.values;
    }

    pub(super) fn losses(&self) -> Losses {
        let mut losses = Losses::default();
        let gap = |kind, gap: &Deviation, least_deg, what, why| {
            Some(Loss::new(kind, format!("{what}: up to {} {why}", gap.describe(least_deg)?)))
        };
        let bent = "beside the samples of them that viewers see; the keys themselves are in the extras";
        losses.extend(gap(LossKind::Tangents, &self.bent, NOTICEABLE_DEG, "curves that bend or repeat", bent));
        let straight = "beside what viewers see, because glTF turns evenly from key to key";
        losses.extend(gap(LossKind::Resampled, &self.straight, MIN_REPORTED_DEG, "rotations between keys", straight));
        let hierarchy = "off between keys, because they follow their parents there";
        losses.extend(gap(LossKind::Resampled, &self.hierarchy, NOTICEABLE_DEG, "joints in a hierarchy", hierarchy));
        let unusable = |count: usize, what: &str| {
            let message = format!("{what} ({count}): not shown, but kept in the extras");
            (count > 0).then(|| Loss::new(LossKind::Unusable, message))
        };
        losses.extend(unusable(self.unusable.keys, "keys before time 0 or at none, where glTF has nothing"));
        losses.extend(unusable(self.unusable.values, "keys whose values are no numbers"));
        losses
    }
}
