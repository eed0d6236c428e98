//! Rotations and directions as glTF has them: unit quaternions that turn evenly from one to the next.

use glam::{DQuat, DVec3, DVec4};
use holotape::{Pose, Ray};

use super::deviation::{Deviation, SAMPLE_FRACTIONS};
use super::sampled::Sampled;
use super::track::{Track, to_finite_f32, unit};
use crate::Space;

/// A length whose square is this near to 1 is one: the numbers are left as they are, and come back to the bit.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Rotations less than nine degrees apart look the same whether they turn evenly or along a straight line.
const NLERP_MIN_DOT: f64 = 0.997;

/// What is read again may differ by so much from what was recorded.
const ROUND_TRIP_TOLERANCE: f64 = 5e-7;

/// The way that nodes face.
pub(super) const FORWARD: DVec3 = DVec3::NEG_Z;

/// Rotations over time.
pub(super) struct RotationTrack {
    pub(super) track: Track<4>,
    /// Whether straight lines between them are what was recorded.
    pub(super) is_exact: bool,
}

/// The rotations of curves, and how far they are from these between keys while somebody sees them.
pub(super) fn rotations(
    mut sampled: Sampled<'_, 4>,
    gap: &mut Deviation,
    is_seen: impl Fn(f64) -> bool,
) -> RotationTrack {
    if sampled.is_shared {
        align_signs(&mut sampled.values);
    }
    let are_units = sampled.values.iter().all(is_unit);
    let turns = units(&sampled.values);
    let mut is_exact = sampled.odd.is_none();
    for span in sampled.spans() {
        let [from, to] = [turns[span], turns[span + 1]];
        if sampled.is_shared && are_units && from.dot(to) > NLERP_MIN_DOT {
            continue;
        }
        for fraction in SAMPLE_FRACTIONS {
            let truth = unit(sampled.between(span, fraction));
            is_exact &= is_same(truth, from.lerp(to, fraction));
            if is_seen(sampled.time_between(span, fraction)) {
                gap.widen_by_poses(&turned(truth), &turned(from.slerp(to, fraction)));
            }
        }
    }
    let values = turns.iter().map(|turn| Space::RightHanded.rotation(turn.to_array().map(to_finite_f32))).collect();
    RotationTrack { track: Track { times: sampled.times, values }, is_exact }
}

/// Rotations that face where the directions of curves point, each the least turn away from the one before. So a node
/// that turns evenly from one to the next faces along the same arc as the directions.
pub(super) fn directions(sampled: Sampled<'_, 3>, gap: &mut Deviation) -> RotationTrack {
    let mut is_exact = sampled.odd.is_none();
    let mut facing = DQuat::IDENTITY;
    let turn = |row: &[f64; 3]| {
        is_exact &= is_unit(row);
        let forward = (facing * FORWARD).normalize();
        // What has no direction goes on as it did.
        let to = direction(*row).unwrap_or(forward);
        facing = (DQuat::from_rotation_arc(forward, to) * facing).normalize();
        facing
    };
    let turns: Vec<DQuat> = sampled.values.iter().map(turn).collect();
    for span in sampled.spans() {
        let [from, to] = [turns[span], turns[span + 1]];
        if sampled.odd.is_none() && (from * FORWARD).dot(to * FORWARD) > NLERP_MIN_DOT {
            continue;
        }
        for fraction in SAMPLE_FRACTIONS {
            let shown = ray(from.slerp(to, fraction) * FORWARD);
            let truth = direction(sampled.between(span, fraction)).map(ray);
            truth.iter().for_each(|truth| gap.widen_by_rays(truth, &shown));
        }
    }
    let values = turns.iter().map(|turn| turn.to_array().map(to_finite_f32)).collect();
    RotationTrack { track: Track { times: sampled.times, values }, is_exact }
}

/// The direction that a rotation of [`directions`] faces, in Unity's space.
pub(super) fn direction_of(rotation: [f32; 4]) -> [f32; 3] {
    let facing = unit(rotation.map(f64::from)) * FORWARD;
    Space::RightHanded.vector(facing.to_array().map(to_finite_f32))
}

/// Of the two quaternions of each rotation, the one nearer to the one before.
fn align_signs(rotations: &mut [[f64; 4]]) {
    for next in 1..rotations.len() {
        let [before, rotation] = [rotations[next - 1], rotations[next]].map(DVec4::from_array);
        if before.dot(rotation) < 0.0 {
            rotations[next] = (-rotation).to_array();
        }
    }
}

/// To length 1 and the short way, but for numbers that need neither.
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
    let other = if one.dot(other) < 0.0 { -other } else { other };
    DVec4::from(one).abs_diff_eq(DVec4::from(other), ROUND_TRIP_TOLERANCE)
}

/// In right-handed space, of length 1.
fn direction([x, y, z]: [f64; 3]) -> Option<DVec3> {
    DVec3::new(x, y, -z).try_normalize()
}

fn turned(rotation: DQuat) -> Pose {
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
    fn a_gaze_that_goes_right_round_faces_every_way_and_turns_no_more_than_it_has_to() {
        let recording = Recording::default();
        let angles = (0_u8..=16).map(|n| f32::from(n) * 0.4);
        let rows: Vec<_> = angles.map(|angle| [0.8 * angle.sin(), 0.6, 0.8 * angle.cos()]).collect();
        let curves = curves(&rows);
        let turns =
            directions(Sampled::of(&curves, &SampleDensity::of(&recording)).unwrap(), &mut Deviation::default());
        assert!(turns.is_exact);
        for (rotation, row) in turns.track.values.iter().zip(&rows) {
            let back = direction_of(*rotation);
            assert!(back.iter().zip(row).all(|(a, b)| (a - b).abs() < 1e-6), "{back:?} {row:?}");
        }
        let least_deg =
            Ray { origin: [0.0; 3], direction: rows[0] }.angle_deg(&Ray { origin: [0.0; 3], direction: rows[1] });
        for pair in turns.track.values.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|rotation| Pose { rotation, ..Pose::IDENTITY });
            assert!((from.angle_deg(&to) - least_deg).abs() < 1e-3, "{pair:?}");
        }
    }

    #[test]
    fn signs_agree_and_units_stay_to_the_bit() {
        let recording = Recording::default();
        let rows = [[0.6, 0.0, 0.0, 0.8], [-0.6, 0.0, 0.0, -0.8], [0.8, 0.0, 0.0, 0.6]];
        let curves = curves(&rows);
        let turns =
            rotations(Sampled::of(&curves, &SampleDensity::of(&recording)).unwrap(), &mut Deviation::default(), |_| {
                true
            });
        assert_eq!(turns.track.values, [[-0.6, 0.0, 0.0, 0.8], [-0.6, 0.0, 0.0, 0.8], [-0.8, 0.0, 0.0, 0.6]]);
        assert!(turns.is_exact);
    }
}
