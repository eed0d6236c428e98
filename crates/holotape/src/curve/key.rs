//! Keys: a time, a value, and for full keys the shape of the curve on both sides.

/// What a curve does outside its keys. Unity's numbers; others are kept as they are and clamp.
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
    /// Unity decides, which is to clamp.
    pub const DEFAULT: Self = Self(0);
    /// Clamp.
    pub const ONCE: Self = Self(1);
    /// Begin again.
    pub const LOOP: Self = Self(2);
    /// Back and forth.
    pub const PING_PONG: Self = Self(4);
    /// Clamp. Every recording seen so far has this.
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

    /// A word for the mode, if it is one of Unity's.
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

/// Which tangents of a [`BezierKey`] have a weight. Unity's numbers; others are kept as they are.
///
/// ```
/// use holotape::WeightedMode;
///
/// assert!(WeightedMode::BOTH.is_in() && WeightedMode::BOTH.is_out());
/// assert!(!WeightedMode::NONE.is_in());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct WeightedMode(pub i32);

impl WeightedMode {
    /// Neither tangent.
    pub const NONE: Self = Self(0);
    /// The tangent towards the key before.
    pub const IN: Self = Self(1);
    /// The tangent towards the key after.
    pub const OUT: Self = Self(2);
    /// Both tangents.
    pub const BOTH: Self = Self(3);

    /// Whether the tangent towards the key before has a weight.
    #[must_use]
    pub const fn has_in_weight(self) -> bool {
        self.0 & Self::IN.0 != 0
    }

    /// Whether the tangent towards the key after has a weight.
    #[must_use]
    pub const fn has_out_weight(self) -> bool {
        self.0 & Self::OUT.0 != 0
    }
}

/// A key with a straight line to each neighbour: 8 bytes in the file.
///
/// Keys are equal if they are bit for bit: a NaN equals itself, and 0 is not -0. In memory they are what their fields say,
/// one after the other, so that other languages can look at them where they are.
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

/// A key with tangents and weights, as Unity has them: 28 bytes in the file.
///
/// Keys are equal if they are bit for bit. In memory they are what their fields say, one after the other.
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
    /// Slope towards the key before, per second; infinite for a step.
    pub in_tangent: f32,
    /// Slope towards the key after, per second; infinite for a step.
    pub out_tangent: f32,
    /// How far the slope before reaches, as a share of the span to the key before.
    pub in_weight: f32,
    /// How far the slope after reaches, as a share of the span to the key after.
    pub out_weight: f32,
    /// Which of the weights count; the other is a third.
    pub weighted_mode: WeightedMode,
}

impl BezierKey {
    /// Whether this is bit for bit the key that a compact file means by time and value alone: tangents and weights
    /// zero, both weighted. Such keys lose nothing in compact layout.
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

/// The keys of a float curve, of one sort or the other. No keys equal no keys, whatever the sort.
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
    /// Straight lines, as compact files have them.
    Linear(Vec<LinearKey>),
    /// Tangents and weights, as full files have them.
    Bezier(Vec<BezierKey>),
}

impl Keys {
    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Linear(keys) => keys.len(),
            Self::Bezier(keys) => keys.len(),
        }
    }

    /// Whether there are none.
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

    /// Time and value of every key, in stored order, to change them.
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
