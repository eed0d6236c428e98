//! Derived quantities: angles from quaternions, speeds from positions.

use super::polyline::Point;
use crate::curve::lerp;

/// The same window as in `stats`: shorter ones add up sensor noise.
pub(super) const SPEED_WINDOW_SECS: f64 = 1.0 / 15.0;

/// Yaw (right), pitch (up) and roll (right) of a rotation, in degrees.
pub(super) fn head_angles_deg(rotation: [f32; 4]) -> [f64; 3] {
    let [x, y, z, w] = rotation.map(f64::from);
    let forward = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)];
    let (right_y, up_y) = (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z));
    let [yaw, pitch] = direction_angles_deg(forward);
    [yaw, pitch, (-right_y).atan2(up_y).to_degrees()]
}

/// Yaw (right) and pitch (up) of a direction, in degrees; NaN if it has no length.
pub(super) fn direction_angles_deg([x, y, z]: [f64; 3]) -> [f64; 2] {
    if [x, y, z] == [0.0; 3] {
        return [f64::NAN; 2];
    }
    [x.atan2(z), y.atan2(x.hypot(z))].map(f64::to_degrees)
}

/// Removes jumps between 180° and -180°.
pub(super) fn unwrap_degrees(angles: &mut [f64]) {
    let mut last = f64::NAN;
    for angle in angles.iter_mut().filter(|angle| angle.is_finite()) {
        if last.is_finite() {
            *angle -= 360.0 * ((*angle - last) / 360.0).round();
        }
        last = *angle;
    }
}

/// The speed in m/s of a path with increasing times, except within half a window of its ends.
pub(super) fn speeds(positions: &[(f64, [f64; 3])]) -> Vec<Point> {
    let [(first, _), .., (last, _)] = positions else { return Vec::new() };
    let half = SPEED_WINDOW_SECS / 2.0;
    let inner = positions.iter().filter(|(time, _)| first + half <= *time && *time <= last - half);
    let speed = |(time, _): &(f64, [f64; 3])| {
        let (from, to) = (position_at(positions, time - half), position_at(positions, time + half));
        let path = from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt();
        [*time, path / SPEED_WINDOW_SECS]
    };
    inner.map(speed).collect()
}

/// Interpolates a path of at least two positions.
fn position_at(positions: &[(f64, [f64; 3])], time: f64) -> [f64; 3] {
    let next = positions.partition_point(|(other, _)| *other <= time).clamp(1, positions.len() - 1);
    let ((t0, from), (t1, to)) = (positions[next - 1], positions[next]);
    lerp(from, to, (time - t0) / (t1 - t0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotated(axis: usize, degrees: f32) -> [f32; 4] {
        let half = degrees.to_radians() / 2.0;
        let mut rotation = [0.0, 0.0, 0.0, half.cos()];
        rotation[axis] = half.sin();
        rotation
    }

    #[test]
    fn head_angles_have_documented_signs() {
        let is_near = |angles: [f64; 3], expected: [f64; 3]| {
            assert!(angles.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{angles:?}, not {expected:?}");
        };
        is_near(head_angles_deg(rotated(1, 30.0)), [30.0, 0.0, 0.0]);
        // By the left-hand rule a positive rotation around x looks down, and one around z raises the right ear.
        is_near(head_angles_deg(rotated(0, 20.0)), [0.0, -20.0, 0.0]);
        is_near(head_angles_deg(rotated(2, 10.0)), [0.0, 0.0, -10.0]);
    }

    #[test]
    fn unwrap_degrees_continues_beyond_180() {
        let mut angles = [170.0, 179.0, -175.0, f64::NAN, -160.0, 175.0, 10.0];
        unwrap_degrees(&mut angles);
        assert_eq!(angles[2..3], [185.0]);
        assert!(angles[3].is_nan());
        assert_eq!(angles[4..], [200.0, 175.0, 10.0]);
    }

    #[test]
    fn speeds_are_distance_per_time() {
        let positions: Vec<_> =
            (0..100).map(|n| f64::from(n) / 60.0).map(|time| (time, [3.0 * time, 0.0, 4.0 * time])).collect();
        assert!((94..=96).contains(&speeds(&positions).len()), "all but half a window at either end");
        assert!(speeds(&positions).iter().all(|[_, speed]| (speed - 5.0).abs() < 1e-9));
        assert!(speeds(&positions[..1]).is_empty());
    }
}
