//! Converts rotations and directions to unit quaternions with slerp interpolation, as glTF requires.

use glam::{DQuat, DVec3, DVec4};
use holotape::{Pose, Ray, align_sign};

use super::deviation::SAMPLE_FRACTIONS;
use super::sampled::Sampled;
use super::track::{Track, to_finite_f32, unit};
use crate::Space;
use crate::deviation::Deviation;

/// Values whose squared length differs less from 1 are stored unchanged, so that they are restored to the bit.
const UNIT_TOLERANCE: f64 = 1e-6;

/// For rotations less than 9° apart, slerp and nlerp do not differ visibly.
const NLERP_MIN_DOT: f64 = 0.997;

/// Maximum difference of a component after writing and reading.
const ROUND_TRIP_TOLERANCE: f64 = 5e-7;

/// The direction that nodes face.
pub(super) const FORWARD: DVec3 = DVec3::NEG_Z;

/// Returns the rotations of curves, and whether linear interpolation restores the curves. `deviation` gets the errors
/// between keys while the object is visible.
pub(super) fn rotations(
    mut sampled: Sampled<'_, 4>,
    deviation: &mut Deviation,
    is_visible: impl Fn(f64) -> bool,
) -> (Track<4>, bool) {
    if sampled.is_shared {
        align_signs(&mut sampled.values);
    }
    let are_units = sampled.values.iter().all(is_unit);
    let quaternions = units(&sampled.values);
    let mut is_exact = sampled.non_linear.is_none();
    for segment in sampled.segments() {
        let [from, to] = [quaternions[segment], quaternions[segment + 1]];
        if sampled.is_shared && are_units && from.dot(to) > NLERP_MIN_DOT {
            continue;
        }
        for fraction in SAMPLE_FRACTIONS {
            let recorded = unit(sampled.between(segment, fraction));
            is_exact &= is_same(recorded, from.lerp(to, fraction));
            if is_visible(sampled.time_between(segment, fraction)) {
                deviation.include_poses(&rotated_pose(recorded), &rotated_pose(from.slerp(to, fraction)));
            }
        }
    }
    let values = quaternions
        .iter()
        .map(|rotation| Space::RightHanded.rotation(rotation.to_array().map(to_finite_f32)))
        .collect();
    (Track { times: sampled.times, values }, is_exact)
}

/// Returns rotations that face along the directions of curves, each with the smallest rotation from the previous one,
/// so that slerp follows the shortest arc between two directions; and whether linear interpolation restores the curves.
pub(super) fn directions(sampled: Sampled<'_, 3>, deviation: &mut Deviation) -> (Track<4>, bool) {
    let mut is_exact = sampled.non_linear.is_none();
    let mut facing = DQuat::IDENTITY;
    let rotate = |row: &[f64; 3]| {
        is_exact &= is_unit(row);
        let forward = (facing * FORWARD).normalize();
        // Rows without a direction keep the previous one.
        let to = direction(*row).unwrap_or(forward);
        facing = (DQuat::from_rotation_arc(forward, to) * facing).normalize();
        facing
    };
    let quaternions: Vec<DQuat> = sampled.values.iter().map(rotate).collect();
    for segment in sampled.segments() {
        let [from, to] = [quaternions[segment], quaternions[segment + 1]];
        if sampled.non_linear.is_none() && (from * FORWARD).dot(to * FORWARD) > NLERP_MIN_DOT {
            continue;
        }
        for fraction in SAMPLE_FRACTIONS {
            let shown = ray(from.slerp(to, fraction) * FORWARD);
            let recorded = direction(sampled.between(segment, fraction)).map(ray);
            recorded.iter().for_each(|recorded| deviation.include_rays(recorded, &shown));
        }
    }
    let values = quaternions.iter().map(|rotation| rotation.to_array().map(to_finite_f32)).collect();
    (Track { times: sampled.times, values }, is_exact)
}

/// The direction that a rotation of [`directions`] faces, in Unity's coordinates.
pub(super) fn direction_of(rotation: [f32; 4]) -> [f32; 3] {
    let facing = unit(rotation.map(f64::from)) * FORWARD;
    Space::RightHanded.vector(facing.to_array().map(to_finite_f32))
}

/// Flips quaternion signs so that consecutive ones are nearest to each other.
fn align_signs(rotations: &mut [[f64; 4]]) {
    for next in 1..rotations.len() {
        rotations[next] = align_sign(rotations[next - 1], rotations[next]);
    }
}

/// Normalizes and aligns signs; values that need neither stay unchanged.
fn units(rotations: &[[f64; 4]]) -> Vec<DQuat> {
    let of_unit_length = |row: &[f64; 4]| if is_unit(row) { *row } else { unit(*row).to_array() };
    let mut units: Vec<_> = rotations.iter().map(of_unit_length).collect();
    align_signs(&mut units);
    units.into_iter().map(DQuat::from_array).collect()
}

fn is_unit<const N: usize>(row: &[f64; N]) -> bool {
    (row.iter().map(|value| value * value).sum::<f64>() - 1.0).abs() <= UNIT_TOLERANCE
}

fn is_same(one: DQuat, other: DQuat) -> bool {
    let other = align_sign(one.to_array(), other.to_array());
    DVec4::from(one).abs_diff_eq(DVec4::from_array(other), ROUND_TRIP_TOLERANCE)
}

/// Converts a direction to right-handed coordinates and normalizes it.
fn direction([x, y, z]: [f64; 3]) -> Option<DVec3> {
    DVec3::new(x, y, -z).try_normalize()
}

fn rotated_pose(rotation: DQuat) -> Pose {
    Pose { rotation: rotation.to_array().map(to_finite_f32), ..Pose::IDENTITY }
}

fn ray(direction: DVec3) -> Ray {
    Ray { origin: [0.0; 3], direction: direction.to_array().map(to_finite_f32) }
}

#[cfg(test)]
mod tests {
    use holotape::{Curve, LinearKey, Recording};

    use super::super::sampled::SampleDensity;
    use super::*;

    fn curves<const N: usize>(rows: &[[f32; N]]) -> [Curve; N] {
        std::array::from_fn(|n| {
            rows.iter().zip(0_u8..).map(|(row, time)| LinearKey::new(time.into(), row[n])).collect()
        })
    }

    #[test]
    fn full_turn_of_the_gaze_uses_minimal_rotations() {
        let recording = Recording::default();
        let angles = (0_u8..=16).map(|n| f32::from(n) * 0.4);
        let rows: Vec<_> = angles.map(|angle| [0.8 * angle.sin(), 0.6, 0.8 * angle.cos()]).collect();
        let curves = curves(&rows);
        let (track, is_exact) = directions(
            Sampled::from_curves(&curves, &SampleDensity::new(&recording)).unwrap(),
            &mut Deviation::default(),
        );
        assert!(is_exact);
        for (rotation, row) in track.values.iter().zip(&rows) {
            let back = direction_of(*rotation);
            assert!(back.iter().zip(row).all(|(a, b)| (a - b).abs() < 1e-6), "{back:?} {row:?}");
        }
        let step_deg =
            Ray { origin: [0.0; 3], direction: rows[0] }.angle_deg(&Ray { origin: [0.0; 3], direction: rows[1] });
        for pair in track.values.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|rotation| Pose { rotation, ..Pose::IDENTITY });
            assert!((from.angle_deg(&to) - step_deg).abs() < 1e-3, "{pair:?}");
        }
    }

    #[test]
    fn rotations_aligns_signs_and_keeps_unit_values() {
        let recording = Recording::default();
        let rows = [[0.6, 0.0, 0.0, 0.8], [-0.6, 0.0, 0.0, -0.8], [0.8, 0.0, 0.0, 0.6]];
        let curves = curves(&rows);
        let (track, is_exact) = rotations(
            Sampled::from_curves(&curves, &SampleDensity::new(&recording)).unwrap(),
            &mut Deviation::default(),
            |_| true,
        );
        assert_eq!(track.values, [[-0.6, 0.0, 0.0, 0.8], [-0.6, 0.0, 0.0, 0.8], [-0.8, 0.0, 0.0, 0.6]]);
        assert!(is_exact);
    }
}
