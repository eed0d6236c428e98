//! The slopes that a span from a key can still have.

/// Spans are bounded along these: x, y, z, the four diagonals of a cube, and one that is always 0, because processors take
/// them in pairs.
///
/// What is close enough to a key is a ball. By x, y and z alone it would be taken for a cube, with corners so far out that
/// where a curve trembles, hardly a span would be ruled out.
const AXES: usize = 8;

pub(super) type AxisProjections = [f64; AXES];

#[inline]
pub(super) fn project_on_axes([x, y, z]: [f64; 3]) -> AxisProjections {
    const ROOT_OF_THIRD: f64 = 0.577_350_269_189_625_8;
    let [a, b, c] = [x, y, z].map(|x| x * ROOT_OF_THIRD);
    [x, y, z, a + b + c, a + b - c, a - b + c, a - b - c, 0.0]
}

/// How a key looks from one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeBounds {
    /// How far a span that ends there goes; nothing if none may end there.
    pub(super) end: Option<AxisProjections>,
    /// Between these a span that goes on has to pass.
    pub(super) low: AxisProjections,
    pub(super) high: AxisProjections,
}

impl SlopeBounds {
    /// A key that may be passed anyhow.
    pub(super) const fn unbounded(end: Option<AxisProjections>) -> Self {
        Self { end, low: [f64::NEG_INFINITY; AXES], high: [f64::INFINITY; AXES] }
    }
}

/// Slopes, as a range along each axis: more than are possible, and never less.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeRange {
    low: AxisProjections,
    high: AxisProjections,
}

impl SlopeRange {
    pub(super) const UNBOUNDED: Self = Self { low: [f64::NEG_INFINITY; AXES], high: [f64::INFINITY; AXES] };

    /// Whether a span that ends at this sight has one of the slopes.
    #[inline]
    pub(super) fn contains(&self, sight: &SlopeBounds, per_sec: f64) -> bool {
        let is_within = |end: &AxisProjections, axis: usize| {
            let slope = end[axis] * per_sec;
            self.low[axis] <= slope && slope <= self.high[axis]
        };
        sight.end.is_some_and(|end| (0..AXES).all(|axis| is_within(&end, axis)))
    }

    /// Leaves the slopes that pass this sight.
    #[inline]
    pub(super) fn narrow(&mut self, sight: &SlopeBounds, per_sec: f64) {
        for axis in 0..AXES {
            self.low[axis] = fast_max(self.low[axis], sight.low[axis] * per_sec);
            self.high[axis] = fast_min(self.high[axis], sight.high[axis] * per_sec);
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        (0..AXES).any(|axis| self.low[axis] > self.high[axis])
    }
}

/// Faster than `f64::max`, which takes care of NaN.
#[inline]
pub(super) fn fast_max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline]
pub(super) fn fast_min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
