//! Keys: a time and a value, and for full keys also tangents and weights.

/// What a curve does outside its keys, by Unity's numbers. Unknown numbers are kept and clamp.
///
/// ```
/// use holotape::WrapMode;
///
/// assert_eq!(WrapMode::LOOP, WrapMode(2));
/// assert_eq!(WrapMode(77).name(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrapMode(pub i32);

impl WrapMode {
    /// Unity's default, which clamps.
    pub const DEFAULT: Self = Self(0);
    /// Clamp.
    pub const ONCE: Self = Self(1);
    /// Restart from the first key.
    pub const LOOP: Self = Self(2);
    /// Alternate forward and backward.
    pub const PING_PONG: Self = Self(4);
    /// Clamp. All known recordings have this.
    pub const CLAMP_FOREVER: Self = Self(8);

    /// Whether a curve repeats outside its keys in this mode; in all others it clamps.
    ///
    /// ```
    /// use holotape::WrapMode;
    ///
    /// assert!(WrapMode::LOOP.repeats() && !WrapMode::ONCE.repeats());
    /// ```
    #[must_use]
    pub const fn repeats(self) -> bool {
        matches!(self, Self::LOOP | Self::PING_PONG)
    }

    /// The name of the mode; `None` if Unity does not have it.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::DEFAULT => Some("default"),
            Self::ONCE => Some("once"),
            Self::LOOP => Some("loop"),
            Self::PING_PONG => Some("ping-pong"),
            Self::CLAMP_FOREVER => Some("clamp forever"),
            _ => None,
        }
    }
}

/// Which tangents of a [`BezierKey`] have a weight, by Unity's numbers. Unknown numbers are kept.
///
/// ```
/// use holotape::WeightedMode;
///
/// assert!(WeightedMode::BOTH.has_in_weight() && WeightedMode::BOTH.has_out_weight());
/// assert!(!WeightedMode::NONE.has_in_weight());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct WeightedMode(pub i32);

impl WeightedMode {
    /// Neither tangent.
    pub const NONE: Self = Self(0);
    /// The tangent towards the previous key.
    pub const IN: Self = Self(1);
    /// The tangent towards the next key.
    pub const OUT: Self = Self(2);
    /// Both tangents.
    pub const BOTH: Self = Self(3);

    /// Whether the tangent towards the previous key has a weight.
    #[must_use]
    pub const fn has_in_weight(self) -> bool {
        self.0 & Self::IN.0 != 0
    }

    /// Whether the tangent towards the next key has a weight.
    #[must_use]
    pub const fn has_out_weight(self) -> bool {
        self.0 & Self::OUT.0 != 0
    }
}

/// A key with a straight line to each neighbour: 8 bytes in the file.
///
/// Equality is bitwise: NaN equals itself, and 0 does not equal -0. The memory layout is that of C, so that other
/// languages can access keys without copying.
///
/// ```
/// let key = holotape::LinearKey { time: 0.5, value: 1.0 };
/// assert_eq!(key, holotape::LinearKey::new(0.5, 1.0));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LinearKey {
    /// Seconds from the start of the recording.
    pub time: f32,
    /// The curve's value at that time.
    pub value: f32,
}

impl LinearKey {
    /// A key with this time and value.
    #[must_use]
    pub const fn new(time: f32, value: f32) -> Self {
        Self { time, value }
    }
}

impl PartialEq for LinearKey {
    fn eq(&self, other: &Self) -> bool {
        [self.time, self.value].map(f32::to_bits) == [other.time, other.value].map(f32::to_bits)
    }
}

impl Eq for LinearKey {}

/// A key with tangents and weights, as in Unity: 28 bytes in the file.
///
/// Equality is bitwise. The memory layout is that of C.
///
/// ```
/// use holotape::{BezierKey, LinearKey};
///
/// let straight = BezierKey::from(LinearKey::new(0.5, 1.0));
/// assert!(straight.is_linear());
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BezierKey {
    /// Seconds from the start of the recording.
    pub time: f32,
    /// The curve's value at that time.
    pub value: f32,
    /// Slope towards the previous key, per second; infinite for a step.
    pub in_tangent: f32,
    /// Slope towards the next key, per second; infinite for a step.
    pub out_tangent: f32,
    /// Length of the tangent towards the previous key, as a fraction of the segment.
    pub in_weight: f32,
    /// Length of the tangent towards the next key, as a fraction of the segment.
    pub out_weight: f32,
    /// Which of the weights are used; an unused weight is 1/3.
    pub weighted_mode: WeightedMode,
}

impl BezierKey {
    /// Whether this is bit for bit the full key of a compact one: tangents and weights 0, both weighted. Such keys lose
    /// nothing in the compact layout.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        *self == Self::from(LinearKey::new(self.time, self.value))
    }

    fn bits(&self) -> [u32; 6] {
        [self.time, self.value, self.in_tangent, self.out_tangent, self.in_weight, self.out_weight].map(f32::to_bits)
    }
}

impl PartialEq for BezierKey {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits() && self.weighted_mode == other.weighted_mode
    }
}

impl Eq for BezierKey {}

impl From<LinearKey> for BezierKey {
    fn from(key: LinearKey) -> Self {
        Self {
            time: key.time,
            value: key.value,
            in_tangent: 0.0,
            out_tangent: 0.0,
            in_weight: 0.0,
            out_weight: 0.0,
            weighted_mode: WeightedMode::BOTH,
        }
    }
}

/// The keys of a float curve, compact or full. Empty lists are equal, whatever their layout.
///
/// ```
/// use holotape::{Keys, LinearKey};
///
/// let keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(2.0, 3.0)]);
/// assert_eq!(keys.len(), 2);
/// assert_eq!(keys.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 2.0]);
/// ```
#[derive(Clone, Debug)]
pub enum Keys {
    /// Compact keys, with straight lines between them.
    Linear(Vec<LinearKey>),
    /// Full keys, with tangents and weights.
    Bezier(Vec<BezierKey>),
}

impl Keys {
    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Linear(keys) => keys.len(),
            Self::Bezier(keys) => keys.len(),
        }
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the curve is a straight line between all keys.
    ///
    /// ```
    /// use holotape::{BezierKey, Keys, LinearKey};
    ///
    /// let key = BezierKey::from(LinearKey::new(0.0, 1.0));
    /// assert!(Keys::Bezier(vec![key]).are_linear());
    /// assert!(!Keys::Bezier(vec![BezierKey { out_tangent: 1.0, ..key }]).are_linear());
    /// ```
    #[must_use]
    pub fn are_linear(&self) -> bool {
        match self {
            Self::Linear(_) => true,
            Self::Bezier(keys) => keys.iter().all(BezierKey::is_linear),
        }
    }

    /// Time and value of every key, in stored order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = LinearKey> {
        let (linear, bezier): (&[_], &[_]) = match self {
            Self::Linear(keys) => (keys, &[]),
            Self::Bezier(keys) => (&[], keys),
        };
        linear.iter().copied().chain(bezier.iter().map(|key: &BezierKey| LinearKey::new(key.time, key.value)))
    }

    /// Mutable access to time and value of every key, in stored order.
    ///
    /// ```
    /// use holotape::{Keys, LinearKey};
    ///
    /// let mut keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(2.0, 3.0)]);
    /// for (time, value) in keys.iter_mut() {
    ///     *time += 0.5;
    ///     *value *= 10.0;
    /// }
    /// assert_eq!(keys, Keys::Linear(vec![LinearKey::new(0.5, 10.0), LinearKey::new(2.5, 30.0)]));
    /// ```
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&mut f32, &mut f32)> {
        let (linear, bezier): (&mut [_], &mut [_]) = match self {
            Self::Linear(keys) => (keys, &mut []),
            Self::Bezier(keys) => (&mut [], keys),
        };
        let linear = linear.iter_mut().map(|key: &mut LinearKey| (&mut key.time, &mut key.value));
        linear.chain(bezier.iter_mut().map(|key: &mut BezierKey| (&mut key.time, &mut key.value)))
    }
}

impl PartialEq for Keys {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Linear(a), Self::Linear(b)) => a == b,
            (Self::Bezier(a), Self::Bezier(b)) => a == b,
            _ => self.is_empty() && other.is_empty(),
        }
    }
}

impl Eq for Keys {}
