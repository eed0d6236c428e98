//! Pose arithmetic in 64 bits, and poses from matrices, view directions and quaternions of about unit length.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};
use holotape::Pose;

/// Tolerances for the axis lengths of a matrix and for the cosines between its axes. Matrices in text files are
/// rounded, and some were interpolated.
const LENGTH_TOLERANCE: f64 = 0.05;
const COSINE_TOLERANCE: f64 = 0.02;

/// Lengths in this range are normalized; others are rejected.
const UNIT_LENGTHS: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// Values this close to length 1 stay unchanged.
const UNIT_TOLERANCE: f64 = 1e-5;

/// A pose in 64 bits, so that composing poses does not lose precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidPose {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

impl RigidPose {
    pub(crate) const ORIGIN: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// `None` if a value is not finite or the rotation's length is far from 1.
    pub(crate) fn new(position: [f64; 3], rotation: [f64; 4]) -> Option<Self> {
        let (position, rotation) = (DVec3::from_array(position), DQuat::from_array(rotation));
        let is_pose = position.is_finite() && UNIT_LENGTHS.contains(&rotation.length());
        is_pose.then(|| Self { position, rotation: rotation.normalize() })
    }

    pub(crate) fn from_pose(pose: &Pose) -> Option<Self> {
        Self::new(pose.position.map(f64::from), pose.rotation.map(f64::from))
    }

    /// The pose of a matrix for column vectors; `None` if it is not a rigid transform.
    pub(crate) fn from_matrix(matrix: &DMat4) -> Option<Self> {
        let has_last_row = matrix.row(3).abs_diff_eq(DVec4::W, UNIT_TOLERANCE);
        let axes = DMat3::from_mat4(*matrix);
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let has_lengths = lengths.iter().all(|length| (length - 1.0).abs() <= LENGTH_TOLERANCE);
        let [x, y, z] = [axes.x_axis / lengths[0], axes.y_axis / lengths[1], axes.z_axis / lengths[2]];
        let is_square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|cosine| cosine.abs() <= COSINE_TOLERANCE);
        // The cross product rejects reflections, whose axes are orthonormal as well.
        let is_rotation = has_last_row && has_lengths && is_square && x.cross(y).dot(z) > 0.0;
        let position = matrix.w_axis.truncate();
        let rotation = || DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
        (is_rotation && position.is_finite()).then(|| Self { position, rotation: rotation() })
    }

    /// Converts a pose from local coordinates to those of the parent `self`.
    pub(crate) fn compose(&self, local: &Self) -> Self {
        Self {
            position: self.position + self.rotation * local.position,
            rotation: (self.rotation * local.rotation).normalize(),
        }
    }

    /// Converts to the local coordinates of a parent.
    pub(crate) fn relative_to(&self, parent: &Self) -> Self {
        let back = parent.rotation.inverse();
        Self { position: back * (self.position - parent.position), rotation: (back * self.rotation).normalize() }
    }

    pub(crate) fn pose(&self) -> Pose {
        Pose { position: self.position.as_vec3().to_array(), rotation: self.rotation.as_quat().to_array() }
    }
}

/// The pose of a row-major 4×4 matrix for column vectors; `None` if it is not a rigid transform.
pub(crate) fn pose_from_rows(rows: &[f64; 16]) -> Option<Pose> {
    // glam is column-major.
    pose_from_matrix(&DMat4::from_cols_array(rows).transpose())
}

/// The pose of a matrix for column vectors; `None` if it is not a rigid transform.
pub(crate) fn pose_from_matrix(matrix: &DMat4) -> Option<Pose> {
    RigidPose::from_matrix(matrix).map(|pose| pose.pose())
}

/// The right-handed pose of a viewer that looks along `forward`; `None` if the vectors are parallel or not unit
/// vectors.
pub(crate) fn pose_looking_at(position: [f32; 3], forward: [f32; 3], up: [f32; 3]) -> Option<Pose> {
    let back = -vector(unit(forward)?);
    let right = vector(unit(up)?).cross(back);
    let right = (right.length() > COSINE_TOLERANCE).then(|| right.normalize())?;
    Some(pose(vector(position), DMat3::from_cols(right, back.cross(right), back)))
}

/// Normalizes a quaternion or direction of about unit length; `None` if the length is far from 1.
pub(crate) fn unit<const N: usize>(values: [f32; N]) -> Option<[f32; N]> {
    let length = values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return Some(values);
    }
    UNIT_LENGTHS.contains(&length).then(|| values.map(|value| (f64::from(value) / length) as f32))
}

fn pose(position: DVec3, axes: DMat3) -> Pose {
    RigidPose { position, rotation: DQuat::from_mat3(&axes).normalize() }.pose()
}

fn vector(values: [f32; 3]) -> DVec3 {
    DVec3::from_array(values.map(f64::from))
}

/// The median of each component; `None` if there are no vectors.
pub(crate) fn median_vector(vectors: &[DVec3]) -> Option<DVec3> {
    let [x, y, z] = [0, 1, 2].map(|axis| median(vectors.iter().map(|vector| vector[axis]).collect()));
    Some(DVec3::new(x?, y?, z?))
}

/// The median; `None` if there are no values.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rotation by 90° around y, 1 m up.
    const TURNED: [f64; 16] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    const S: f32 = std::f32::consts::FRAC_1_SQRT_2;

    fn near(pose: Option<Pose>, expected: Pose) -> bool {
        pose.is_some_and(|pose| pose.distance_m(&expected) < 1e-6 && pose.angle_deg(&expected) < 1e-4)
    }

    fn changed(change: impl FnOnce(&mut [f64; 16])) -> [f64; 16] {
        let mut rows = TURNED;
        change(&mut rows);
        rows
    }

    #[test]
    fn compose_inverts_relative_to() {
        let parent = RigidPose::new([1.0, 2.0, 3.0], [0.5; 4]).unwrap();
        let child = RigidPose::new([-4.0, 0.5, 0.25], [0.0, 0.6, 0.0, 0.8]).unwrap();
        assert!(near(Some(parent.compose(&child.relative_to(&parent)).pose()), child.pose()));
    }

    #[test]
    fn new_rejects_invalid_poses() {
        for rotation in [[0.0; 4], [0.1, 0.0, 0.0, 0.1], [f64::NAN, 0.0, 0.0, 1.0], [f64::MAX; 4]] {
            assert!(RigidPose::new([0.0; 3], rotation).is_none(), "{rotation:?}");
        }
        assert!(RigidPose::new([0.0, f64::INFINITY, 0.0], [0.0, 0.0, 0.0, 1.0]).is_none());
    }

    #[test]
    fn pose_from_rows_is_row_major() {
        let expected = Pose { position: [0.0, 1.0, 0.0], rotation: [0.0, S, 0.0, S] };
        assert!(near(pose_from_rows(&TURNED), expected));
    }

    #[test]
    fn pose_from_rows_removes_slight_scale() {
        let scaled = changed(|rows| [0, 2, 8, 10].into_iter().for_each(|n| rows[n] *= 1.04));
        assert!(near(pose_from_rows(&scaled), Pose { position: [0.0, 1.0, 0.0], rotation: [0.0, S, 0.0, S] }));
    }

    #[test]
    fn pose_from_rows_rejects_other_transforms() {
        let invalid = [
            [0.0; 16],
            [f64::NAN; 16],
            [1e308; 16],
            changed(|rows| rows[2] = f64::NAN),
            changed(|rows| rows[5] = -1.0),
            changed(|rows| rows[5] = 1.1),
            changed(|rows| rows[0] = 0.1),
            changed(|rows| rows[12] = 1.0),
            changed(|rows| rows[15] = 0.0),
        ];
        for rows in invalid {
            assert_eq!(pose_from_rows(&rows), None, "{rows:?}");
        }
    }

    #[test]
    fn pose_looking_at_minus_z_is_the_identity() {
        let pose = |forward, up| pose_looking_at([1.0, 2.0, 3.0], forward, up);
        let expected = Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY };
        assert!(near(pose([0.0, 0.0, -1.0], [0.0, 1.0, 0.0]), expected));
        // `up` need not be orthogonal.
        assert!(near(pose([0.0, 0.0, -1.1], [0.0, 1.0, 0.5]), expected));
        for (forward, up) in
            [([0.0; 3], [0.0, 1.0, 0.0]), ([0.0, 1.0, 0.0], [0.0, 1.0, 0.001]), ([f32::NAN; 3], [1.0; 3])]
        {
            assert_eq!(pose(forward, up), None, "{forward:?} {up:?}");
        }
    }

    #[test]
    fn unit_normalizes_vectors_of_about_unit_length() {
        assert_eq!(unit([0.0, 0.0, 0.8]), Some([0.0, 0.0, 1.0]));
        assert_eq!(unit([0.6, 0.8, 0.0]), Some([0.6, 0.8, 0.0]));
        for none in [[0.0; 3], [0.1, 0.0, 0.0], [f32::MAX; 3], [f32::NAN, 1.0, 0.0]] {
            assert_eq!(unit(none), None, "{none:?}");
        }
    }
}
