//! Rotations as angles about z, x and y, in that order: `R = Rz · Rx · Ry`.

use glam::{DMat3, DQuat};

/// Where x is up or down as steeply as this, z and y turn about the same axis and only their sum means anything.
const GIMBAL_EPSILON: f64 = 1e-8;

/// Angles in degrees: z, x, y.
pub(super) type Angles = [f64; 3];

/// The angles of a rotation, of all that there are those nearest to the ones before: whoever draws straight lines between
/// them shall not turn a joint the long way round.
pub(super) fn angles_near(rotation: DQuat, before: Angles) -> Angles {
    let rows = DMat3::from_quat(rotation).transpose();
    let (x_row, y_row, z_row) = (rows.x_axis, rows.y_axis, rows.z_axis);
    let level = z_row.x.hypot(z_row.z);
    let x = z_row.y.atan2(level);
    if level < GIMBAL_EPSILON {
        return gimbal_angles(x, y_row.x.atan2(x_row.x), before);
    }
    let (z, y) = ((-x_row.y).atan2(y_row.y), (-z_row.x).atan2(z_row.z));
    let turned = [z + std::f64::consts::PI, std::f64::consts::PI - x, y + std::f64::consts::PI];
    let [one, other] = [[z, x, y], turned].map(|angles| unwrap_angles(angles.map(f64::to_degrees), before));
    if distance(one, before) <= distance(other, before) { one } else { other }
}

/// With x a quarter turn up, only y + z counts, down only y - z: y stays, z does the rest.
fn gimbal_angles(x: f64, together: f64, before: Angles) -> Angles {
    let y = before[2];
    let z = together.to_degrees() - y * x.signum();
    unwrap_angles([z, x.to_degrees(), y], before)
}

fn unwrap_angles(angles: Angles, before: Angles) -> Angles {
    std::array::from_fn(|n| angles[n] - 360.0 * ((angles[n] - before[n]) / 360.0).round())
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
        fn angles_are_those_of_the_rotation(
            z in -180.0..180.0_f64, y in -180.0..180.0_f64, before in prop::array::uniform3(-1000.0..1000.0_f64),
            x in prop_oneof![-180.0..180.0_f64, 89.999..90.001_f64, Just(90.0), Just(-90.0), -90.00001..-89.99999_f64],
        ) {
            let rotation = rotation_of([z, x, y]);
            let angles = angles_near(rotation, before);
            prop_assert!(rotation.angle_between(rotation_of(angles)) < 1e-7, "{angles:?}");
        }

        #[test]
        fn small_turns_move_angles_a_little_even_past_the_pole(
            z in -400.0..400.0_f64, x in -400.0..400.0_f64, y in -400.0..400.0_f64, step in -0.5..0.5_f64,
        ) {
            let angles = angles_near(rotation_of([z, x + step, y]), [z, x, y]);
            prop_assert!(distance(angles, [z, x, y]) < 1.0 || (x.rem_euclid(180.0) - 90.0).abs() < 0.6, "{angles:?}");
        }
    }

    #[test]
    fn a_pole_is_passed_without_a_turn_about() {
        let mut before = [10.0, 80.0, 20.0];
        for n in 0..=200 {
            let angles = angles_near(rotation_of([10.0, 80.0 + f64::from(n) / 10.0, 20.0]), before);
            assert!(distance(angles, before) < 0.2, "{before:?} to {angles:?}");
            before = angles;
        }
    }
}
