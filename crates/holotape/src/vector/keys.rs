//! Keys of curves that share their key times.

use crate::{Curve, Keys, LinearKey};

/// The values of all components of a vector at one key time.
///
/// ```
/// let key = holotape::VectorKey { time: 0.5, values: [1.0, 0.25] };
/// assert_eq!(key.values_f64(), [1.0, 0.25]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorKey<const N: usize> {
    /// Seconds from the start of the recording.
    pub time: f32,
    /// The values of the components.
    pub values: [f32; N],
}

impl<const N: usize> VectorKey<N> {
    /// The time in 64 bits, for arithmetic.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        f64::from(self.time)
    }

    /// The values in 64 bits, for arithmetic.
    #[must_use]
    pub fn values_f64(&self) -> [f64; N] {
        self.values.map(f64::from)
    }
}

/// Reads curves that have keys at the same times as one list of keys. Components that `N` has beyond the curves are 0.
///
/// Returns `None` if key times differ, or if there are no curves or more than `N`.
///
/// ```
/// use holotape::{Curve, LinearKey, vector_keys};
///
/// let curves = [1.0, 2.0].map(|value| Curve::from_iter([LinearKey::new(0.5, value)]));
/// assert_eq!(vector_keys::<2>(&curves).unwrap()[0].values, [1.0, 2.0]);
/// ```
#[must_use]
pub fn vector_keys<const N: usize>(curves: &[Curve]) -> Option<Vec<VectorKey<N>>> {
    let first = curves.first().filter(|_| curves.len() <= N)?;
    let mut keys: Vec<_> = first.keys.iter().map(|key| VectorKey { time: key.time, values: [0.0; N] }).collect();
    let are_shared = curves.iter().enumerate().all(|(component, curve)| match &curve.keys {
        Keys::Linear(from) => fill(&mut keys, component, from.iter().copied()),
        Keys::Bezier(from) => fill(&mut keys, component, from.iter().map(|key| LinearKey::new(key.time, key.value))),
    });
    are_shared.then_some(keys)
}

/// Sets one component of all keys and returns whether the times match. The loop has no early exit, so that it is fast.
fn fill<const N: usize>(
    keys: &mut [VectorKey<N>],
    component: usize,
    from: impl ExactSizeIterator<Item = LinearKey>,
) -> bool {
    let mut are_shared = from.len() == keys.len();
    for (key, from) in keys.iter_mut().zip(from) {
        are_shared &= is_same_time(key.time, from.time);
        key.values[component] = from.value;
    }
    are_shared
}

/// Whether all curves have keys at the same times.
pub(crate) fn have_shared_times(curves: &[Curve]) -> bool {
    curves.windows(2).all(|pair| have_same_times(&pair[0], &pair[1]))
}

/// Whether two curves have keys at the same times.
pub(crate) fn have_same_times(a: &Curve, b: &Curve) -> bool {
    a.keys.len() == b.keys.len() && starts_with_times(a, b)
}

/// Whether the key times of a curve are the first ones of another.
fn starts_with_times(curve: &Curve, prefix: &Curve) -> bool {
    prefix.keys.len() <= curve.keys.len()
        && curve.keys.iter().zip(prefix.keys.iter()).all(|(a, b)| is_same_time(a.time, b.time))
}

/// Equal numbers, or the same NaN.
#[inline]
fn is_same_time(a: f32, b: f32) -> bool {
    (a == b) | (a.to_bits() == b.to_bits())
}

/// Whether a rotation has lost its w, by the key counts of its x, y, z and w. MRTK 2.6.0 to 2.7.2 wrote one key for w.
pub(crate) fn is_w_lost([x, y, z, w]: [usize; 4]) -> bool {
    x.min(y).min(z) > 1 && w <= 1
}

/// Whether curves are a rotation that has lost its w, or whose w is truncated where x, y and z continue.
pub(crate) fn has_lost_w(curves: &[Curve]) -> bool {
    let [x, y, z, w] = curves else { return false };
    let is_truncated = || {
        w.keys.len() < x.keys.len() && have_shared_times(&curves[..3]) && x.keys.len() > 1 && starts_with_times(x, w)
    };
    is_w_lost([x, y, z, w].map(|curve| curve.keys.len())) || is_truncated()
}

/// The curves of a vector without a lost w.
pub(crate) fn curves_without_lost_w(curves: &[Curve]) -> &[Curve] {
    if has_lost_w(curves) { &curves[..3] } else { curves }
}
