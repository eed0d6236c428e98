//! Where the eyes rested and how they jumped, told apart by speed.

use super::StatsOptions;
use crate::pose::{to_f32, unit_vector};
use crate::{Frame, Ray};

/// A ray nearer to where the head faces than this is the head's: devices without an eye tracker write that.
const HEAD_RAY_TOLERANCE_DEG: f64 = 0.05;

/// Where the eyes rested and how they jumped, told apart by speed. Directions are those of the world, so the eyes also
/// rest on something while the head turns away.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// # let stats = holotape::stats::Stats::of(&take, &Default::default())?;
/// let gaze = stats.gaze.unwrap();
/// assert!(!gaze.follows_head && gaze.fixations > 0 && gaze.saccades > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GazeStats {
    /// Whether the ray is that of the head all the time: then there was no eye tracker, and these numbers are not about
    /// eyes.
    pub follows_head: bool,
    /// How many times the eyes rested for long enough.
    pub fixation_count: usize,
    /// For how long in all.
    pub fixation_secs: f64,
    /// For how long on average.
    pub mean_fixation_secs: f64,
    /// How many times they jumped.
    pub saccade_count: usize,
    /// How far on average.
    pub mean_saccade_deg: f64,
    /// The fastest step.
    pub max_speed_deg_per_sec: f64,
}

/// A rest of the eyes.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{StatsOptions, fixations};
///
/// for fixation in fixations(&take, &StatsOptions::new())? {
///     println!("{:.2} s to {:.2} s: {:?}", fixation.from_secs, fixation.to_secs, fixation.ray.direction);
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Fixation {
    /// When it began.
    pub start_secs: f64,
    /// When it ended.
    pub end_secs: f64,
    /// From where and in which direction the eyes looked, on average.
    pub ray: Ray,
}

/// What the eyes are at.
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
    saccade_deg_per_sec: f64,
    shortest_fixation_secs: f64,
    last: Option<(f64, Ray)>,
    spell: Option<GazePhase>,
    saccade_deg: f64,
    has_rays: bool,
    fixations: Vec<Fixation>,
    gaze: GazeStats,
}

impl GazeBuilder {
    pub(super) fn new(options: &StatsOptions) -> Self {
        Self {
            saccade_deg_per_sec: options.saccade_deg_per_sec,
            shortest_fixation_secs: options.shortest_fixation_secs,
            last: None,
            spell: None,
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
            let is_saccade = speed > self.saccade_deg_per_sec;
            if self.spell.is_none_or(|spell| spell.is_saccade != is_saccade) {
                self.end_phase();
                let mut sum = RaySum::default();
                sum.add(&last);
                self.spell = Some(GazePhase { is_saccade, from_secs: before, from: last, sum });
            }
            if let Some(spell) = &mut self.spell {
                spell.sum.add(&ray);
            }
        }
        self.last = Some((frame.time, ray));
    }

    fn end_phase(&mut self) {
        let (Some(spell), Some((to_secs, to))) = (self.spell.take(), self.last) else { return };
        let secs = to_secs - spell.from_secs;
        if spell.is_saccade {
            self.gaze.saccade_count += 1;
            self.saccade_deg += to.angle_deg(&spell.from);
        } else if secs >= self.shortest_fixation_secs {
            self.fixations.push(Fixation { start_secs: spell.from_secs, end_secs: to_secs, ray: spell.sum.mean() });
        }
    }

    /// Nothing if there never was a ray.
    pub(super) fn finish(mut self) -> Option<(GazeStats, Vec<Fixation>)> {
        self.end_phase();
        let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
        self.gaze.fixation_count = self.fixations.len();
        self.gaze.fixation_secs = self.fixations.iter().map(|rest| rest.end_secs - rest.start_secs).sum();
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

    /// Looks ahead, but for a jump to 20 degrees right from the 30th to the 33rd of 60 frames on.
    fn looking() -> impl Iterator<Item = Frame> {
        (0..60_u8).map(|n| {
            let angle = (f32::from(n.clamp(30, 34) - 30) * 5.0).to_radians();
            let gaze = Some(Ray { origin: [0.0; 3], direction: [angle.sin(), 0.0, angle.cos()] });
            Frame { time: f64::from(n) / 60.0, gaze, ..Frame::default() }
        })
    }

    #[test]
    fn a_jump_between_two_rests() {
        let stats = stats(looking());
        assert_eq!((stats.fixation_count, stats.saccade_count, stats.follows_head), (2, 1, false));
        assert!((stats.mean_saccade_deg - 20.0).abs() < 1e-3, "{stats:?}");
        assert!((stats.fixation_secs - 55.0 / 60.0).abs() < 1e-9, "{stats:?}");
        assert!((stats.max_speed_deg_per_sec - 300.0).abs() < 0.1, "{stats:?}");
    }

    #[test]
    fn a_rest_has_its_time_and_its_direction() {
        let mut gaze = GazeBuilder::new(&StatsOptions::new());
        looking().for_each(|frame| gaze.push(&frame));
        let (_, rests) = gaze.finish().expect("rays");
        let times = rests.iter().map(|rest| [rest.start_secs, rest.end_secs].map(|secs| (secs * 60.0).round()));
        assert_eq!(times.collect::<Vec<_>>(), [[0.0, 30.0], [34.0, 59.0]]);
        let angle = 20_f32.to_radians();
        for (axis, expected) in [angle.sin(), 0.0, angle.cos()].into_iter().enumerate() {
            assert!((rests[1].ray.direction[axis] - expected).abs() < 1e-6, "{rests:?}");
        }
        assert_eq!(rests[0].ray.direction, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_short_rest_is_none_and_a_gap_ends_one() {
        let gaps = |frame: Frame| if (frame.time * 60.0).round() as u32 % 4 == 3 { None } else { frame.gaze };
        let frames = looking().take(30).map(|frame| Frame { gaze: gaps(frame.clone()), ..frame });
        assert_eq!(stats(frames).fixation_count, 0);
    }

    #[test]
    fn the_head_s_own_ray_is_recognised() {
        let frames = looking().map(|frame| Frame {
            camera: Some(Pose::IDENTITY),
            gaze: frame.gaze.map(|ray| Ray { direction: [0.0, 0.0, 1.0], ..ray }),
            ..frame
        });
        assert!(stats(frames).follows_head);
    }
}
