//! Drops keys within a guaranteed error bound.
//!
//! A device records one key per frame, and most of them lie on the line between their neighbours. [`optimize()`] drops
//! the keys that are not needed:
//!
//! ```
//! use holotape::Tolerance;
//! use holotape::optimize::{OptimizeOptions, optimize};
//!
//! let mut recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
//! let joint = Tolerance { position_m: 0.002, rotation_deg: 0.5 };
//! let report = optimize(&mut recording, &OptimizeOptions::new().with_joint(joint));
//! println!("kept {} of {} keys", report.keys_after, report.keys_before);
//! println!("max. error: {} mm and {}°", report.max_position_error_m * 1e3, report.max_rotation_error_deg);
//! # assert!(report.keys_after < report.keys_before / 2 && report.max_rotation_error_deg <= 0.5);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # Guarantees
//!
//! - At the time of every original key, the pose is within its tolerance: the position by the distance in space, the
//!   rotation by the angle between old and new. The same holds for the gaze. This applies to the keys as stored,
//!   evaluated in 64 bits; evaluation in 32 bits adds about 0.00001°.
//! - Between those times it also holds for positions, because old and new curves are linear there. Rotations and
//!   directions move along arcs at slightly different speeds: where neighbouring keys are far apart, they can exceed the
//!   tolerance. In a device recording of 10 s they did so by 0.03°, between frames that were more than 17° apart.
//! - The first and the last key of each curve stay. Boolean curves and markers stay unchanged.
//!
//! # Number of keys
//!
//! The result has the minimal number of keys that any selection of the original keys can have. The curves of a position
//! keep the same key times, and so do those of a rotation, independently of the position. On motion from a device, this
//! is a sixth less than the common Ramer-Douglas-Peucker algorithm leaves, in about the same time.
//!
//! Keys with new values, anywhere within the tolerance, would be a fifth to a quarter fewer. They are not used: then no
//! key would be a measurement, and a recording that is optimized repeatedly would drift by one tolerance each time. Only
//! the sign of a quaternion is changed to match the previous key. That is the same rotation, and players that do not
//! choose the short way then take it.
//!
//! There are two limits. A segment that drops keys turns by less than 180°, or less than 90° for directions. And the
//! search checks at most 256 keys for each key that it reaches, ten times what motion from a device needs. Where segments
//! span hundreds of keys, it can return a few keys more than the minimum. The error bound still holds.
//!
//! # Skipped vectors
//!
//! A vector stays unchanged if a component is not linear between its keys, repeats, or has unsorted or non-finite keys;
//! if components have different key times; or if the length of a rotation or direction is far from 1. The report lists
//! these vectors and the [`SkipReason`].

mod keyed_motion;
mod options;
mod positions;
mod reduce;
mod report;
mod search;
mod slope_range;
mod unit_vectors;
mod vector_keys;

pub use self::options::OptimizeOptions;
pub use self::report::{OptimizeReport, SkipReason, SkippedVector};

use crate::{CurveRef, Recording, VectorKind, parallel};

/// Drops as many keys as the tolerances allow.
///
/// ```
/// use holotape::optimize::{OptimizeOptions, optimize};
///
/// let mut recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let duration_secs = recording.duration_secs();
/// let report = optimize(&mut recording, &OptimizeOptions::new());
/// assert!(report.keys_after < report.keys_before / 2);
/// assert_eq!(recording.duration_secs(), duration_secs);
/// # Ok::<(), holotape::Error>(())
/// ```
pub fn optimize(recording: &mut Recording, options: &OptimizeOptions) -> OptimizeReport {
    let threads = parallel::threads_for(recording);
    optimize_with_threads(recording, options, threads)
}

fn optimize_with_threads(recording: &mut Recording, options: &OptimizeOptions, threads: usize) -> OptimizeReport {
    let mut report = OptimizeReport { keys_before: float_key_count(recording), ..OptimizeReport::default() };
    let vectors: Vec<_> = recording.vectors_mut().collect();
    let results = parallel::map(vectors, threads, |(vector, curves)| {
        (vector, reduce::reduce(curves, vector.kind(), options.tolerance(vector.owner())))
    });
    for (vector, result) in results {
        let largest_error = match vector.kind() {
            VectorKind::Position => &mut report.max_position_error_m,
            VectorKind::Rotation => &mut report.max_rotation_error_deg,
            VectorKind::Direction => &mut report.max_direction_error_deg,
        };
        match result {
            Ok(error) => *largest_error = largest_error.max(error),
            Err(reason) => report.skipped.push(SkippedVector { vector, reason }),
        }
    }
    report.keys_after = float_key_count(recording);
    report
}

fn float_key_count(recording: &Recording) -> u64 {
    let count = |curve| if let CurveRef::Float(curve) = curve { curve.keys.len() as u64 } else { 0 };
    recording.curves().map(|(_, curve)| count(curve)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::DemoOptions;
    use crate::{Hand, Joint, Keys};

    #[test]
    fn result_does_not_depend_on_the_number_of_threads() {
        let mut recording = DemoOptions::new().with_seconds(3.0).generate().unwrap();
        // Skipped vectors are reported in the order of the file.
        for (hand, joint) in [(Hand::Right, Joint::Palm), (Hand::Left, Joint::Wrist)] {
            let hands = recording.hands.as_mut().unwrap();
            let hand = if hand == Hand::Left { &mut hands.left } else { &mut hands.right };
            let Keys::Linear(keys) = &mut hand.joints[joint.index()].position[1].keys else { panic!("not linear") };
            keys[7].value = f32::NAN;
        }
        let with_threads = |threads| {
            let mut recording = recording.clone();
            let report = optimize_with_threads(&mut recording, &OptimizeOptions::new(), threads);
            (format!("{report:?}"), recording.to_vec().unwrap().0)
        };
        let (report, bytes) = with_threads(1);
        assert!(report.contains("skipped: [") && report.matches("NotFinite").count() == 2, "{report}");
        for threads in [2, 5, 1000] {
            let other = with_threads(threads);
            assert_eq!(other.0, report, "{threads} threads");
            assert!(other.1 == bytes, "{threads} threads: other bytes");
        }
    }
}
