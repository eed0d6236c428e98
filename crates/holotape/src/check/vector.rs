//! The little arithmetic that finding and repairing share.

/// The length of a vector, without overflow.
pub(super) fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().fold(0.0_f64, |sum, x| sum.hypot(*x))
}

/// How far a vector is from length 1, if it is further than that; nothing for one without length or with a component
/// that is no number.
pub(super) fn unit_length_error<const N: usize>(v: [f64; N], tolerance: f64) -> Option<f64> {
    let length = length(v);
    let off = (length - 1.0).abs();
    (length.is_finite() && length > 0.0 && off > tolerance).then_some(off)
}

pub(super) fn is_zero<const N: usize>(v: [f32; N]) -> bool {
    v.iter().all(|x| *x == 0.0)
}
