//! Fixations and saccades, distinguished by angular speed.

use super::StatsOptions;
use crate::curve::total_secs;
use crate::pose::{to_f32, unit_vector};
use crate::{Frame, Ray};

/// Devices without an eye tracker write the forward ray of the head; a gaze within this angle of it counts as such.
const HEAD_RAY_TOLERANCE_DEG: f64 = 0.05;

/// Fixations and saccades, distinguished by angular speed. Directions are in world space, so a fixation continues while
/// the head turns away from its target.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// # let stats = holotape::stats::Stats::from_recording(&recording, &Default::default())?;
/// let gaze = stats.gaze.unwrap();
/// assert!(!gaze.follows_head && gaze.fixation_count > 0 && gaze.saccade_count > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GazeStats {
    /// Whether the gaze is always the forward ray of the head: there was no eye tracker.
    pub follows_head: bool,
    /// Number of fixations.
    pub fixation_count: usize,
    /// Total duration of fixations.
    pub fixation_secs: f64,
    /// Mean duration of a fixation; 0 without fixations.
    pub mean_fixation_secs: f64,
    /// Number of saccades.
    pub saccade_count: usize,
    /// Mean amplitude of a saccade; 0 without saccades.
    pub mean_saccade_deg: f64,
    /// Maximum angular speed.
    pub max_speed_deg_per_sec: f64,
}

/// A span in which the gaze rests on one target.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{StatsOptions, fixations};
///
/// for fixation in fixations(&recording, &StatsOptions::new())? {
///     println!("{:.2} s to {:.2} s: {:?}", fixation.start_secs, fixation.end_secs, fixation.ray.direction);
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Fixation {
    /// Start time.
    pub start_secs: f64,
    /// End time.
    pub end_secs: f64,
    /// Mean ray.
    pub ray: Ray,
}

/// The current fixation or saccade.
#[derive(Clone, Copy, Debug)]
struct GazePhase {
    is_saccade: bool,
    from_secs: f64,
    from: Ray,
    sum: RaySum,
}

#[derive(Clone, Copy, Debug, Default)]
struct RaySum {
    origin: [f64; 3],
    direction: [f64; 3],
    count: f64,
}

impl RaySum {
    fn add(&mut self, ray: &Ray) {
        self.count += 1.0;
        for axis in 0..3 {
            self.origin[axis] += f64::from(ray.origin[axis]);
            self.direction[axis] += f64::from(ray.direction[axis]);
        }
    }

    fn mean(&self) -> Ray {
        Ray { origin: to_f32(self.origin.map(|sum| sum / self.count)), direction: unit_vector(self.direction) }
    }
}

#[derive(Clone, Debug)]
pub(super) struct GazeBuilder {
    options: StatsOptions,
    last: Option<(f64, Ray)>,
    phase: Option<GazePhase>,
    saccade_deg: f64,
    has_rays: bool,
    fixations: Vec<Fixation>,
    gaze: GazeStats,
}

impl GazeBuilder {
    pub(super) fn new(options: &StatsOptions) -> Self {
        Self {
            options: *options,
            last: None,
            phase: None,
            saccade_deg: 0.0,
            has_rays: false,
            fixations: Vec::new(),
            gaze: GazeStats { follows_head: true, ..GazeStats::default() },
        }
    }

    pub(super) fn push(&mut self, frame: &Frame) {
        let Some(ray) = frame.gaze.filter(|ray| ray.direction.iter().all(|number| number.is_finite())) else {
            self.end_phase();
            self.last = None;
            return;
        };
        self.has_rays = true;
        self.gaze.follows_head &= frame
            .camera
            .is_some_and(|head| Ray { direction: head.forward(), ..ray }.angle_deg(&ray) < HEAD_RAY_TOLERANCE_DEG);
        if let Some((before, last)) = self.last {
            let speed = ray.angle_deg(&last) / (frame.time - before);
            self.gaze.max_speed_deg_per_sec = self.gaze.max_speed_deg_per_sec.max(speed);
            let is_saccade = speed > self.options.saccade_deg_per_sec;
            if self.phase.is_none_or(|phase| phase.is_saccade != is_saccade) {
                self.end_phase();
                let mut sum = RaySum::default();
                sum.add(&last);
                self.phase = Some(GazePhase { is_saccade, from_secs: before, from: last, sum });
            }
            if let Some(phase) = &mut self.phase {
                phase.sum.add(&ray);
            }
        }
        self.last = Some((frame.time, ray));
    }

    fn end_phase(&mut self) {
        let (Some(phase), Some((to_secs, to))) = (self.phase.take(), self.last) else { return };
        let secs = to_secs - phase.from_secs;
        if phase.is_saccade {
            self.gaze.saccade_count += 1;
            self.saccade_deg += to.angle_deg(&phase.from);
        } else if secs >= self.options.min_fixation_secs {
            self.fixations.push(Fixation { start_secs: phase.from_secs, end_secs: to_secs, ray: phase.sum.mean() });
        }
    }

    /// Returns `None` if there was no ray.
    pub(super) fn finish(mut self) -> Option<(GazeStats, Vec<Fixation>)> {
        self.end_phase();
        let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
        self.gaze.fixation_count = self.fixations.len();
        let spans: Vec<_> = self.fixations.iter().map(|fixation| fixation.start_secs..fixation.end_secs).collect();
        self.gaze.fixation_secs = total_secs(&spans);
        self.gaze.mean_fixation_secs = mean(self.gaze.fixation_secs, self.gaze.fixation_count);
        self.gaze.mean_saccade_deg = mean(self.saccade_deg, self.gaze.saccade_count);
        self.has_rays.then_some((self.gaze, self.fixations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;

    fn stats(frames: impl Iterator<Item = Frame>) -> GazeStats {
        let mut gaze = GazeBuilder::new(&StatsOptions::new());
        frames.for_each(|frame| gaze.push(&frame));
        gaze.finish().expect("rays").0
    }

    /// Looks ahead, with a saccade of 20° to the right between frames 30 and 34 of 60.
    fn looking() -> impl Iterator<Item = Frame> {
        (0..60_u8).map(|n| {
            let angle = (f32::from(n.clamp(30, 34) - 30) * 5.0).to_radians();
            let gaze = Some(Ray { origin: [0.0; 3], direction: [angle.sin(), 0.0, angle.cos()] });
            Frame { time: f64::from(n) / 60.0, gaze, ..Frame::default() }
        })
    }

    #[test]
    fn saccade_separates_two_fixations() {
        let stats = stats(looking());
        assert_eq!((stats.fixation_count, stats.saccade_count, stats.follows_head), (2, 1, false));
        assert!((stats.mean_saccade_deg - 20.0).abs() < 1e-3, "{stats:?}");
        assert!((stats.fixation_secs - 55.0 / 60.0).abs() < 1e-9, "{stats:?}");
        assert!((stats.max_speed_deg_per_sec - 300.0).abs() < 0.1, "{stats:?}");
    }

    #[test]
    fn fixation_has_time_and_mean_direction() {
        let mut gaze = GazeBuilder::new(&StatsOptions::new());
        looking().for_each(|frame| gaze.push(&frame));
        let (_, fixations) = gaze.finish().expect("rays");
        let times = fixations.iter().map(|it| [it.start_secs, it.end_secs].map(|secs| (secs * 60.0).round()));
        assert_eq!(times.collect::<Vec<_>>(), [[0.0, 30.0], [34.0, 59.0]]);
        let angle = 20_f32.to_radians();
        for (axis, expected) in [angle.sin(), 0.0, angle.cos()].into_iter().enumerate() {
            assert!((fixations[1].ray.direction[axis] - expected).abs() < 1e-6, "{fixations:?}");
        }
        assert_eq!(fixations[0].ray.direction, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn gap_ends_a_fixation_and_short_ones_are_dropped() {
        let gaps = |frame: Frame| if (frame.time * 60.0).round() as u32 % 4 == 3 { None } else { frame.gaze };
        let frames = looking().take(30).map(|frame| Frame { gaze: gaps(frame.clone()), ..frame });
        assert_eq!(stats(frames).fixation_count, 0);
    }

    #[test]
    fn forward_ray_of_the_head_is_recognized() {
        let frames = looking().map(|frame| Frame {
            camera: Some(Pose::IDENTITY),
            gaze: frame.gaze.map(|ray| Ray { direction: [0.0, 0.0, 1.0], ..ray }),
            ..frame
        });
        assert!(stats(frames).follows_head);
    }
}
