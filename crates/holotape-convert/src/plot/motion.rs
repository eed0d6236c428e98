//! Numbers that people can read: angles instead of quaternions, speeds instead of positions.

use super::polyline::Point;

/// As long as the stretches that `stats` measures paths by: shorter ones add up tremor.
pub(super) const SPEED_WINDOW_SECS: f64 = 1.0 / 15.0;

/// Yaw to the right, pitch upwards and roll to the right of a rotation, in degrees.
pub(super) fn head_angles_deg(rotation: [f32; 4]) -> [f64; 3] {
    let [x, y, z, w] = rotation.map(f64::from);
    let forward = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)];
    let (right_y, up_y) = (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z));
    let [yaw, pitch] = direction_angles_deg(forward);
    [yaw, pitch, (-right_y).atan2(up_y).to_degrees()]
}

/// Yaw to the right and pitch upwards of a direction, in degrees. What points nowhere has none.
pub(super) fn direction_angles_deg([x, y, z]: [f64; 3]) -> [f64; 2] {
    if [x, y, z] == [0.0; 3] {
        return [f64::NAN; 2];
    }
    [x.atan2(z), y.atan2(x.hypot(z))].map(f64::to_degrees)
}

/// Angles that go on where they would jump from 180° to -180°.
pub(super) fn unwrap_degrees(angles: &mut [f64]) {
    let mut last = f64::NAN;
    for angle in angles.iter_mut().filter(|angle| angle.is_finite()) {
        if last.is_finite() {
            *angle -= 360.0 * ((*angle - last) / 360.0).round();
        }
        last = *angle;
    }
}

/// How fast something goes whose places are known at rising times, in metres a second, where there is enough of its path.
pub(super) fn speeds(places: &[(f64, [f64; 3])]) -> Vec<Point> {
    let [(first, _), .., (last, _)] = places else { return Vec::new() };
    let half = SPEED_WINDOW_SECS / 2.0;
    let (mut behind, mut ahead) = (PathCursor::new(places), PathCursor::new(places));
    let inner = places.iter().filter(|(time, _)| first + half <= *time && *time <= last - half);
    let speed = |(time, _): &(f64, [f64; 3])| {
        let (from, to) = (behind.to(time - half), ahead.to(time + half));
        let path = from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt();
        [*time, path / SPEED_WINDOW_SECS]
    };
    inner.map(speed).collect()
}

/// Places between known ones, asked for at rising times.
struct PathCursor<'a> {
    places: &'a [(f64, [f64; 3])],
}

impl<'a> PathCursor<'a> {
    fn new(places: &'a [(f64, [f64; 3])]) -> Self {
        Self { places }
    }

    fn to(&mut self, time: f64) -> [f64; 3] {
        while let [_, (next, _), _, ..] = self.places
            && *next <= time
        {
            self.places = &self.places[1..];
        }
        match self.places {
            [(t0, a), (t1, b), ..] => {
                let fraction = (time - t0) / (t1 - t0);
                std::array::from_fn(|n| a[n] + fraction * (b[n] - a[n]))
            }
            [(_, place)] => *place,
            [] => [f64::NAN; 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(axis: usize, degrees: f32) -> [f32; 4] {
        let half = degrees.to_radians() / 2.0;
        let mut rotation = [0.0, 0.0, 0.0, half.cos()];
        rotation[axis] = half.sin();
        rotation
    }

    #[test]
    fn angles_have_the_signs_that_people_expect() {
        let is_near = |angles: [f64; 3], expected: [f64; 3]| {
            assert!(angles.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{angles:?}, not {expected:?}");
        };
        is_near(head_angles_deg(turned(1, 30.0)), [30.0, 0.0, 0.0]);
        // Turning about x by the left-hand rule looks down; about z it lifts the right ear.
        is_near(head_angles_deg(turned(0, 20.0)), [0.0, -20.0, 0.0]);
        is_near(head_angles_deg(turned(2, 10.0)), [0.0, 0.0, -10.0]);
    }

    #[test]
    fn a_turn_goes_on_beyond_half_a_circle() {
        let mut angles = [170.0, 179.0, -175.0, f64::NAN, -160.0, 175.0, 10.0];
        unwrap_degrees(&mut angles);
        assert_eq!(angles[2..3], [185.0]);
        assert!(angles[3].is_nan());
        assert_eq!(angles[4..], [200.0, 175.0, 10.0]);
    }

    #[test]
    fn speed_is_path_by_time() {
        let places: Vec<_> =
            (0..100).map(|n| f64::from(n) / 60.0).map(|time| (time, [3.0 * time, 0.0, 4.0 * time])).collect();
        assert!((94..=96).contains(&speeds(&places).len()), "all but half a window at either end");
        assert!(speeds(&places).iter().all(|[_, speed]| (speed - 5.0).abs() < 1e-9));
        assert!(speeds(&places[..1]).is_empty());
    }
}
