//! Where something is and which way it faces, as plain arrays.

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
pub struct Pose {
    /// Metres.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

impl Pose {
    /// At the origin, not turned.
    pub const IDENTITY: Self = Self { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
}

/// A half-line: where the eyes are and where they look.
///
/// ```
/// let ahead = holotape::Ray { origin: [0.0, 1.6, 0.0], direction: [0.0, 0.0, 1.0] };
/// assert_eq!(ahead.direction[2], 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Metres.
    pub origin: [f32; 3],
    /// Unit vector.
    pub direction: [f32; 3],
}

/// A unit quaternion in the direction of `q`. A zero quaternion, which simulated hands leave behind, has none and
/// gives no rotation at all, as in Unity.
pub(crate) fn unit_quaternion(q: [f64; 4]) -> [f32; 4] {
    unit(q).unwrap_or(Pose::IDENTITY.rotation)
}

/// A unit vector in the direction of `v`; zero stays zero, as in Unity.
pub(crate) fn unit_vector(v: [f64; 3]) -> [f32; 3] {
    unit(v).unwrap_or([0.0; 3])
}

/// Nearest floats, with what is too large for one held at the largest: a finite curve gives a finite pose.
pub(crate) fn to_f32<const N: usize>(v: [f64; N]) -> [f32; N] {
    v.map(|x| {
        let nearest = x as f32;
        if nearest.is_infinite() && x.is_finite() { f32::MAX.copysign(nearest) } else { nearest }
    })
}

/// To length 1, in the direction of `v`, if it has one.
pub(crate) fn unit<const N: usize>(v: [f64; N]) -> Option<[f32; N]> {
    // Scaled first, so that the squares of very large or small components neither overflow nor vanish.
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
    fn units_are_found_at_every_scale() {
        for scale in [1e-300, 1e-30, 1.0, 1e30, 1e300] {
            assert_eq!(unit_vector([3.0 * scale, 0.0, -4.0 * scale]), [0.6, 0.0, -0.8]);
        }
    }

    #[test]
    fn what_has_no_direction_is_unity_s_default() {
        assert_eq!(unit_quaternion([0.0; 4]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(unit_vector([0.0, -0.0, 0.0]), [0.0; 3]);
    }

    #[test]
    fn nan_stays_nan() {
        assert!(unit_vector([f64::NAN, 0.0, 0.0])[0].is_nan());
        assert!(unit_vector([f64::NAN, 1.0, 0.0])[1].is_nan());
    }

    #[test]
    fn finite_stays_finite() {
        assert_eq!(to_f32([1e300, -1e300]), [f32::MAX, f32::MIN]);
        assert_eq!(to_f32([f64::INFINITY]), [f32::INFINITY]);
    }
}
