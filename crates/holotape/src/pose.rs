//! Poses and rays as plain arrays.

/// A position in metres and a rotation as a quaternion x, y, z, w, in Unity's world space: left-handed, x right,
/// y up, z forward.
///
/// ```
/// use holotape::Pose;
///
/// let head = Pose { position: [0.0, 1.6, 0.0], ..Pose::IDENTITY };
/// assert_eq!(head.rotation, [0.0, 0.0, 0.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Pose {
    /// Metres.
    #[cfg_attr(feature = "json", serde(with = "crate::json::frame::floats"))]
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    #[cfg_attr(feature = "json", serde(with = "crate::json::frame::floats"))]
    pub rotation: [f32; 4],
}

impl Pose {
    /// At the origin, without rotation.
    pub const IDENTITY: Self = Self { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };

    /// The distance between the positions of two poses, in metres.
    ///
    /// ```
    /// use holotape::Pose;
    ///
    /// let pose = Pose { position: [3.0, 4.0, 0.0], ..Pose::IDENTITY };
    /// assert_eq!(pose.distance_m(&Pose::IDENTITY), 5.0);
    /// ```
    #[must_use]
    pub fn distance_m(&self, other: &Self) -> f64 {
        distance(self.position.map(f64::from), other.position.map(f64::from))
    }

    /// The angle between the rotations of two poses, in degrees from 0 to 180. The signs of the quaternions do not matter.
    ///
    /// ```
    /// use holotape::Pose;
    ///
    /// let turned = Pose { rotation: [0.0, 0.70710677, 0.0, 0.70710677], ..Pose::IDENTITY };
    /// assert!((turned.angle_deg(&Pose::IDENTITY) - 90.0).abs() < 1e-4);
    /// ```
    #[must_use]
    pub fn angle_deg(&self, other: &Self) -> f64 {
        rotation_angle_deg(self.rotation.map(f64::from), other.rotation.map(f64::from))
    }

    /// Whether all values are finite.
    ///
    /// ```
    /// use holotape::Pose;
    ///
    /// assert!(!Pose { position: [f32::NAN; 3], ..Pose::IDENTITY }.is_finite());
    /// ```
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.iter().chain(&self.rotation).all(|value| value.is_finite())
    }

    /// The forward direction of the pose: its z axis.
    ///
    /// ```
    /// assert_eq!(holotape::Pose::IDENTITY.forward(), [0.0, 0.0, 1.0]);
    /// ```
    #[must_use]
    pub fn forward(&self) -> [f32; 3] {
        let [x, y, z, w] = self.rotation.map(f64::from);
        to_f32([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)])
    }
}

/// A ray with an origin and a direction: the gaze.
///
/// ```
/// let ahead = holotape::Ray { origin: [0.0, 1.6, 0.0], direction: [0.0, 0.0, 1.0] };
/// assert_eq!(ahead.direction[2], 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Ray {
    /// Metres.
    #[cfg_attr(feature = "json", serde(with = "crate::json::frame::floats"))]
    pub origin: [f32; 3],
    /// Unit vector.
    #[cfg_attr(feature = "json", serde(with = "crate::json::frame::floats"))]
    pub direction: [f32; 3],
}

impl Ray {
    /// The distance between the origins of two rays, in metres.
    ///
    /// ```
    /// # let ray = holotape::Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] };
    /// assert_eq!(ray.distance_m(&ray), 0.0);
    /// ```
    #[must_use]
    pub fn distance_m(&self, other: &Self) -> f64 {
        distance(self.origin.map(f64::from), other.origin.map(f64::from))
    }

    /// The angle between the directions of two rays, in degrees from 0 to 180.
    ///
    /// ```
    /// use holotape::Ray;
    ///
    /// let ahead = Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] };
    /// let right = Ray { direction: [1.0, 0.0, 0.0], ..ahead };
    /// assert!((ahead.angle_deg(&right) - 90.0).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn angle_deg(&self, other: &Self) -> f64 {
        direction_angle_deg(self.direction.map(f64::from), other.direction.map(f64::from))
    }
}

pub(crate) fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    length(std::array::from_fn::<_, N, _>(|n| a[n] - b[n]))
}

fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The angle between two unit vectors, from their sum and difference: the dot product is imprecise for small angles.
pub(crate) fn direction_angle_deg<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let sum = length(std::array::from_fn::<_, N, _>(|n| a[n] + b[n]));
    2.0 * distance(a, b).atan2(sum).to_degrees()
}

/// The angle between two rotations as unit quaternions; the signs do not matter.
pub(crate) fn rotation_angle_deg(a: [f64; 4], b: [f64; 4]) -> f64 {
    let apart = direction_angle_deg(a, b);
    2.0 * apart.min(180.0 - apart)
}

/// Normalizes a quaternion. A zero quaternion, which simulated hands leave, becomes the identity, as in Unity.
pub(crate) fn unit_quaternion(q: [f64; 4]) -> [f32; 4] {
    unit(q).unwrap_or(Pose::IDENTITY.rotation)
}

/// Normalizes a vector; zero stays zero, as in Unity.
pub(crate) fn unit_vector(v: [f64; 3]) -> [f32; 3] {
    unit(v).unwrap_or([0.0; 3])
}

/// Rounds to 32 bits. Finite values that are too large become the largest finite float.
pub(crate) fn to_f32<const N: usize>(v: [f64; N]) -> [f32; N] {
    v.map(|x| {
        let nearest = x as f32;
        if nearest.is_infinite() && x.is_finite() { f32::MAX.copysign(nearest) } else { nearest }
    })
}

/// Normalizes a vector; `None` for zero.
pub(crate) fn unit<const N: usize>(v: [f64; N]) -> Option<[f32; N]> {
    // Scaled first, so that the squares of components neither overflow nor underflow.
    let largest = v.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    if largest == 0.0 && !v.iter().any(|x| x.is_nan()) {
        return None;
    }
    let scaled = v.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    Some(scaled.map(|x| (x / length) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_vector_is_exact_at_every_scale() {
        for scale in [1e-300, 1e-30, 1.0, 1e30, 1e300] {
            assert_eq!(unit_vector([3.0 * scale, 0.0, -4.0 * scale]), [0.6, 0.0, -0.8]);
        }
    }

    #[test]
    fn zero_vectors_become_unity_defaults() {
        assert_eq!(unit_quaternion([0.0; 4]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(unit_vector([0.0, -0.0, 0.0]), [0.0; 3]);
    }

    #[test]
    fn small_angles_are_exact_and_independent_of_sign() {
        let half = 1e-6_f64.to_radians() / 2.0;
        let turned = [0.0, half.sin(), 0.0, half.cos()];
        for sign in [1.0, -1.0] {
            let angle = rotation_angle_deg(turned.map(|x| x * sign), [0.0, 0.0, 0.0, 1.0]);
            assert!((angle / 1e-6 - 1.0).abs() < 1e-6, "{angle:e}");
        }
        assert_eq!(rotation_angle_deg([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]), 180.0);
        assert_eq!(direction_angle_deg([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), 180.0);
    }

    #[test]
    fn forward_is_the_rotated_z_axis() {
        let s = std::f32::consts::FRAC_1_SQRT_2;
        let facing = |rotation| Pose { rotation, ..Pose::IDENTITY }.forward();
        let is_near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(is_near(facing([0.0, s, 0.0, s]), [1.0, 0.0, 0.0]), "a quarter turn about y, which is up, looks right");
        assert!(is_near(facing([s, 0.0, 0.0, s]), [0.0, -1.0, 0.0]), "a quarter turn about x looks down");
    }

    #[test]
    fn unit_vector_keeps_nan() {
        assert!(unit_vector([f64::NAN, 0.0, 0.0])[0].is_nan());
        assert!(unit_vector([f64::NAN, 1.0, 0.0])[1].is_nan());
    }

    #[test]
    fn to_f32_keeps_values_finite() {
        assert_eq!(to_f32([1e300, -1e300]), [f32::MAX, f32::MIN]);
        assert_eq!(to_f32([f64::INFINITY]), [f32::INFINITY]);
    }
}
