//! Everything that can be wrong with a recording, with its code and what to do about it.

use std::fmt;

/// How much a finding matters.
///
/// ```
/// use holotape::check::Severity;
///
/// assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Some of the motion is missing or not to be believed.
    Warning,
    /// What is there is read wrongly, or not at all.
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

/// Something that can be wrong with a recording.
///
/// [`check`](super::check()) finds faults, [`repair`](super::repair()) and [`salvage`](super::salvage()) mend them or
/// say what is lost. All three name them by the same codes, which stay as they are.
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
    /// The file has no header, as before the first release in 2019.
    Headerless,
    /// The file goes on behind its contents.
    TrailingBytes,
    /// The file is no input animation, or of a version that is not known.
    Unreadable,
    /// Rotation w has one key or none where x, y and z have many.
    RotationWLost,
    /// A rebuilt rotation of which the evidence does not tell the sign of w.
    RotationUncertain,
    /// Some components of a pose have keys and others have none, so that there is no pose.
    IncompletePose,
    /// Keys that are not in order of time.
    UnsortedTimes,
    /// Several keys at one time, of which only the last counts.
    RepeatedTimes,
    /// Keys or markers at a time that is not a number, or is infinite.
    NonFiniteTimes,
    /// Values, tangents or weights that are not numbers, or are infinite where they must not be.
    NonFiniteValues,
    /// Rotations that are all zero and so turn nowhere.
    ZeroRotations,
    /// Rotations that are not of length 1.
    NonUnitRotations,
    /// Directions that are all zero and so point nowhere.
    ZeroDirections,
    /// Directions that are not of length 1.
    NonUnitDirections,
    /// Neighbouring keys with the two opposite quaternions of a rotation.
    SignFlips,
    /// Flags that are neither 0 nor 1.
    FlagValues,
    /// A part of the recording that ends before it should: the producer dropped its last samples.
    EndsLost,
    /// A pose that ends before the rest of its part.
    EndsEarly,
    /// A single key beside poses with many.
    SingleKeys,
    /// Joints without keys while the hand was tracked and other joints have some.
    KeysMissing,
    /// A hand that was tracked while none of its joints has keys.
    TrackedWithoutJoints,
    /// Positions that jump away, or away and back, in a single step.
    Jumps,
    /// Bones that are longer than any hand's.
    LongBones,
    /// Bones whose length changes.
    UnsteadyBones,
    /// Joints that have no keys at all beside joints that have.
    EmptyJoints,
    /// Components of one pose with keys at different times.
    ComponentTimesDiffer,
    /// Curves that do not hold their value outside their keys.
    WrapModes,
    /// Markers that are not in order of time.
    UnsortedMarkers,
    /// Markers behind the last key, or before 0.
    MarkersOutside,
}

impl FindingKind {
    /// Every fault there is.
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
        Self::FlagValues,
        Self::EndsLost,
        Self::EndsEarly,
        Self::SingleKeys,
        Self::KeysMissing,
        Self::TrackedWithoutJoints,
        Self::Jumps,
        Self::LongBones,
        Self::UnsteadyBones,
        Self::EmptyJoints,
        Self::ComponentTimesDiffer,
        Self::WrapModes,
        Self::UnsortedMarkers,
        Self::MarkersOutside,
    ];

    /// The code: lower case, words joined by hyphens. Codes do not change between releases.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Damaged => "damaged",
            Self::Headerless => "headerless",
            Self::TrailingBytes => "trailing-bytes",
            Self::Unreadable => "unreadable",
            Self::RotationWLost => "rotation-w-lost",
            Self::RotationUncertain => "rotation-uncertain",
            Self::IncompletePose => "incomplete-pose",
            Self::UnsortedTimes => "unsorted-times",
            Self::RepeatedTimes => "repeated-times",
            Self::NonFiniteTimes => "non-finite-times",
            Self::NonFiniteValues => "non-finite-values",
            Self::ZeroRotations => "zero-rotations",
            Self::NonUnitRotations => "non-unit-rotations",
            Self::ZeroDirections => "zero-directions",
            Self::NonUnitDirections => "non-unit-directions",
            Self::SignFlips => "sign-flips",
            Self::FlagValues => "flag-values",
            Self::EndsLost => "ends-lost",
            Self::EndsEarly => "ends-early",
            Self::SingleKeys => "single-keys",
            Self::KeysMissing => "keys-missing",
            Self::TrackedWithoutJoints => "tracked-without-joints",
            Self::Jumps => "jumps",
            Self::LongBones => "long-bones",
            Self::UnsteadyBones => "unsteady-bones",
            Self::EmptyJoints => "empty-joints",
            Self::ComponentTimesDiffer => "component-times-differ",
            Self::WrapModes => "wrap-modes",
            Self::UnsortedMarkers => "unsorted-markers",
            Self::MarkersOutside => "markers-outside",
        }
    }

    /// How much it matters. In the joint slot `None`, which is no joint, faults are only notes.
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
            Self::EmptyJoints | Self::ComponentTimesDiffer | Self::WrapModes | Self::MarkersOutside => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Whether [`repair`](super::repair()) can mend it.
    ///
    /// ```
    /// use holotape::check::Fault;
    ///
    /// assert!(FindingKind::RotationWLost.is_mendable() && !FindingKind::Jumps.is_mendable());
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
                | Self::FlagValues
                | Self::UnsortedMarkers
        )
    }

    /// What can be done about it.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Truncated | Self::Damaged => "repair keeps everything before the damage; look for another copy",
            Self::Headerless => "repair reads it as version 1.0 when told to: `holotape repair --headerless`",
            Self::TrailingBytes => "repair drops what follows; another program may have added a section of its own",
            Self::Unreadable => "make sure that this is the right file",
            Self::RotationWLost => "MRTK 2.6.0 to 2.7.2 wrote this; repair rebuilds w from x, y, z and the bones",
            Self::RotationUncertain => "look at the rotations there, or use the positions of the joints instead",
            Self::IncompletePose => "nothing can be made of some components alone; leave the pose out",
            Self::UnsortedTimes => "repair sorts the keys",
            Self::RepeatedTimes => "repair keeps the last key of each time, which is the one that counts",
            Self::NonFiniteTimes | Self::NonFiniteValues => "repair drops these keys and straightens such tangents",
            Self::ZeroRotations | Self::ZeroDirections => "these keys say nothing; record again, or leave the pose out",
            Self::NonUnitRotations | Self::NonUnitDirections => "repair brings them to length 1",
            Self::SignFlips => "Unity turns the long way there; repair takes the nearer of the two quaternions",
            Self::FlagValues => "above 0.5 counts as true; repair writes 0 and 1",
            Self::EndsLost => {
                "MRTK 2.6.0 to 2.8.3 drops the last samples of a take unless partitions are off; they are gone"
            }
            Self::EndsEarly => "poses hold their last value from there; trim the recording to where all of it ends",
            Self::SingleKeys => "MRTK 2.6.0 to 2.8.3 keeps one key of 32 samples or fewer; do not use these poses",
            Self::KeysMissing => "poses there are an interpolation that nobody recorded",
            Self::TrackedWithoutJoints => "the flag says tracked but there are no poses; do not count this time",
            Self::Jumps => "tracking slipped; leave these keys out or smooth them",
            Self::LongBones | Self::UnsteadyBones => "tracking slipped, or a simulated hand changed its shape",
            Self::EmptyJoints => "some devices do not track these joints",
            Self::ComponentTimesDiffer => "each component is read for itself; resample to bring them together",
            Self::WrapModes => "the curve may repeat outside its keys; recorders write 8, clamp forever",
            Self::UnsortedMarkers => "repair sorts the markers",
            Self::MarkersOutside => "move or remove these markers",
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

    /// What is wrong with a file, and not with the recording in it, is for salvage.
    #[test]
    fn repair_mends_what_it_is_advised_for() {
        let of_files =
            [FindingKind::Truncated, FindingKind::Damaged, FindingKind::Headerless, FindingKind::TrailingBytes];
        for fault in FindingKind::ALL.into_iter().filter(|fault| !of_files.contains(fault)) {
            assert_eq!(fault.is_repairable(), fault.advice().contains("repair "), "{fault}");
        }
    }
}
