//! Rotations as Euler angles around z, x and y: `R = Rz · Rx · Ry`.

use glam::{DMat3, DQuat};

/// Below this cosine of x, z and y rotate around the same axis (gimbal lock), and only their sum is defined.
const GIMBAL_EPSILON: f64 = 1e-8;

/// Angles in degrees: z, x, y.
pub(super) type Angles = [f64; 3];

/// Returns the angles of a rotation that are nearest to the previous ones, so that linear interpolation between frames
/// does not rotate a joint the long way round.
pub(super) fn angles_near(rotation: DQuat, previous: Angles) -> Angles {
    let rows = DMat3::from_quat(rotation).transpose();
    let (x_row, y_row, z_row) = (rows.x_axis, rows.y_axis, rows.z_axis);
    let cos_x = z_row.x.hypot(z_row.z);
    let x = z_row.y.atan2(cos_x);
    if cos_x < GIMBAL_EPSILON {
        return gimbal_angles(x, y_row.x.atan2(x_row.x), previous);
    }
    let (z, y) = ((-x_row.y).atan2(y_row.y), (-z_row.x).atan2(z_row.z));
    let equivalent = [z + std::f64::consts::PI, std::f64::consts::PI - x, y + std::f64::consts::PI];
    let [one, other] = [[z, x, y], equivalent].map(|angles| unwrap_angles(angles.map(f64::to_degrees), previous));
    if distance(one, previous) <= distance(other, previous) { one } else { other }
}

/// At x = 90° only y + z is defined, at x = -90° only y - z: keeps y and computes z.
fn gimbal_angles(x: f64, sum: f64, previous: Angles) -> Angles {
    let y = previous[2];
    let z = sum.to_degrees() - y * x.signum();
    unwrap_angles([z, x.to_degrees(), y], previous)
}

fn unwrap_angles(angles: Angles, previous: Angles) -> Angles {
    std::array::from_fn(|n| angles[n] - 360.0 * ((angles[n] - previous[n]) / 360.0).round())
}

fn distance(one: Angles, other: Angles) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rotation_of([z, x, y]: Angles) -> DQuat {
        let [z, x, y] = [z, x, y].map(f64::to_radians);
        DQuat::from_rotation_z(z) * DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y)
    }

    proptest! {
        #[test]
        fn angles_near_represents_the_rotation(
            z in -180.0..180.0_f64, y in -180.0..180.0_f64, previous in prop::array::uniform3(-1000.0..1000.0_f64),
            x in prop_oneof![-180.0..180.0_f64, 89.999..90.001_f64, Just(90.0), Just(-90.0), -90.00001..-89.99999_f64],
        ) {
            let rotation = rotation_of([z, x, y]);
            let angles = angles_near(rotation, previous);
            prop_assert!(rotation.angle_between(rotation_of(angles)) < 1e-7, "{angles:?}");
        }

        #[test]
        fn small_rotations_change_angles_slightly(
            z in -400.0..400.0_f64, x in -400.0..400.0_f64, y in -400.0..400.0_f64, step in -0.5..0.5_f64,
        ) {
            let angles = angles_near(rotation_of([z, x + step, y]), [z, x, y]);
            prop_assert!(distance(angles, [z, x, y]) < 1.0 || (x.rem_euclid(180.0) - 90.0).abs() < 0.6, "{angles:?}");
        }
    }

    #[test]
    fn passing_the_pole_is_continuous() {
        let mut previous = [10.0, 80.0, 20.0];
        for n in 0..=200 {
            let angles = angles_near(rotation_of([10.0, 80.0 + f64::from(n) / 10.0, 20.0]), previous);
            assert!(distance(angles, previous) < 0.2, "{previous:?} to {angles:?}");
            previous = angles;
        }
    }
}
