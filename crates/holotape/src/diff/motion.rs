//! Compares the poses of two recordings at the same times.

use crate::{CurveRef, Frame, Joint, PoseCurves, PoseId, RayCurves, Recording};

/// The largest difference of one quantity, and its time. A value that is not finite in only one recording differs by
/// infinity.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let diff = holotape::diff::Diff::between(&recording, &recording);
/// assert_eq!(diff.poses[0].max_rotation_deg.value, 0.0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct MaxDifference {
    /// In metres or degrees.
    #[cfg_attr(feature = "json", serde(serialize_with = "crate::json::frame::serialize_float"))]
    pub value: f64,
    /// Seconds from the start.
    #[cfg_attr(feature = "json", serde(serialize_with = "crate::json::frame::serialize_float"))]
    pub time_secs: f64,
}

impl MaxDifference {
    fn update(&mut self, value: f64, time_secs: f64) {
        if value > self.value {
            *self = Self { value, time_secs };
        }
    }
}

/// The largest differences of one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PoseDiff {
    /// Which pose.
    pub id: PoseId,
    /// The largest difference in position.
    pub max_position_m: MaxDifference,
    /// The largest difference in rotation.
    pub max_rotation_deg: MaxDifference,
}

/// The largest differences of the gaze.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RayDiff {
    /// The largest difference in origin.
    pub max_origin_m: MaxDifference,
    /// The largest difference in direction.
    pub max_direction_deg: MaxDifference,
}

pub(super) fn compare(a: &Recording, b: &Recording, end_secs: f64) -> (Vec<PoseDiff>, Option<RayDiff>) {
    let with_pose = |recording: &Recording| -> Vec<PoseId> {
        let is_joint = |id| !matches!(id, PoseId::Joint(_, Joint::None));
        recording.poses().filter(|(id, pose)| is_joint(*id) && has_pose(pose)).map(|(id, _)| id).collect()
    };
    let others = with_pose(b);
    let in_both = with_pose(a).into_iter().filter(|id| others.contains(id));
    let new =
        |id| PoseDiff { id, max_position_m: MaxDifference::default(), max_rotation_deg: MaxDifference::default() };
    let mut poses: Vec<_> = in_both.map(new).collect();
    let mut gaze = None;
    let [mut sampler_a, mut sampler_b] = [a, b].map(|recording| recording.sampler());
    let [mut frame_a, mut frame_b] = [Frame::default(), Frame::default()];
    for time in times(a, b, end_secs) {
        sampler_a.frame_into(time, &mut frame_a);
        sampler_b.frame_into(time, &mut frame_b);
        for diff in &mut poses {
            let (Some(a), Some(b)) = (frame_a.pose(diff.id), frame_b.pose(diff.id)) else { continue };
            diff.max_position_m.update(zero_if_identical(a.position, b.position, a.distance_m(&b)), time);
            diff.max_rotation_deg.update(zero_if_identical(a.rotation, b.rotation, a.angle_deg(&b)), time);
        }
        if let (Some(a), Some(b)) = (frame_a.gaze, frame_b.gaze) {
            let diff: &mut RayDiff = gaze.get_or_insert_default();
            diff.max_origin_m.update(zero_if_identical(a.origin, b.origin, a.distance_m(&b)), time);
            diff.max_direction_deg.update(zero_if_identical(a.direction, b.direction, a.angle_deg(&b)), time);
        }
    }
    (poses, gaze)
}

/// 0 for identical bits, infinity if the difference is NaN.
fn zero_if_identical<const N: usize>(a: [f32; N], b: [f32; N], difference: f64) -> f64 {
    match () {
        () if a.map(f32::to_bits) == b.map(f32::to_bits) => 0.0,
        () if difference.is_nan() => f64::INFINITY,
        () => difference,
    }
}

/// All joints but the slot `None`, in which simulated hands leave keys.
pub(super) const REAL_JOINTS: &[Joint] = Joint::ALL.split_at(1).1;

pub(super) fn has_pose(pose: &PoseCurves) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|curve| !curve.keys.is_empty())
}

pub(super) fn has_ray(ray: &RayCurves) -> bool {
    ray.origin.iter().chain(&ray.direction).all(|curve| !curve.keys.is_empty())
}

/// Every key time of both recordings, each time at which a hand is found or lost and the last time before it, and
/// times in between where curves are not linear; sorted, without duplicates.
fn times(a: &Recording, b: &Recording, end_secs: f64) -> Vec<f64> {
    /// The number of parts into which a non-linear segment is divided.
    const SUBDIVISIONS: u32 = 4;
    let mut keys: Vec<f32> = vec![0.0, end_secs as f32];
    let mut is_bent = false;
    for recording in [a, b] {
        let mut seen: Vec<f32> = Vec::new();
        for (_, curve) in recording.curves() {
            let curve = match curve {
                CurveRef::Float(curve) => curve,
                // Where a hand is found or lost, poses start and end between keys.
                CurveRef::Bool(curve) => {
                    keys.extend(curve.keys.iter().flat_map(|key| [key.time.next_down(), key.time]));
                    continue;
                }
            };
            is_bent |= !curve.keys.are_linear();
            // The curves of one pose usually share their times: sort those once, not seven times.
            if !curve.keys.iter().map(|key| key.time).eq(seen.iter().copied()) {
                seen.clear();
                seen.extend(curve.keys.iter().map(|key| key.time));
                keys.extend(&seen);
            }
        }
    }
    keys.retain(|time| (0.0..=end_secs as f32).contains(time));
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    let parts = if is_bent { SUBDIVISIONS } else { 1 };
    let last = keys.last().copied();
    let between = keys.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]].map(f64::from);
        (0..parts).map(move |part| from + (to - from) * f64::from(part) / f64::from(parts))
    });
    between.chain(last.map(f64::from)).collect()
}
