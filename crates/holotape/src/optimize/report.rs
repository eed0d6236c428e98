//! [`OptimizeReport`]: the result of an optimization.

use crate::VectorId;

/// The result of [`optimize`](super::optimize()).
///
/// Keys are counted per component, as in [`Summary`](crate::Summary): a position with 100 key times has 300 keys. The
/// unchanged keys of boolean curves are not included. Errors are measured at the dropped keys; they are 0 if no key was
/// dropped.
///
/// ```
/// use holotape::optimize::{OptimizeOptions, optimize};
///
/// let mut recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let report = optimize(&mut recording, &OptimizeOptions::new());
/// assert!(report.keys_after < report.keys_before / 2);
/// assert!(report.max_position_error_m <= 0.002);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OptimizeReport {
    /// The number of keys of all float curves before.
    pub keys_before: u64,
    /// The number of keys of all float curves after.
    pub keys_after: u64,
    /// The largest distance of a position or gaze origin from a dropped key.
    pub max_position_error_m: f64,
    /// The largest angle between a rotation and a dropped key.
    pub max_rotation_error_deg: f64,
    /// The largest angle between a gaze direction and a dropped key.
    pub max_direction_error_deg: f64,
    /// The vectors that stayed unchanged, and why.
    pub skipped: Vec<SkippedVector>,
}

/// A vector that stayed unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SkippedVector {
    /// The vector.
    pub vector: VectorId,
    /// The reason.
    pub reason: SkipReason,
}

named_enum! {
    /// Why a vector stayed unchanged.
    ///
    /// ```
    /// assert_eq!(holotape::optimize::SkipReason::TimesDiffer.to_string(), "components have keys at different times");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum SkipReason: message {
        /// A component has wrap mode loop or ping-pong.
        Repeats = "repeats outside its keys",
        /// A component is not linear between its keys.
        NotLinear = "not linear between keys",
        /// The components do not share their key times.
        TimesDiffer = "components have keys at different times",
        /// Keys are unsorted, or several have the same time.
        TimesNotIncreasing = "key times are unsorted or repeated",
        /// A time or a value is NaN or infinite.
        NotFinite = "has non-finite times or values",
        /// The length of a rotation or direction is neither 0 nor between 0.5 and 2.
        NotUnit = "does not have length 1",
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for SkipReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
