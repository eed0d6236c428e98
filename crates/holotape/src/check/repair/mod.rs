//! Mends what can be mended in a recording, step by step, and says what cannot.

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

/// How to repair.
///
/// ```
/// use holotape::check::{RepairOptions, repair};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let exact = RepairOptions::new().with_unit_tolerance(1e-6);
/// println!("{}", repair(&mut take, &exact));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions {
    unit_tolerance: f64,
}

impl RepairOptions {
    /// The defaults, given with each option.
    #[must_use]
    pub const fn new() -> Self {
        Self { unit_tolerance: UNIT_TOLERANCE }
    }

    /// How far the length of a rotation or direction may be from 1 before it is brought there. By default 0.001, as in
    /// [`CheckOptions`]. Below what 32 bits can hold, keys change at every repair.
    #[must_use]
    pub const fn with_unit_tolerance(self, unit_tolerance: f64) -> Self {
        Self { unit_tolerance }
    }
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Mends a recording in place: sorts, drops keys that are no numbers or count for nothing, rebuilds lost rotations, brings
/// rotations and directions to length 1, restores the continuity of their signs, and sorts the markers.
///
/// What has no fault is left as it is, bit for bit; a second repair finds nothing to do.
///
/// ```
/// use holotape::check::{RepairOptions, repair};
/// use holotape::{Keys, LinearKey};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// // As MRTK 2.6.0 to 2.7.2 wrote it: one key in rotation w.
/// let rotation = &mut take.camera.as_mut().unwrap().rotation;
/// let Keys::Linear(w) = &mut rotation[3].keys else { unreachable!() };
/// let all = w.clone();
/// w.truncate(1);
///
/// let report = repair(&mut take, &RepairOptions::new());
/// assert!(report.to_string().starts_with("done: camera: rebuilt w at 60 keys"));
/// let rebuilt = take.camera.unwrap().rotation[3].keys.iter().collect::<Vec<LinearKey>>();
/// assert!(rebuilt.iter().zip(&all).all(|(a, b)| (a.value - b.value).abs() < 1e-3));
/// # Ok::<(), holotape::Error>(())
/// ```
pub fn repair(recording: &mut Recording, options: &RepairOptions) -> RepairReport {
    let (mut done, mut lost) = (FindingAggregator::default(), FindingAggregator::default());
    // Everything behind this looks at keys in order, of which each is a number and has a time of its own.
    order::sort_keys(recording, &mut done);
    finite::drop_non_finite(recording, &mut done);
    order::drop_duplicate_times(recording, &mut done);
    flags::normalize_flags(recording, &mut done);
    // Lengths mean nothing while w is missing. Signs come last, because rounding to length 1 could change them.
    rotation_w::rebuild(recording, &mut done, &mut lost);
    unit::normalize(recording, options.unit_tolerance, &mut done);
    unit::fix_sign_flips(recording, &mut done);
    order::sort_markers(&mut recording.markers, &mut done);
    add_unrepaired(recording, &mut lost);
    RepairReport::new(done, lost)
}

/// Adds what is still wrong and beyond repair.
fn add_unrepaired(recording: &Recording, lost: &mut FindingAggregator) {
    let mut remains = FindingAggregator::default();
    let tracked = TrackedSpans::new(recording);
    rules::check(CheckContext { recording, tracked: &tracked, options: &CheckOptions::new() }, &mut remains);
    remains.retain(|fault| {
        matches!(
            fault,
            FindingKind::RotationWLost
                | FindingKind::IncompletePose
                | FindingKind::NonFiniteTimes
                | FindingKind::ZeroRotations
                | FindingKind::ZeroDirections
                | FindingKind::EndsLost
                | FindingKind::SingleKeys
        )
    });
    lost.append(remains);
}
