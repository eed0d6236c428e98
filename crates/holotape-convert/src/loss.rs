//! What a conversion could not represent.

use std::fmt;

use holotape::format;

/// The kind of a [`Loss`], for programs; its message is for people.
///
/// ```
/// use holotape_convert::{Loss, LossKind};
///
/// assert_eq!(Loss::new(LossKind::Markers, "dropped 2 markers: not supported by BVH").kind(), LossKind::Markers);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Joints that the target does not support.
    Joints,
    /// The tracked and pinching flags of hands.
    Flags,
    /// The head.
    Head,
    /// The gaze.
    Gaze,
    /// Markers.
    Markers,
    /// The shape of curves between their keys.
    Tangents,
    /// Poses of hands while they are not tracked.
    Untracked,
    /// Data between the times that were written.
    Resampled,
    /// Precision.
    Rounded,
    /// Joint positions that changed because bones have a fixed length.
    Bones,
    /// Nothing was lost, but data was added that was not recorded.
    Invented,
    /// Source data that a recording cannot represent.
    Unsupported,
    /// Invalid source data: non-finite values, rows out of order, a truncated last row.
    Unusable,
}

/// One thing that was lost or invented.
///
/// ```
/// use holotape_convert::{Loss, LossKind};
///
/// let loss = Loss::new(LossKind::Joints, "dropped the palms of both hands: not supported by WebXR");
/// assert!(loss.to_string().starts_with("dropped"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    kind: LossKind,
    message: String,
}

impl Loss {
    /// A loss with a message: what happened to the data, how much, and why.
    pub fn new(kind: LossKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The kind of data that was lost.
    #[must_use]
    pub const fn kind(&self) -> LossKind {
        self.kind
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// All losses of a conversion; empty if it is lossless.
///
/// ```
/// use holotape_convert::{Loss, LossKind, Losses};
///
/// let mut losses = Losses::default();
/// assert!(losses.is_empty());
/// losses.push(Loss::new(LossKind::Gaze, "dropped the gaze: not supported by BVH"));
/// assert_eq!(losses.iter().count(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "losses should be reported to the user"]
pub struct Losses(Vec<Loss>);

impl Losses {
    /// Whether the conversion was lossless.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a loss.
    pub fn push(&mut self, loss: Loss) {
        self.0.push(loss);
    }

    /// Adds a loss if something was lost.
    pub(crate) fn push_if(&mut self, is_lost: bool, kind: LossKind, message: impl FnOnce() -> String) {
        self.extend(is_lost.then(|| Loss::new(kind, message())));
    }

    /// Iterates over the losses.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.0.iter()
    }
}

impl Extend<Loss> for Losses {
    fn extend<I: IntoIterator<Item = Loss>>(&mut self, losses: I) {
        self.0.extend(losses);
    }
}

impl IntoIterator for Losses {
    type Item = Loss;
    type IntoIter = std::vec::IntoIter<Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<format::FormatLosses> for Losses {
    fn from(losses: format::FormatLosses) -> Self {
        let loss = |loss: &format::FormatLoss| {
            let kind = match loss {
                format::FormatLoss::Gaze { .. } => LossKind::Gaze,
                format::FormatLoss::Tangents { .. } => LossKind::Tangents,
                format::FormatLoss::Markers { .. } => LossKind::Markers,
                _ => LossKind::Unsupported,
            };
            Loss::new(kind, loss.to_string())
        };
        Self(losses.iter().map(loss).collect())
    }
}
