//! Fewer keys under a proven error bound.
//!
//! A device gives a key a frame, and most of them lie on the way from one neighbour to the other. [`optimize()`] leaves
//! those out that nobody would miss:
//!
//! ```
//! use holotape::Tolerance;
//! use holotape::optimize::{OptimizeOptions, optimize};
//!
//! let mut take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
//! let joint = Tolerance { position_m: 0.002, rotation_deg: 0.5 };
//! let report = optimize(&mut take, &OptimizeOptions::new().with_joint(joint));
//! println!("{} of {} keys are left", report.keys_after, report.keys_before);
//! println!("joints are off by up to {} mm and {}°", report.max_position_error_m * 1e3, report.max_rotation_error_deg);
//! # assert!(report.keys_after < report.keys_before / 2 && report.max_rotation_error_deg <= 0.5);
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! # What is promised
//!
//! - At the time of every key that there was, the pose is within its tolerance of what it was: its position by the distance
//!   over x, y and z together, its rotation by the angle from one to the other. The same goes for the gaze. It is so for
//!   the keys as they are stored, evaluated in 64 bits; in 32 bits the evaluation itself adds some 0.00001°.
//! - Between those times it is so for positions as well, because both curves run straight there. Rotations and directions
//!   run along arcs, at speeds that are not quite the same: where neighbouring keys are far apart, they can be over the
//!   tolerance. In ten seconds from a device they were, by 0.03°, between some frames that were more than 17° apart.
//! - The first and the last key of each curve stay, so nothing is cut off. Boolean curves and markers stay as they are.
//!
//! # How few keys are left
//!
//! The fewest that any choice among the keys can do with. The three curves of a position keep the same times, and so do
//! those of a rotation, but not the same as the position. Of motion from a device that leaves a sixth less than the usual
//! method, by Ramer, Douglas and Peucker, in about the same time.
//!
//! Keys with new values, anywhere within the tolerance, would be fewer still: by a fifth to a quarter, of the same motion.
//! They are not made, because then no key would be what the device measured, and a recording that is reduced again and
//! again would drift away by a tolerance each time. Only the sign of a quaternion changes where it differs from its
//! neighbour's, which is the same rotation: players that do not look for the short way then take it.
//!
//! There are two limits. A span that leaves out keys turns by less than half a turn, a direction by less than a right
//! angle. And the search looks at keys 256 times for each one that it reaches, which is ten times what motion from a device
//! takes; where spans are hundreds of keys long it can come to an end with a few keys too many. The bound holds all the
//! same.
//!
//! # What is left alone
//!
//! Curves that do not run straight between their keys, that repeat themselves, that are out of order, that do not share
//! their times, that have values which are no numbers, or rotations whose length is far from 1: they stay as they are, and
//! the report names them and the [`SkipReason`].

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

use crate::{CurveRef, Recording, VectorKind};

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
    let mut report = OptimizeReport { keys_before: float_key_count(recording), ..OptimizeReport::default() };
    for (vector, curves) in recording.vectors_mut() {
        let largest_error = match vector.kind() {
            VectorKind::Position => &mut report.max_position_error_m,
            VectorKind::Rotation => &mut report.max_rotation_error_deg,
            VectorKind::Direction => &mut report.max_direction_error_deg,
        };
        match reduce::reduce(curves, vector.kind(), options.tolerance(vector.owner())) {
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
