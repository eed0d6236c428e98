//! The kinds of findings, each with its code, severity and advice.

named_enum! {
    /// The severity of a finding.
    ///
    /// ```
    /// use holotape::check::Severity;
    ///
    /// assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
    pub enum Severity: name {
        /// Unusual, but not a problem.
        Note = "note",
        /// Some of the motion is missing or unreliable.
        Warning = "warning",
        /// Data is read incorrectly, or not at all.
        Error = "error",
    }
}

named_enum! {
    /// A kind of problem with a recording.
    ///
    /// [`check`](super::check()) finds problems; [`repair`](super::repair()) and [`salvage`](super::salvage()) fix them
    /// or report what is lost. All three identify them by the same codes, which are stable between releases.
    ///
    /// ```
    /// use holotape::check::{FindingKind, Severity};
    ///
    /// assert_eq!(FindingKind::RotationWLost.code(), "rotation-w-lost");
    /// assert_eq!(FindingKind::RotationWLost.severity(), Severity::Error);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum FindingKind: code {
        /// The file ends before its contents do.
        Truncated = "truncated",
        /// The contents of the file contradict its format.
        Damaged = "damaged",
        /// The file has no header, as before the first MRTK release in 2019.
        Headerless = "headerless",
        /// Data follows the end of the contents.
        TrailingBytes = "trailing-bytes",
        /// The file is not an input animation, of an unknown version, empty, or ends before its first key.
        Unreadable = "unreadable",
        /// Rotation w has at most one key, while x, y and z have many.
        RotationWLost = "rotation-w-lost",
        /// A rebuilt rotation whose sign of w the evidence does not determine.
        RotationUncertain = "rotation-uncertain",
        /// Some components of a pose have keys and others have none, so the pose is undefined.
        IncompletePose = "incomplete-pose",
        /// Keys are not sorted by time.
        UnsortedTimes = "unsorted-times",
        /// Several keys at one time: the curve arrives at the first, and continues from the last.
        RepeatedTimes = "repeated-times",
        /// Keys or markers at a NaN or infinite time.
        NonFiniteTimes = "non-finite-times",
        /// NaN values, tangents or weights, or infinite ones where they are not allowed.
        NonFiniteValues = "non-finite-values",
        /// Rotations that are all zero.
        ZeroRotations = "zero-rotations",
        /// Rotations that do not have length 1.
        NonUnitRotations = "non-unit-rotations",
        /// Directions that are all zero.
        ZeroDirections = "zero-directions",
        /// Directions that do not have length 1.
        NonUnitDirections = "non-unit-directions",
        /// Neighbouring keys with opposite quaternions of a rotation.
        SignFlips = "sign-flips",
        /// Flag values other than 0 and 1.
        InvalidFlagValues = "invalid-flag-values",
        /// A body part ends early: the producer dropped its last samples.
        MissingEnd = "missing-end",
        /// A pose ends before the rest of its body part.
        EarlyEnd = "early-end",
        /// A single key in a pose, while other poses have many.
        IsolatedKeys = "isolated-keys",
        /// Joints without keys while the hand is tracked and other joints have some.
        MissingKeys = "missing-keys",
        /// A hand is tracked, but none of its joints has keys.
        TrackedWithoutJoints = "tracked-without-joints",
        /// Positions that jump away, or away and back, in a single step.
        PositionJumps = "position-jumps",
        /// Bones longer than those of any human hand.
        LongBones = "long-bones",
        /// Bones whose length changes.
        UnsteadyBones = "unsteady-bones",
        /// Joints without any keys, while other joints have some.
        EmptyJoints = "empty-joints",
        /// Components of one pose with keys at different times.
        ComponentTimesDiffer = "component-times-differ",
        /// Curves that do not hold their value outside their keys.
        NonClampWrapModes = "non-clamp-wrap-modes",
        /// Markers are not sorted by time.
        UnsortedMarkers = "unsorted-markers",
        /// Markers after the last key, or before 0.
        MarkersOutOfRange = "markers-out-of-range",
    }
}

impl FindingKind {
    /// The severity. In the joint slot `None`, which holds no real joint, all findings are notes.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Truncated
            | Self::Damaged
            | Self::Headerless
            | Self::TrailingBytes
            | Self::Unreadable
            | Self::RotationWLost
            | Self::IncompletePose
            | Self::UnsortedTimes
            | Self::NonFiniteTimes
            | Self::NonFiniteValues
            | Self::ZeroRotations => Severity::Error,
            Self::EmptyJoints | Self::ComponentTimesDiffer | Self::NonClampWrapModes | Self::MarkersOutOfRange => {
                Severity::Note
            }
            _ => Severity::Warning,
        }
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
            Self::Unreadable => "make sure that this is the right file, or look for another copy",
            Self::RotationWLost => "MRTK 2.6.0 to 2.7.2 wrote this; repair rebuilds w from x, y, z and the bones",
            Self::RotationUncertain => "inspect these rotations, or use the joint positions instead",
            Self::IncompletePose => "the pose has no value without all components; exclude it",
            Self::UnsortedTimes => "repair sorts the keys",
            Self::RepeatedTimes => "repair moves the first key of each time to just before it, and drops unused ones",
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
