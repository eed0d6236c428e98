//! Path, rotation and speed of a pose.

use crate::Pose;

/// Path, rotation and speed of the head or a hand.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// # let stats = holotape::stats::Stats::from_recording(&recording, &Default::default())?;
/// let head = stats.head.unwrap();
/// assert!(head.max_speed_m_per_sec >= head.mean_speed_m_per_sec);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MovementStats {
    /// Path length.
    pub path_m: f64,
    /// Total rotation.
    pub rotation_deg: f64,
    /// Time over which the path is measured: steps between two samples that both have a pose.
    pub tracked_secs: f64,
    /// Path length divided by that time.
    pub mean_speed_m_per_sec: f64,
    /// Speed of the fastest step.
    pub max_speed_m_per_sec: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovementBuilder {
    last: Option<(f64, Pose)>,
    has_poses: bool,
    stats: MovementStats,
}

impl MovementBuilder {
    /// Adds the pose at the next time. The step across a missing pose is not counted.
    pub(super) fn push(&mut self, time: f64, pose: Option<&Pose>) {
        let is_finite = |pose: &&Pose| pose.position.iter().chain(&pose.rotation).all(|number| number.is_finite());
        let next = pose.filter(is_finite).map(|pose| (time, *pose));
        if let (Some((before, last)), Some((_, pose))) = (self.last, &next) {
            let (step_m, secs) = (pose.distance_m(&last), time - before);
            self.stats.path_m += step_m;
            self.stats.rotation_deg += pose.angle_deg(&last);
            self.stats.tracked_secs += secs;
            self.stats.max_speed_m_per_sec = self.stats.max_speed_m_per_sec.max(step_m / secs);
        }
        self.has_poses |= next.is_some();
        self.last = next;
    }

    pub(super) fn has_poses(&self) -> bool {
        self.has_poses
    }

    pub(super) fn finish(self) -> MovementStats {
        let MovementStats { path_m, tracked_secs: secs, .. } = self.stats;
        let mean_speed_m_per_sec = if secs > 0.0 { path_m / secs } else { 0.0 };
        MovementStats { mean_speed_m_per_sec, ..self.stats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_across_a_gap_are_not_counted() {
        let at = |x: f32| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        let mut movement = MovementBuilder::default();
        for (time, pose) in [(0.0, Some(at(0.0))), (1.0, Some(at(2.0))), (2.0, None), (3.0, Some(at(50.0)))] {
            movement.push(time, pose.as_ref());
        }
        movement.push(4.0, Some(&at(51.0)));
        let movement = movement.finish();
        assert_eq!((movement.path_m, movement.tracked_secs), (3.0, 2.0));
        assert_eq!((movement.mean_speed_m_per_sec, movement.max_speed_m_per_sec), (1.5, 2.0));
    }

    #[test]
    fn non_finite_poses_are_missing() {
        let mut movement = MovementBuilder::default();
        movement.push(0.0, Some(&Pose::IDENTITY));
        movement.push(1.0, Some(&Pose { position: [f32::NAN, 0.0, 0.0], ..Pose::IDENTITY }));
        movement.push(2.0, Some(&Pose::IDENTITY));
        assert_eq!(movement.finish(), MovementStats::default());
    }
}
