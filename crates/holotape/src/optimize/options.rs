//! How far a reduced recording may be from what it was.

/// How far a pose may be from what it was.
///
/// ```
/// use holotape::optimize::Tolerance;
///
/// let finer = Tolerance { rotation_deg: 0.1, ..Tolerance::JOINT };
/// assert_eq!(finer.position_m, 0.001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Metres, over x, y and z together.
    pub position_m: f64,
    /// Degrees, from 0 to 180, from one rotation to the other.
    pub rotation_deg: f64,
}

impl Tolerance {
    /// What MRTK allows a joint: 1 mm and 0.2°.
    pub const JOINT: Self = Self { position_m: 0.001, rotation_deg: 0.2 };
    /// What MRTK allows the camera: 2 mm and 0.2°.
    pub const CAMERA: Self = Self { position_m: 0.002, rotation_deg: 0.2 };
}

/// How far a ray may be from what it was.
///
/// ```
/// assert_eq!(holotape::optimize::GazeTolerance::DEFAULT.direction_deg, 0.2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeTolerance {
    /// Metres, over x, y and z together.
    pub origin_m: f64,
    /// Degrees, from 0 to 180, from one direction to the other.
    pub direction_deg: f64,
}

impl GazeTolerance {
    /// What MRTK allows the gaze: 2 mm and 0.2°.
    pub const DEFAULT: Self = Self { origin_m: 0.002, direction_deg: 0.2 };
}

/// What [`optimize`](super::optimize()) may change, and by how much. What is below 0, or no number, counts as 0.
///
/// ```
/// use holotape::optimize::{OptimizeOptions, Tolerance};
///
/// let coarse = OptimizeOptions::new().with_joint(Tolerance { position_m: 0.005, rotation_deg: 1.0 });
/// assert_ne!(coarse, OptimizeOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizeOptions {
    pub(super) joint: Tolerance,
    pub(super) camera: Tolerance,
    pub(super) gaze: GazeTolerance,
}

impl OptimizeOptions {
    /// The defaults are MRTK's: [`Tolerance::JOINT`], [`Tolerance::CAMERA`] and [`GazeTolerance::DEFAULT`].
    #[must_use]
    pub const fn new() -> Self {
        Self { joint: Tolerance::JOINT, camera: Tolerance::CAMERA, gaze: GazeTolerance::DEFAULT }
    }

    /// For the joints of both hands.
    #[must_use]
    pub const fn with_joint(self, joint: Tolerance) -> Self {
        Self { joint, ..self }
    }

    /// For the head.
    #[must_use]
    pub const fn with_camera(self, camera: Tolerance) -> Self {
        Self { camera, ..self }
    }

    /// For the eyes.
    #[must_use]
    pub const fn with_gaze(self, gaze: GazeTolerance) -> Self {
        Self { gaze, ..self }
    }
}

impl Default for OptimizeOptions {
    fn default() -> Self {
        Self::new()
    }
}
