//! Repairs a recording in memory, step by step, and reports what cannot be repaired.

mod finite;
mod flags;
mod keys;
mod order;
mod rotation_w;
mod unit;

use super::aggregate::FindingAggregator;
use super::options::UNIT_TOLERANCE;
use super::rules::{self, CheckContext};
use super::spans::TrackedSpans;
use super::{CheckOptions, FindingKind, RepairReport};
use crate::Recording;

options! {
    /// Options of [`repair`].
    ///
    /// ```
    /// use holotape::check::{RepairOptions, repair};
    ///
    /// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let exact = RepairOptions::new().with_unit_tolerance(1e-6);
    /// println!("{}", repair(&mut recording, &exact));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub struct RepairOptions {
        /// How far the length of a rotation or direction may be from 1 before it is normalized. By default 0.001, as in
        /// [`CheckOptions`]. With a tolerance below the precision of 32-bit floats, every repair changes keys again.
        with_unit_tolerance(unit_tolerance: f64) = UNIT_TOLERANCE,
    }
}

/// Repairs a recording in place: sorts keys, drops non-finite and redundant ones, rebuilds lost rotation w, normalizes
/// rotations and directions, fixes sign flips, and sorts markers.
///
/// Intact data stays unchanged, bit for bit. A second repair finds nothing to do.
///
/// ```
/// use holotape::check::{RepairOptions, repair};
/// use holotape::{Keys, LinearKey};
///
/// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// // MRTK 2.6.0 to 2.7.2 wrote only one key for rotation w.
/// let rotation = &mut recording.camera.as_mut().unwrap().rotation;
/// let Keys::Linear(w) = &mut rotation[3].keys else { unreachable!() };
/// let all = w.clone();
/// w.truncate(1);
///
/// let report = repair(&mut recording, &RepairOptions::new());
/// assert!(report.to_string().starts_with("repaired: camera: rebuilt w at 60 keys"));
/// let rebuilt = recording.camera.unwrap().rotation[3].keys.iter().collect::<Vec<LinearKey>>();
/// assert!(rebuilt.iter().zip(&all).all(|(a, b)| (a.value - b.value).abs() < 1e-3));
/// # Ok::<(), holotape::Error>(())
/// ```
pub fn repair(recording: &mut Recording, options: &RepairOptions) -> RepairReport {
    let (mut repaired, mut lost) = (FindingAggregator::default(), FindingAggregator::default());
    // All later steps rely on finite keys at strictly increasing times.
    order::sort_keys(recording, &mut repaired);
    finite::drop_non_finite(recording, &mut repaired);
    order::separate_repeated_times(recording, &mut repaired);
    flags::normalize_flags(recording, &mut repaired);
    // Lengths are meaningless while w is missing. Signs come last, because normalizing could change them.
    rotation_w::rebuild(recording, &mut repaired, &mut lost);
    unit::normalize(recording, options.unit_tolerance, &mut repaired);
    unit::fix_sign_flips(recording, &mut repaired);
    order::sort_markers(&mut recording.markers, &mut repaired);
    add_unrepaired(recording, &mut lost);
    RepairReport::new(repaired, lost)
}

/// Adds the findings that remain and cannot be repaired.
fn add_unrepaired(recording: &Recording, lost: &mut FindingAggregator) {
    let tracked = TrackedSpans::new(recording);
    let mut remaining = rules::check(CheckContext { recording, tracked: &tracked, options: &CheckOptions::new() });
    remaining.retain(|kind| {
        matches!(
            kind,
            FindingKind::RotationWLost
                | FindingKind::IncompletePose
                | FindingKind::NonFiniteTimes
                | FindingKind::ZeroRotations
                | FindingKind::ZeroDirections
                | FindingKind::MissingEnd
                | FindingKind::IsolatedKeys
        )
    });
    lost.append(remaining);
}
