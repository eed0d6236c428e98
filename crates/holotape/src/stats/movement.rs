//! How far and how fast something went.

use crate::Pose;

/// How far and how fast something went.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// # let stats = holotape::stats::Stats::of(&take, &Default::default())?;
/// let head = stats.head.unwrap();
/// assert!(head.max_speed_m_per_sec >= head.mean_speed_m_per_sec);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MovementStats {
    /// The length of the path.
    pub path_m: f64,
    /// How far it turned in all.
    pub rotation_deg: f64,
    /// For how long there was a pose.
    pub tracked_secs: f64,
    /// The path by that time.
    pub mean_speed_m_per_sec: f64,
    /// The fastest step.
    pub max_speed_m_per_sec: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovementBuilder {
    last: Option<(f64, Pose)>,
    has_poses: bool,
    travel: MovementStats,
}

impl MovementBuilder {
    /// The pose at the next time; nothing where there is none, and then the way across does not count.
    pub(super) fn push(&mut self, time: f64, pose: Option<&Pose>) {
        let is_finite = |pose: &&Pose| pose.position.iter().chain(&pose.rotation).all(|number| number.is_finite());
        let next = pose.filter(is_finite).map(|pose| (time, *pose));
        if let (Some((before, last)), Some((_, pose))) = (self.last, &next) {
            let (step_m, secs) = (pose.distance_m(&last), time - before);
            self.travel.path_m += step_m;
            self.travel.rotation_deg += pose.angle_deg(&last);
            self.travel.tracked_secs += secs;
            self.travel.max_speed_m_per_sec = self.travel.max_speed_m_per_sec.max(step_m / secs);
        }
        self.has_poses |= next.is_some();
        self.last = next;
    }

    /// Whether there was a pose at any time.
    pub(super) fn has_poses(&self) -> bool {
        self.has_poses
    }

    pub(super) fn finish(self) -> MovementStats {
        let MovementStats { path_m, tracked_secs: secs, .. } = self.travel;
        let mean_speed_m_per_sec = if secs > 0.0 { path_m / secs } else { 0.0 };
        MovementStats { mean_speed_m_per_sec, ..self.travel }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_no_path() {
        let at = |x: f32| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        let mut travel = MovementBuilder::default();
        for (time, pose) in [(0.0, Some(at(0.0))), (1.0, Some(at(2.0))), (2.0, None), (3.0, Some(at(50.0)))] {
            travel.push(time, pose.as_ref());
        }
        travel.push(4.0, Some(&at(51.0)));
        let travel = travel.finish();
        assert_eq!((travel.path_m, travel.tracked_secs), (3.0, 2.0));
        assert_eq!((travel.mean_speed_m_per_sec, travel.max_speed_m_per_sec), (1.5, 2.0));
    }

    #[test]
    fn what_is_no_number_is_no_pose() {
        let mut travel = MovementBuilder::default();
        travel.push(0.0, Some(&Pose::IDENTITY));
        travel.push(1.0, Some(&Pose { position: [f32::NAN, 0.0, 0.0], ..Pose::IDENTITY }));
        travel.push(2.0, Some(&Pose::IDENTITY));
        assert_eq!(travel.finish(), MovementStats::default());
    }
}
