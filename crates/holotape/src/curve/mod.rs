//! Curves: keys over time, evaluated like Unity's `AnimationCurve`.

mod eval;
mod id;
mod key;
mod spans;

pub use eval::{BoolEvaluator, CurveEvaluator};
pub(crate) use eval::{SegmentShape, bezier_parameter, segment_value, sort_by_time, turning_points};
pub use id::{CurveId, PoseComponent, PoseId, RayComponent};
pub use key::{BezierKey, Keys, LinearKey, WeightedMode, WrapMode};
pub(crate) use spans::{SpanBuilder, clip_spans, total_secs};

/// A float curve.
///
/// ```
/// use holotape::{Curve, LinearKey};
///
/// let ramp = Curve::from_iter([LinearKey::new(0.0, 10.0), LinearKey::new(2.0, 20.0)]);
/// assert_eq!(ramp.value_at(0.5), Some(12.5));
/// assert_eq!(ramp.value_at(99.0), Some(20.0));
/// assert_eq!(Curve::new().value_at(0.5), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The wrap mode before the first key.
    pub pre_wrap: WrapMode,
    /// The wrap mode after the last key.
    pub post_wrap: WrapMode,
    /// The keys. Known programs write them sorted by time.
    pub keys: Keys,
}

impl Curve {
    /// A curve without keys, which has no value.
    #[must_use]
    pub const fn new() -> Self {
        Self { pre_wrap: WrapMode::CLAMP_FOREVER, post_wrap: WrapMode::CLAMP_FOREVER, keys: Keys::Linear(Vec::new()) }
    }

    /// An evaluator for many times. It checks the order of the keys once instead of once per time.
    #[must_use]
    pub fn evaluator(&self) -> CurveEvaluator<'_> {
        CurveEvaluator::new(self)
    }

    /// The value at a time; `None` if there are no keys. This reads all keys to check their order. For many times, use
    /// the [`evaluator`](Self::evaluator).
    #[must_use]
    pub fn value_at(&self, time_secs: f64) -> Option<f64> {
        self.evaluator().value_at(time_secs)
    }

    /// The time of the last key in stored order.
    #[must_use]
    pub fn end_secs(&self) -> Option<f32> {
        self.keys.iter().next_back().map(|key| key.time)
    }
}

impl Default for Curve {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<LinearKey> for Curve {
    fn from_iter<I: IntoIterator<Item = LinearKey>>(keys: I) -> Self {
        Self { keys: Keys::Linear(keys.into_iter().collect()), ..Self::new() }
    }
}

impl FromIterator<BezierKey> for Curve {
    fn from_iter<I: IntoIterator<Item = BezierKey>>(keys: I) -> Self {
        Self { keys: Keys::Bezier(keys.into_iter().collect()), ..Self::new() }
    }
}

/// A boolean curve: each key holds until the next.
///
/// Values are floats as in the file; values above 0.5 are true.
///
/// ```
/// use holotape::{BoolCurve, LinearKey};
///
/// let pinching = BoolCurve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(2.0, 1.0)]);
/// assert!(!pinching.value_at(1.999));
/// assert!(pinching.value_at(2.0));
/// assert!(!BoolCurve::new().value_at(0.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoolCurve {
    /// The wrap mode before the first key.
    pub pre_wrap: WrapMode,
    /// The wrap mode after the last key.
    pub post_wrap: WrapMode,
    /// The keys. Known programs write them sorted by time.
    pub keys: Vec<LinearKey>,
}

impl BoolCurve {
    /// A curve without keys, which is always false.
    #[must_use]
    pub const fn new() -> Self {
        Self { pre_wrap: WrapMode::CLAMP_FOREVER, post_wrap: WrapMode::CLAMP_FOREVER, keys: Vec::new() }
    }

    /// An evaluator for many times.
    #[must_use]
    pub fn evaluator(&self) -> BoolEvaluator<'_> {
        BoolEvaluator::new(self)
    }

    /// The value at a time; false if there are no keys.
    #[must_use]
    pub fn value_at(&self, time_secs: f64) -> bool {
        self.evaluator().value_at(time_secs)
    }

    /// The time of the last key in stored order.
    #[must_use]
    pub fn end_secs(&self) -> Option<f32> {
        self.keys.last().map(|key| key.time)
    }
}

impl Default for BoolCurve {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<LinearKey> for BoolCurve {
    fn from_iter<I: IntoIterator<Item = LinearKey>>(keys: I) -> Self {
        Self { keys: keys.into_iter().collect(), ..Self::new() }
    }
}
