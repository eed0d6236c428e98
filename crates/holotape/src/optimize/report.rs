//! What was done to a recording, and what was not.

use std::fmt;

use crate::VectorId;

/// What [`optimize`](super::optimize()) did.
///
/// Keys are counted as [`Summary`](crate::Summary) counts them, one for each component: a position with a hundred keys
/// has three hundred. The keys of boolean curves, which stay as they are, are not among them. The errors are those of
/// the keys that were left out, measured on the recording as it is now; where none was, they are 0.
///
/// ```
/// use holotape::optimize::{OptimizeOptions, optimize};
///
/// let mut take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let report = optimize(&mut take, &OptimizeOptions::new());
/// assert!(report.keys_after < report.keys_before / 2);
/// assert!(report.max_position_error_m <= 0.002);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OptimizeReport {
    /// How many keys the float curves had.
    pub keys_before: u64,
    /// How many they have now.
    pub keys_after: u64,
    /// The furthest that a position, or the origin of the gaze, is from a key that it had.
    pub max_position_error_m: f64,
    /// The furthest that a rotation is turned from a key that it had.
    pub max_rotation_error_deg: f64,
    /// The furthest that the direction of the gaze is from a key that it had.
    pub max_direction_error_deg: f64,
    /// What could not be reduced and is as it was, and why.
    pub skipped: Vec<SkippedVector>,
}

/// Curves that could not be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SkippedVector {
    /// Which curves.
    pub vector: VectorId,
    /// Why not.
    pub reason: SkipReason,
}

/// Why curves could not be reduced.
///
/// ```
/// assert_eq!(holotape::optimize::SkipReason::TimesDiffer.to_string(), "components have keys at different times");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// A component loops or swings back and forth.
    Repeats,
    /// A component does not run straight between its keys.
    NotLinear,
    /// The components do not share their key times.
    TimesDiffer,
    /// Keys are out of order, or several have the same time.
    TimesNotIncreasing,
    /// A time or a value is infinite or not a number.
    NotFinite,
    /// A rotation or a direction is neither zero nor between half and twice as long as it should be.
    NotUnit,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repeats => "repeats itself outside of its keys",
            Self::NotLinear => "does not run straight between keys",
            Self::TimesDiffer => "components have keys at different times",
            Self::TimesNotIncreasing => "key times are out of order or repeated",
            Self::NotFinite => "has times or values that are not finite",
            Self::NotUnit => "is not of length 1",
        })
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for SkipReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
