//! How far two poses may differ.

/// The distance and the angle by which two poses may differ.
///
/// [`optimize`](crate::optimize::optimize) keeps every pose within it, [`Diff::is_within`](crate::diff::Diff::is_within)
/// compares recordings with it.
///
/// ```
/// use holotape::Tolerance;
///
/// let finer = Tolerance { rotation_deg: 0.1, ..Tolerance::JOINT };
/// assert_eq!(finer.position_m, 0.001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The distance between two positions, in metres.
    pub position_m: f64,
    /// The angle between two rotations or directions, in degrees from 0 to 180.
    pub rotation_deg: f64,
}

impl Tolerance {
    /// MRTK's tolerance for a joint: 1 mm and 0.2°.
    pub const JOINT: Self = Self { position_m: 0.001, rotation_deg: 0.2 };
    /// MRTK's tolerance for the camera: 2 mm and 0.2°.
    pub const CAMERA: Self = Self { position_m: 0.002, rotation_deg: 0.2 };
    /// MRTK's tolerance for the origin and the direction of the gaze: 2 mm and 0.2°.
    pub const GAZE: Self = Self { position_m: 0.002, rotation_deg: 0.2 };
}
