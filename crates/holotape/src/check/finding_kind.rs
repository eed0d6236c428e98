//! The kinds of findings, each with its code, severity and advice.

use std::fmt;

use self::Severity::{Error, Note, Warning};

/// The severity of a finding.
///
/// ```
/// use holotape::check::Severity;
///
/// assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Unusual, but not a problem.
    Note,
    /// Some of the motion is missing or unreliable.
    Warning,
    /// Data is read incorrectly, or not at all.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A kind of problem with a recording.
///
/// [`check`](super::check()) finds problems; [`repair`](super::repair()) and [`salvage`](super::salvage()) fix them or
/// report what is lost. All three identify them by the same codes, which are stable between releases.
///
/// ```
/// use holotape::check::{FindingKind, Severity};
///
/// assert_eq!(FindingKind::RotationWLost.code(), "rotation-w-lost");
/// assert_eq!(FindingKind::RotationWLost.severity(), Severity::Error);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file ends before its contents do.
    Truncated,
    /// The contents of the file contradict its format.
    Damaged,
    /// The file has no header, as before the first MRTK release in 2019.
    Headerless,
    /// Data follows the end of the contents.
    TrailingBytes,
    /// The file is not an input animation, or of an unknown version.
    Unreadable,
    /// Rotation w has at most one key, while x, y and z have many.
    RotationWLost,
    /// A rebuilt rotation whose sign of w the evidence does not determine.
    RotationUncertain,
    /// Some components of a pose have keys and others have none, so the pose is undefined.
    IncompletePose,
    /// Keys are not sorted by time.
    UnsortedTimes,
    /// Several keys at one time, of which only the last is used.
    RepeatedTimes,
    /// Keys or markers at a NaN or infinite time.
    NonFiniteTimes,
    /// NaN values, tangents or weights, or infinite ones where they are not allowed.
    NonFiniteValues,
    /// Rotations that are all zero.
    ZeroRotations,
    /// Rotations that do not have length 1.
    NonUnitRotations,
    /// Directions that are all zero.
    ZeroDirections,
    /// Directions that do not have length 1.
    NonUnitDirections,
    /// Neighbouring keys with opposite quaternions of a rotation.
    SignFlips,
    /// Flag values other than 0 and 1.
    InvalidFlagValues,
    /// A body part ends early: the producer dropped its last samples.
    MissingEnd,
    /// A pose ends before the rest of its body part.
    EarlyEnd,
    /// A single key in a pose, while other poses have many.
    IsolatedKeys,
    /// Joints without keys while the hand is tracked and other joints have some.
    MissingKeys,
    /// A hand is tracked, but none of its joints has keys.
    TrackedWithoutJoints,
    /// Positions that jump away, or away and back, in a single step.
    PositionJumps,
    /// Bones longer than those of any human hand.
    LongBones,
    /// Bones whose length changes.
    UnsteadyBones,
    /// Joints without any keys, while other joints have some.
    EmptyJoints,
    /// Components of one pose with keys at different times.
    ComponentTimesDiffer,
    /// Curves that do not hold their value outside their keys.
    NonClampWrapModes,
    /// Markers are not sorted by time.
    UnsortedMarkers,
    /// Markers after the last key, or before 0.
    MarkersOutOfRange,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [Self; 31] = [
        Self::Truncated,
        Self::Damaged,
        Self::Headerless,
        Self::TrailingBytes,
        Self::Unreadable,
        Self::RotationWLost,
        Self::RotationUncertain,
        Self::IncompletePose,
        Self::UnsortedTimes,
        Self::RepeatedTimes,
        Self::NonFiniteTimes,
        Self::NonFiniteValues,
        Self::ZeroRotations,
        Self::NonUnitRotations,
        Self::ZeroDirections,
        Self::NonUnitDirections,
        Self::SignFlips,
        Self::InvalidFlagValues,
        Self::MissingEnd,
        Self::EarlyEnd,
        Self::IsolatedKeys,
        Self::MissingKeys,
        Self::TrackedWithoutJoints,
        Self::PositionJumps,
        Self::LongBones,
        Self::UnsteadyBones,
        Self::EmptyJoints,
        Self::ComponentTimesDiffer,
        Self::NonClampWrapModes,
        Self::UnsortedMarkers,
        Self::MarkersOutOfRange,
    ];

    /// The code and the severity.
    const fn code_and_severity(self) -> (&'static str, Severity) {
        match self {
            Self::Truncated => ("truncated", Error),
            Self::Damaged => ("damaged", Error),
            Self::Headerless => ("headerless", Error),
            Self::TrailingBytes => ("trailing-bytes", Error),
            Self::Unreadable => ("unreadable", Error),
            Self::RotationWLost => ("rotation-w-lost", Error),
            Self::RotationUncertain => ("rotation-uncertain", Warning),
            Self::IncompletePose => ("incomplete-pose", Error),
            Self::UnsortedTimes => ("unsorted-times", Error),
            Self::RepeatedTimes => ("repeated-times", Warning),
            Self::NonFiniteTimes => ("non-finite-times", Error),
            Self::NonFiniteValues => ("non-finite-values", Error),
            Self::ZeroRotations => ("zero-rotations", Error),
            Self::NonUnitRotations => ("non-unit-rotations", Warning),
            Self::ZeroDirections => ("zero-directions", Warning),
            Self::NonUnitDirections => ("non-unit-directions", Warning),
            Self::SignFlips => ("sign-flips", Warning),
            Self::InvalidFlagValues => ("invalid-flag-values", Warning),
            Self::MissingEnd => ("missing-end", Warning),
            Self::EarlyEnd => ("early-end", Warning),
            Self::IsolatedKeys => ("isolated-keys", Warning),
            Self::MissingKeys => ("missing-keys", Warning),
            Self::TrackedWithoutJoints => ("tracked-without-joints", Warning),
            Self::PositionJumps => ("position-jumps", Warning),
            Self::LongBones => ("long-bones", Warning),
            Self::UnsteadyBones => ("unsteady-bones", Warning),
            Self::EmptyJoints => ("empty-joints", Note),
            Self::ComponentTimesDiffer => ("component-times-differ", Note),
            Self::NonClampWrapModes => ("non-clamp-wrap-modes", Note),
            Self::UnsortedMarkers => ("unsorted-markers", Warning),
            Self::MarkersOutOfRange => ("markers-out-of-range", Note),
        }
    }

    /// The code, in kebab case. Codes are stable between releases.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.code_and_severity().0
    }

    /// The severity. In the joint slot `None`, which holds no real joint, all findings are notes.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.code_and_severity().1
    }

    /// Whether [`repair`](super::repair()) can fix it.
    ///
    /// ```
    /// use holotape::check::FindingKind;
    ///
    /// assert!(FindingKind::RotationWLost.is_repairable() && !FindingKind::PositionJumps.is_repairable());
    /// ```
    #[must_use]
    pub const fn is_repairable(self) -> bool {
        matches!(
            self,
            Self::RotationWLost
                | Self::UnsortedTimes
                | Self::RepeatedTimes
                | Self::NonFiniteTimes
                | Self::NonFiniteValues
                | Self::NonUnitRotations
                | Self::NonUnitDirections
                | Self::SignFlips
                | Self::InvalidFlagValues
                | Self::UnsortedMarkers
        )
    }

    /// What the user can do about it.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Truncated | Self::Damaged => "repair keeps everything before the damage; look for another copy",
            Self::Headerless => "repair reads it as version 1.0: `holotape repair --headerless`",
            Self::TrailingBytes => "repair drops the trailing data; another program may have appended it",
            Self::Unreadable => "make sure that this is the right file",
            Self::RotationWLost => "MRTK 2.6.0 to 2.7.2 wrote this; repair rebuilds w from x, y, z and the bones",
            Self::RotationUncertain => "inspect these rotations, or use the joint positions instead",
            Self::IncompletePose => "the pose has no value without all components; exclude it",
            Self::UnsortedTimes => "repair sorts the keys",
            Self::RepeatedTimes => "repair keeps the last key of each time, which is the one that is used",
            Self::NonFiniteTimes | Self::NonFiniteValues => "repair drops these keys and makes such tangents linear",
            Self::ZeroRotations | Self::ZeroDirections => "these keys hold no data; record again, or exclude the pose",
            Self::NonUnitRotations | Self::NonUnitDirections => "repair normalizes them",
            Self::SignFlips => "Unity rotates the long way there; repair aligns the signs",
            Self::InvalidFlagValues => "values above 0.5 count as true; repair writes 0 and 1",
            Self::MissingEnd => {
                "MRTK 2.6.0 to 2.8.3 drops the last samples of a recording unless partitions are off; they are lost"
            }
            Self::EarlyEnd => "poses hold their last value from there; trim the recording to where all of it ends",
            Self::IsolatedKeys => "MRTK 2.6.0 to 2.8.3 keeps one key of 32 samples or fewer; do not use these poses",
            Self::MissingKeys => "poses are interpolated there, not recorded",
            Self::TrackedWithoutJoints => "the flag says tracked, but there are no poses; do not count this time",
            Self::PositionJumps => "tracking failed; drop these keys or smooth them",
            Self::LongBones | Self::UnsteadyBones => "tracking failed, or a simulated hand changed its shape",
            Self::EmptyJoints => "some devices do not track these joints",
            Self::ComponentTimesDiffer => "each component is evaluated on its own; resample to align the key times",
            Self::NonClampWrapModes => "the curve may repeat outside its keys; recorders write 8, clamp forever",
            Self::UnsortedMarkers => "repair sorts the markers",
            Self::MarkersOutOfRange => "move or remove these markers",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Problems of the file itself are for salvage.
    #[test]
    fn repairable_kinds_advise_to_repair() {
        let of_files =
            [FindingKind::Truncated, FindingKind::Damaged, FindingKind::Headerless, FindingKind::TrailingBytes];
        for kind in FindingKind::ALL.into_iter().filter(|kind| !of_files.contains(kind)) {
            assert_eq!(kind.is_repairable(), kind.advice().contains("repair "), "{kind}");
        }
    }
}
