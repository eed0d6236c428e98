//! Poses seen from one another, and poses out of what others write instead: matrices, a way to look and a way up, vectors of
//! about length 1.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};
use holotape::Pose;

/// How far the axes of a matrix may be from length 1, and the cosines between them from 0. Matrices in text are rounded,
/// and some were interpolated; what is further off is no rotation.
const LENGTH_TOLERANCE: f64 = 0.05;
const COSINE_TOLERANCE: f64 = 0.02;

/// What is this far from length 1 was meant to be of length 1.
const UNIT_LENGTHS: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// Nearer to length 1 than anybody could tell: kept as it is.
const UNIT_TOLERANCE: f64 = 1e-5;

/// Where something is and how it is turned, with the digits that it takes to put one into another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidPose {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

impl RigidPose {
    pub(crate) const ORIGIN: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// Nothing if it is nowhere, or if its rotation is far from length 1.
    pub(crate) fn new(position: [f64; 3], rotation: [f64; 4]) -> Option<Self> {
        let (position, rotation) = (DVec3::from_array(position), DQuat::from_array(rotation));
        let is_pose = position.is_finite() && UNIT_LENGTHS.contains(&rotation.length());
        is_pose.then(|| Self { position, rotation: rotation.normalize() })
    }

    pub(crate) fn from_pose(pose: &Pose) -> Option<Self> {
        Self::new(pose.position.map(f64::from), pose.rotation.map(f64::from))
    }

    /// Where something is that is there as seen from here.
    pub(crate) fn compose(&self, local: &Self) -> Self {
        Self {
            position: self.position + self.rotation * local.position,
            rotation: (self.rotation * local.rotation).normalize(),
        }
    }

    /// The same as seen from a parent.
    pub(crate) fn relative_to(&self, parent: &Self) -> Self {
        let back = parent.rotation.inverse();
        Self { position: back * (self.position - parent.position), rotation: (back * self.rotation).normalize() }
    }

    pub(crate) fn pose(&self) -> Pose {
        Pose { position: self.position.as_vec3().to_array(), rotation: self.rotation.as_quat().to_array() }
    }
}

/// The pose of a 4 by 4 matrix for column vectors, given row by row; nothing if it is not turned and moved only.
pub(crate) fn pose_from_rows(rows: &[f64; 16]) -> Option<Pose> {
    // The columns of the transposed matrix are its rows.
    pose_from_matrix(&DMat4::from_cols_array(rows).transpose())
}

/// The pose of a matrix for column vectors; nothing if it is not turned and moved only.
pub(crate) fn pose_from_matrix(matrix: &DMat4) -> Option<Pose> {
    let has_last_row = matrix.row(3).abs_diff_eq(DVec4::W, UNIT_TOLERANCE);
    let axes = DMat3::from_mat4(*matrix);
    let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
    let has_lengths = lengths.iter().all(|length| (length - 1.0).abs() <= LENGTH_TOLERANCE);
    let [x, y, z] = [axes.x_axis / lengths[0], axes.y_axis / lengths[1], axes.z_axis / lengths[2]];
    let is_square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|cosine| cosine.abs() <= COSINE_TOLERANCE);
    // A mirror has square axes of length 1 as well.
    let is_rotation = has_last_row && has_lengths && is_square && x.cross(y).dot(z) > 0.0;
    is_rotation.then(|| pose(matrix.w_axis.truncate(), DMat3::from_cols(x, y, z)))
}

/// The pose of somebody in a right-handed space who looks one way and has another above; nothing if these are one way,
/// or none.
pub(crate) fn pose_looking_at(position: [f32; 3], forward: [f32; 3], up: [f32; 3]) -> Option<Pose> {
    let back = -vector(unit(forward)?);
    let right = vector(unit(up)?).cross(back);
    let right = (right.length() > COSINE_TOLERANCE).then(|| right.normalize())?;
    Some(pose(vector(position), DMat3::from_cols(right, back.cross(right), back)))
}

/// A quaternion or a direction that was meant to be of length 1, of length 1; nothing if it is far from that.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about y, one metre up.
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
    fn what_is_seen_from_a_parent_is_carried_back() {
        let parent = RigidPose::new([1.0, 2.0, 3.0], [0.5; 4]).unwrap();
        let child = RigidPose::new([-4.0, 0.5, 0.25], [0.0, 0.6, 0.0, 0.8]).unwrap();
        assert!(near(Some(parent.compose(&child.relative_to(&parent)).pose()), child.pose()));
    }

    #[test]
    fn what_is_no_pose_is_placed_nowhere() {
        for rotation in [[0.0; 4], [0.1, 0.0, 0.0, 0.1], [f64::NAN, 0.0, 0.0, 1.0], [f64::MAX; 4]] {
            assert!(RigidPose::new([0.0; 3], rotation).is_none(), "{rotation:?}");
        }
        assert!(RigidPose::new([0.0, f64::INFINITY, 0.0], [0.0, 0.0, 0.0, 1.0]).is_none());
    }

    #[test]
    fn a_matrix_is_read_row_by_row() {
        let expected = Pose { position: [0.0, 1.0, 0.0], rotation: [0.0, S, 0.0, S] };
        assert!(near(pose_from_rows(&TURNED), expected));
    }

    #[test]
    fn a_little_scale_is_forgiven_and_taken_out() {
        let scaled = changed(|rows| [0, 2, 8, 10].into_iter().for_each(|n| rows[n] *= 1.04));
        assert!(near(pose_from_rows(&scaled), Pose { position: [0.0, 1.0, 0.0], rotation: [0.0, S, 0.0, S] }));
    }

    #[test]
    fn what_is_no_rotation_gives_no_pose() {
        let wrong = [
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
        for rows in wrong {
            assert_eq!(pose_from_rows(&rows), None, "{rows:?}");
        }
    }

    #[test]
    fn looking_along_minus_z_is_no_rotation_at_all() {
        let pose = |forward, up| pose_looking_at([1.0, 2.0, 3.0], forward, up);
        let expected = Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY };
        assert!(near(pose([0.0, 0.0, -1.0], [0.0, 1.0, 0.0]), expected));
        // Up is only about up.
        assert!(near(pose([0.0, 0.0, -1.1], [0.0, 1.0, 0.5]), expected));
        for (forward, up) in
            [([0.0; 3], [0.0, 1.0, 0.0]), ([0.0, 1.0, 0.0], [0.0, 1.0, 0.001]), ([f32::NAN; 3], [1.0; 3])]
        {
            assert_eq!(pose(forward, up), None, "{forward:?} {up:?}");
        }
    }

    #[test]
    fn what_is_about_a_unit_becomes_one() {
        assert_eq!(unit([0.0, 0.0, 0.8]), Some([0.0, 0.0, 1.0]));
        assert_eq!(unit([0.6, 0.8, 0.0]), Some([0.6, 0.8, 0.0]));
        for none in [[0.0; 3], [0.1, 0.0, 0.0], [f32::MAX; 3], [f32::NAN, 1.0, 0.0]] {
            assert_eq!(unit(none), None, "{none:?}");
        }
    }
}
