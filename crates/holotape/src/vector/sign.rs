//! Signs of quaternions: `q` and `-q` are the same rotation, and devices now and then switch between the two.

use std::ops::{Add, Mul, Neg};

/// Whether two quaternions are more than a right angle apart, so that a straight line between them takes the long way.
///
/// ```
/// let rotation = [0.0_f32, 0.6, 0.0, 0.8];
/// assert!(holotape::is_sign_flip(rotation, rotation.map(|x| -x)));
/// ```
#[inline]
pub fn is_sign_flip<T>(a: [T; 4], b: [T; 4]) -> bool
where
    T: Copy + Default + PartialOrd + Add<Output = T> + Mul<Output = T>,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < T::default()
}

/// Negates a quaternion if that brings it closer to the previous one. The rotation stays the same.
///
/// ```
/// let previous = [0.0, 0.6, 0.0, 0.8];
/// assert_eq!(holotape::align_sign(previous, [0.0, -0.8, 0.0, -0.6]), [0.0, 0.8, 0.0, 0.6]);
/// ```
#[inline]
#[must_use]
pub fn align_sign<T>(previous: [T; 4], rotation: [T; 4]) -> [T; 4]
where
    T: Copy + Default + PartialOrd + Add<Output = T> + Mul<Output = T> + Neg<Output = T>,
{
    if is_sign_flip(previous, rotation) { rotation.map(|x| -x) } else { rotation }
}
