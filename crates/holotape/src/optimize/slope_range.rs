//! The range of slopes that a segment from a key can have.

/// Slopes are bounded along these axes: x, y, z, the four diagonals of a cube, and one that is always 0, for SIMD.
///
/// The points within the tolerance of a key are a ball. With x, y and z alone it would be approximated by a cube, whose
/// corners are so far out that noisy curves would rule out almost no segment.
const AXES: usize = 8;

pub(super) type AxisProjections = [f64; AXES];

#[inline]
pub(super) fn project_on_axes([x, y, z]: [f64; 3]) -> AxisProjections {
    const ROOT_OF_THIRD: f64 = 0.577_350_269_189_625_8;
    let [a, b, c] = [x, y, z].map(|x| x * ROOT_OF_THIRD);
    [x, y, z, a + b + c, a + b - c, a - b + c, a - b - c, 0.0]
}

/// The bounds that a key puts on segments from an earlier key.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeBounds {
    /// The displacement of a segment that ends at the key; `None` if no segment may end there.
    pub(super) end: Option<AxisProjections>,
    /// The bounds for a segment that passes the key.
    pub(super) low: AxisProjections,
    pub(super) high: AxisProjections,
}

impl SlopeBounds {
    /// A key that every segment may pass.
    pub(super) const fn unbounded(end: Option<AxisProjections>) -> Self {
        Self { end, low: [f64::NEG_INFINITY; AXES], high: [f64::INFINITY; AXES] }
    }
}

/// Slopes as a range along each axis. It may include impossible slopes, but it excludes no possible one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeRange {
    low: AxisProjections,
    high: AxisProjections,
}

impl SlopeRange {
    pub(super) const UNBOUNDED: Self = Self { low: [f64::NEG_INFINITY; AXES], high: [f64::INFINITY; AXES] };

    /// Whether a segment that ends at a key has one of the slopes.
    #[inline]
    pub(super) fn contains(&self, bounds: &SlopeBounds, per_sec: f64) -> bool {
        let is_within = |end: &AxisProjections, axis: usize| {
            let slope = end[axis] * per_sec;
            self.low[axis] <= slope && slope <= self.high[axis]
        };
        bounds.end.is_some_and(|end| (0..AXES).all(|axis| is_within(&end, axis)))
    }

    /// Keeps only the slopes that pass a key.
    #[inline]
    pub(super) fn narrow(&mut self, bounds: &SlopeBounds, per_sec: f64) {
        for axis in 0..AXES {
            self.low[axis] = fast_max(self.low[axis], bounds.low[axis] * per_sec);
            self.high[axis] = fast_min(self.high[axis], bounds.high[axis] * per_sec);
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        (0..AXES).any(|axis| self.low[axis] > self.high[axis])
    }
}

/// Faster than `f64::max`, which handles NaN.
#[inline]
pub(super) fn fast_max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline]
pub(super) fn fast_min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
