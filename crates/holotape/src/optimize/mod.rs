//! Fewer keys under a proven error bound.
//!
//! A device gives a key a frame, and most of them lie on the way from one neighbour to the other. [`optimize()`] leaves
//! those out that nobody would miss:
//!
//! ```
//! use holotape::optimize::{OptimizeOptions, Tolerance, optimize};
//!
//! let mut take = holotape::demo::DemoOptions::new().with_seconds(2.0).record()?;
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
//! - At the time of every key that there was, the pose is within its tolerance of the one that there was: its position by
//!   the distance over x, y and z, its rotation by the angle from one to the other. The same goes for the gaze. This holds
//!   for the keys as they are stored, evaluated in 64 bits; in 32 bits the evaluation itself is off by a ten-thousandth of
//!   a degree.
//! - Between those times, it holds for positions as well: both curves run straight there. Rotations and directions run along
//!   arcs, at speeds that differ a little, so where neighbouring keys are far apart they can be over the tolerance. In ten
//!   seconds from a device that was so by 0.03°, between keys that were 17° apart, and nowhere else.
//! - The first and the last key stay, and so does the length of the recording. Boolean curves and markers stay as they are.
//!
//! # How few keys are left
//!
//! The fewest that any choice among the keys that there were can do with. The positions of a pose, or its rotations, are one
//! choice: x, y and z keep the same times, which need not be those of the rotation. On motion from a device that is a sixth
//! less than what the usual method keeps, by Ramer, Douglas and Peucker, which takes as long.
//!
//! Every key that is left has the value that was measured. Only the sign of a quaternion may change, which is no change of
//! the rotation: neighbours that are left get the same sign, so that players that do not look for the short way take it.
//!
//! Two limits: a span that leaves out keys may not turn by half a turn or more, a direction by a right angle. And the search
//! looks at a key a few hundred times on average before it gives up trying everything. Motion from a device takes a tenth of
//! that. Where spans are hundreds of keys long, there may be a few keys more than it takes. The bound always holds.
//!
//! # What is left alone
//!
//! Curves between whose keys motion is not straight, of components with different times, out of order, that repeat
//! themselves, or with values that are no numbers, stay as they are, and the report names them with the [`Reason`].

mod bundle;
mod cone;
mod motion;
mod options;
mod places;
mod reduce;
mod report;
mod search;
mod turns;

pub use self::options::{GazeTolerance, OptimizeOptions, Tolerance};
pub use self::report::{Bundle, OptimizeReport, Reason, Untouched};

use self::reduce::{reduce_direction, reduce_position, reduce_rotation};
use crate::{CurveRef, PoseCurves, PoseId, RayCurves, Recording};

/// Leaves out as many keys as the tolerances allow.
///
/// ```
/// use holotape::optimize::{OptimizeOptions, optimize};
///
/// let mut take = holotape::demo::DemoOptions::new().with_seconds(2.0).record()?;
/// let length = take.duration_secs();
/// let report = optimize(&mut take, &OptimizeOptions::new());
/// assert!(report.keys_after < report.keys_before / 2);
/// assert_eq!(take.duration_secs(), length);
/// # Ok::<(), holotape::Error>(())
/// ```
pub fn optimize(recording: &mut Recording, options: &OptimizeOptions) -> OptimizeReport {
    let mut report = OptimizeReport { keys_before: float_key_count(recording), ..OptimizeReport::default() };
    for (id, pose) in recording.poses_mut() {
        let tolerance = if id == PoseId::Camera { options.camera } else { options.joint };
        report.reduce_pose(id, pose, tolerance);
    }
    if let Some(gaze) = &mut recording.gaze {
        report.reduce_gaze(gaze, options.gaze);
    }
    report.keys_after = float_key_count(recording);
    report
}

fn float_key_count(recording: &Recording) -> u64 {
    let count = |curve| if let CurveRef::Float(curve) = curve { curve.keys.len() as u64 } else { 0 };
    recording.curves().map(|(_, curve)| count(curve)).sum()
}

impl OptimizeReport {
    fn reduce_pose(&mut self, id: PoseId, PoseCurves { position, rotation }: &mut PoseCurves, tolerance: Tolerance) {
        let error_m = self.achieved(Bundle::Position(id), reduce_position(position, tolerance.position_m));
        self.max_position_error_m = self.max_position_error_m.max(error_m);
        let error_deg = self.achieved(Bundle::Rotation(id), reduce_rotation(rotation, tolerance.rotation_deg));
        self.max_rotation_error_deg = self.max_rotation_error_deg.max(error_deg);
    }

    fn reduce_gaze(&mut self, RayCurves { origin, direction }: &mut RayCurves, tolerance: GazeTolerance) {
        let error_m = self.achieved(Bundle::GazeOrigin, reduce_position(origin, tolerance.origin_m));
        self.max_position_error_m = self.max_position_error_m.max(error_m);
        let error_deg = self.achieved(Bundle::GazeDirection, reduce_direction(direction, tolerance.direction_deg));
        self.max_direction_error_deg = self.max_direction_error_deg.max(error_deg);
    }

    /// The error of curves that were reduced; of others none, and they are noted.
    fn achieved(&mut self, bundle: Bundle, error: Result<f64, Reason>) -> f64 {
        error.unwrap_or_else(|reason| {
            self.untouched.push(Untouched { bundle, reason });
            0.0
        })
    }
}
