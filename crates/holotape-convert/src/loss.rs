//! What a conversion could not keep.

use std::fmt;

use holotape::format;

/// What sort of thing was lost, for programs; the words of a [`Loss`] are for people.
///
/// ```
/// use holotape_convert::{Loss, LossKind};
///
/// assert_eq!(Loss::new(LossKind::Markers, "markers (2): BVH has none").kind(), LossKind::Markers);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Joints that the target has no place for.
    Joints,
    /// Whether hands were tracked, or pinching.
    Flags,
    /// The eye gaze.
    Gaze,
    /// Markers.
    Markers,
    /// The shape of curves between their keys.
    Tangents,
    /// Poses of hands while nobody saw them.
    Untracked,
    /// What lies between the times that were written.
    Resampled,
    /// Digits.
    Rounded,
    /// Where joints are, because bones have to keep their length.
    Bones,
    /// Nothing was lost, but something was made up that nobody recorded.
    Invented,
    /// What the source has and a recording has no place for.
    Unsupported,
    /// Parts of the source that could not be used: numbers that are none, rows out of order, a last row cut short.
    Unusable,
}

/// One thing that was lost, or made up.
///
/// ```
/// use holotape_convert::{Loss, LossKind};
///
/// let loss = Loss::new(LossKind::Joints, "palms of both hands: WebXR has no such joint");
/// assert_eq!(loss.to_string(), "palms of both hands: WebXR has no such joint");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    kind: LossKind,
    message: String,
}

impl Loss {
    /// A loss in words: what, how much of it, and why.
    pub fn new(kind: LossKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What sort of thing was lost.
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

/// Everything that a conversion lost; empty when nothing was.
///
/// ```
/// use holotape_convert::{Loss, LossKind, Losses};
///
/// let mut losses = Losses::default();
/// assert!(losses.is_empty());
/// losses.push(Loss::new(LossKind::Gaze, "eye gaze: BVH has no place for it"));
/// assert_eq!(losses.iter().count(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "what could not be kept is gone"]
pub struct Losses(Vec<Loss>);

impl Losses {
    /// Whether everything was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one.
    pub fn push(&mut self, loss: Loss) {
        self.0.push(loss);
    }

    /// One after the other.
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
