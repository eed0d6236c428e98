//! Where the eyes rested and how they jumped, told apart by speed.

use super::StatsOptions;
use crate::{Frame, Ray};

/// A ray nearer to where the head faces than this is the head's: devices without an eye tracker write that.
const SAME_AS_HEAD_DEG: f64 = 0.05;

/// Where the eyes rested and how they jumped, told apart by speed. Directions are those of the world, so the eyes also
/// rest on something while the head turns away.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().record()?;
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
    pub fixations: usize,
    /// For how long in all.
    pub fixation_secs: f64,
    /// For how long on average.
    pub mean_fixation_secs: f64,
    /// How many times they jumped.
    pub saccades: usize,
    /// How far on average.
    pub mean_saccade_deg: f64,
    /// The fastest step.
    pub max_speed_deg_per_sec: f64,
}

/// What the eyes are at.
#[derive(Clone, Copy, Debug)]
struct Spell {
    is_saccade: bool,
    from_secs: f64,
    from: Ray,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct GazeBuilder {
    saccade_deg_per_sec: f64,
    shortest_fixation_secs: f64,
    last: Option<(f64, Ray)>,
    spell: Option<Spell>,
    saccade_deg: f64,
    has_rays: bool,
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
            gaze: GazeStats { follows_head: true, ..GazeStats::default() },
        }
    }

    pub(super) fn push(&mut self, frame: &Frame) {
        let Some(ray) = frame.gaze.filter(|ray| ray.direction.iter().all(|number| number.is_finite())) else {
            self.end_spell();
            self.last = None;
            return;
        };
        self.has_rays = true;
        self.gaze.follows_head &= frame
            .camera
            .is_some_and(|head| Ray { direction: head.forward(), ..ray }.angle_deg(&ray) < SAME_AS_HEAD_DEG);
        if let Some((before, last)) = self.last {
            let speed = ray.angle_deg(&last) / (frame.time - before);
            self.gaze.max_speed_deg_per_sec = self.gaze.max_speed_deg_per_sec.max(speed);
            let is_saccade = speed > self.saccade_deg_per_sec;
            if self.spell.is_none_or(|spell| spell.is_saccade != is_saccade) {
                self.end_spell();
                self.spell = Some(Spell { is_saccade, from_secs: before, from: last });
            }
        }
        self.last = Some((frame.time, ray));
    }

    fn end_spell(&mut self) {
        let (Some(spell), Some((to_secs, to))) = (self.spell.take(), self.last) else { return };
        let secs = to_secs - spell.from_secs;
        if spell.is_saccade {
            self.gaze.saccades += 1;
            self.saccade_deg += to.angle_deg(&spell.from);
        } else if secs >= self.shortest_fixation_secs {
            self.gaze.fixations += 1;
            self.gaze.fixation_secs += secs;
        }
    }

    /// Nothing if there never was a ray.
    pub(super) fn finish(mut self) -> Option<GazeStats> {
        self.end_spell();
        let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
        self.gaze.mean_fixation_secs = mean(self.gaze.fixation_secs, self.gaze.fixations);
        self.gaze.mean_saccade_deg = mean(self.saccade_deg, self.gaze.saccades);
        self.has_rays.then_some(self.gaze)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;

    fn stats(frames: impl Iterator<Item = Frame>) -> GazeStats {
        let mut gaze = GazeBuilder::new(&StatsOptions::new());
        frames.for_each(|frame| gaze.push(&frame));
        gaze.finish().expect("rays")
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
        assert_eq!((stats.fixations, stats.saccades, stats.follows_head), (2, 1, false));
        assert!((stats.mean_saccade_deg - 20.0).abs() < 1e-3, "{stats:?}");
        assert!((stats.fixation_secs - 55.0 / 60.0).abs() < 1e-9, "{stats:?}");
        assert!((stats.max_speed_deg_per_sec - 300.0).abs() < 0.1, "{stats:?}");
    }

    #[test]
    fn a_short_rest_is_none_and_a_gap_ends_one() {
        let gaps = |frame: Frame| if (frame.time * 60.0).round() as u32 % 4 == 3 { None } else { frame.gaze };
        let frames = looking().take(30).map(|frame| Frame { gaze: gaps(frame.clone()), ..frame });
        assert_eq!(stats(frames).fixations, 0);
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
