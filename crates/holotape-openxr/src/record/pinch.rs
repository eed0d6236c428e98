//! Whether a hand pinches.

use crate::ffi::HandJoints;

const THUMB_TIP: usize = 5;
const INDEX_TIP: usize = 10;

/// A pinch begins when the tips are nearer than this, in metres.
const BEGIN_M: f64 = 0.015;
/// It ends when they are farther apart than this.
const END_M: f64 = 0.030;

/// A pinch begins at this value of an action.
const BEGIN_VALUE: f32 = 0.6;
/// It ends below this value.
const END_VALUE: f32 = 0.4;

/// The pinch of a hand. Beginning and end have different limits, so that noise does not split a pinch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pinch {
    is_pinching: bool,
}

impl Pinch {
    /// The state from the value of an action, 0 to 1, or else from the distance of thumb and index finger.
    pub(super) fn update(&mut self, action: Option<f32>, joints: Option<&HandJoints>) -> bool {
        let distance_m = || {
            let joints = joints?;
            Some(joints[THUMB_TIP]?.position.distance(joints[INDEX_TIP]?.position))
        };
        self.is_pinching = match (action, distance_m()) {
            (Some(value), _) if self.is_pinching => value >= END_VALUE,
            (Some(value), _) => value >= BEGIN_VALUE,
            (None, Some(distance)) if self.is_pinching => distance <= END_M,
            (None, Some(distance)) => distance < BEGIN_M,
            (None, None) => false,
        };
        self.is_pinching
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid::Rigid;

    fn apart(distance_m: f64) -> HandJoints {
        let mut joints = [None; 26];
        joints[THUMB_TIP] = Some(Rigid::IDENTITY);
        joints[INDEX_TIP] = Some(Rigid { position: [distance_m, 0.0, 0.0].into(), ..Rigid::IDENTITY });
        joints
    }

    #[test]
    fn distance_has_hysteresis() {
        let mut pinch = Pinch::default();
        let states = [0.05, 0.02, 0.014, 0.02, 0.029, 0.031, 0.02].map(|m| pinch.update(None, Some(&apart(m))));
        assert_eq!(states, [false, false, true, true, true, false, false]);
    }

    #[test]
    fn action_decides_before_distance() {
        let mut pinch = Pinch::default();
        assert!(!pinch.update(Some(0.0), Some(&apart(0.001))));
        assert!(pinch.update(Some(1.0), Some(&apart(0.1))));
        assert!(pinch.update(Some(0.5), None), "above the lower limit");
        assert!(!pinch.update(None, None), "the hand is lost");
    }
}
