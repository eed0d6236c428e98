//! Hand shapes: how far each finger is bent and spread.

use super::motion::lerp;

/// The angles of a hand's joints, in degrees.
///
/// Bending is positive towards the palm, spreading is positive away from the thumb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandShape {
    /// Root rotated away from the index finger, root lowered towards the palm, root rotated about its bone; then the
    /// bends of the two joints above.
    pub(super) thumb: [f64; 5],
    /// Index to little finger: spread and bend of the knuckle, then the bends of the two joints above.
    pub(super) fingers: [[f64; 4]; 4],
    /// How much the fingers move randomly, 0 to 1. Fingers that hold something do not.
    pub(super) looseness: f64,
}

impl HandShape {
    /// A hand at rest.
    pub(super) const RELAXED: Self = Self {
        thumb: [30.0, 24.0, 65.0, 12.0, 16.0],
        fingers: [[-2.0, 22.0, 32.0, 16.0], [0.0, 27.0, 36.0, 18.0], [1.0, 31.0, 38.0, 19.0], [3.0, 34.0, 36.0, 18.0]],
        looseness: 1.0,
    };

    /// Thumb and index finger apart, ready to pinch.
    pub(super) const READY: Self = Self {
        thumb: [29.0, 31.0, 80.0, 8.0, 12.0],
        fingers: [[-2.0, 26.0, 32.0, 14.0], [0.0, 33.0, 40.0, 20.0], [1.0, 37.0, 45.0, 22.0], [3.0, 40.0, 44.0, 22.0]],
        looseness: 0.6,
    };

    /// Thumb tip and index tip meet, 1.5 mm apart: solved for these bones.
    pub(super) const PINCHED: Self = Self {
        thumb: [19.8, 34.3, 90.0, 18.0, 36.0],
        fingers: [[0.0, 52.0, 62.0, 28.0], [0.0, 44.0, 50.0, 25.0], [2.0, 40.0, 46.0, 23.0], [4.0, 36.0, 40.0, 20.0]],
        looseness: 0.0,
    };

    /// Index finger extended, the others in the palm, the thumb on the middle finger.
    pub(super) const POINTING: Self = Self {
        thumb: [17.9, 21.0, 75.0, 24.0, 34.3],
        fingers: [[0.0, 2.0, 4.0, 2.0], [0.0, 75.0, 95.0, 50.0], [0.0, 78.0, 97.0, 50.0], [0.0, 80.0, 92.0, 48.0]],
        looseness: 0.4,
    };

    /// All fingers extended.
    pub(super) const OPEN: Self = Self {
        thumb: [44.0, 14.0, 58.0, 2.0, 2.0],
        fingers: [[-6.0, 4.0, 6.0, 3.0], [0.0, 3.0, 6.0, 3.0], [4.0, 4.0, 7.0, 3.0], [8.0, 6.0, 8.0, 4.0]],
        looseness: 0.6,
    };

    /// Interpolates to another shape, `fraction` 0 to 1.
    pub(super) fn interpolate(&self, other: &Self, fraction: f64) -> Self {
        Self {
            thumb: std::array::from_fn(|i| lerp(self.thumb[i], other.thumb[i], fraction)),
            fingers: std::array::from_fn(|f| {
                std::array::from_fn(|i| lerp(self.fingers[f][i], other.fingers[f][i], fraction))
            }),
            looseness: lerp(self.looseness, other.looseness, fraction),
        }
    }

    /// The shape with every digit, thumb first, bent by these angles times its looseness.
    pub(super) fn with_noise(mut self, bends: [f64; 5]) -> Self {
        let [thumb, fingers @ ..] = bends.map(|bend| bend * self.looseness);
        self.thumb[3] += thumb;
        for (finger, bend) in self.fingers.iter_mut().zip(fingers) {
            finger[1] += bend;
            finger[2] += bend;
        }
        self
    }
}
