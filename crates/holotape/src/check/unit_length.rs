//! Arithmetic that checks and repairs share.

/// The length of a vector, without overflow.
pub(super) fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().fold(0.0_f64, |sum, x| sum.hypot(*x))
}

/// How far the length of a vector is from 1, if by more than the tolerance. `None` for zero and non-finite vectors.
pub(super) fn unit_length_error<const N: usize>(v: [f64; N], tolerance: f64) -> Option<f64> {
    let length = length(v);
    let error = (length - 1.0).abs();
    (length.is_finite() && length > 0.0 && error > tolerance).then_some(error)
}

pub(super) fn is_zero<const N: usize>(v: [f32; N]) -> bool {
    v.iter().all(|x| *x == 0.0)
}
