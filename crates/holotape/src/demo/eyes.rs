//! Synthetic gaze: fixations and saccades.

use glam::{DQuat, DVec3};

use super::hand::{Joints, RigidPose};
use super::motion::{Motion, minimum_jerk};
use super::noise::{SmoothNoise, SplitMix64};
use super::routine::IDLE_GAZE_TARGET;
use crate::{Hand, Joint};

/// The maximum angle between gaze and head.
const MAX_TURN: f64 = 42.0_f64.to_radians();
/// The maximum drift during a fixation, as a fraction of the distance: about 0.1°.
const MAX_DRIFT: f64 = 0.0015;

/// The target of a fixation, and the offset from it.
#[derive(Clone, Copy, Debug)]
enum Aim {
    Spot(DVec3),
    Hand(Hand, DVec3),
}

/// One fixation: a saccade to the target until `from`, then the fixation until `until`.
#[derive(Clone, Copy, Debug)]
struct GazeTarget {
    aim: Aim,
    start: f64,
    from: f64,
    until: f64,
}

#[derive(Debug)]
pub(super) struct Eyes {
    random: SplitMix64,
    drift: SmoothNoise,
    before: Aim,
    current: GazeTarget,
}

impl Eyes {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed, 3);
        let drift = SmoothNoise::new(&mut random, MAX_DRIFT, 0.8, 5.0);
        let aim = Aim::Spot(IDLE_GAZE_TARGET);
        let current = GazeTarget { aim, start: 0.0, from: 0.0, until: random.uniform(0.2, 0.6) };
        Self { random, drift, before: aim, current }
    }

    /// The direction of the gaze. Times must not decrease from call to call.
    pub(super) fn at(&mut self, motion: &Motion, head: &RigidPose, hands: &[Joints; 2], time: f64) -> DVec3 {
        while time >= self.current.until {
            self.next_target(motion);
        }
        let GazeTarget { aim, start, from, .. } = self.current;
        let done = if time >= from { 1.0 } else { minimum_jerk((time - start) / (from - start)) };
        let [old, new] = [self.before, aim].map(|aim| (aim.point(hands) - head.position).normalize());
        let direction = (old.lerp(new, done) + self.drift.at(time)).normalize();
        clamp_to_eye_range(head.rotation * DVec3::Z, direction)
    }

    /// Selects the next target, depending on what the hands do at that time.
    fn next_target(&mut self, motion: &Motion) {
        let start = self.current.until;
        let from = start + self.random.uniform(0.02, 0.045);
        let until = from + self.random.uniform(0.2, 0.6);
        self.before = self.current.aim;
        let aim = self.next_aim(motion, start);
        self.current = GazeTarget { aim, start, from, until };
    }

    fn next_aim(&mut self, motion: &Motion, time: f64) -> Aim {
        // Always drawn, so that every fixation uses the same number of random values.
        let miss = self.random.uniform_point(DVec3::splat(-0.01), DVec3::splat(0.01));
        let at_hand = self.random.chance(0.3);
        let aside = self.random.chance(0.12);
        match motion.script.cue_at(time) {
            None => Aim::Spot(IDLE_GAZE_TARGET + miss * 15.0),
            Some(cue) if at_hand && cue.action.attracts_gaze() => Aim::Hand(cue.hand, miss),
            Some(cue) if aside => Aim::Spot(cue.target + miss * 10.0),
            Some(cue) => Aim::Spot(cue.target + miss),
        }
    }
}

impl Aim {
    fn point(&self, hands: &[Joints; 2]) -> DVec3 {
        match *self {
            Self::Spot(spot) => spot,
            Self::Hand(hand, miss) => hands[hand as usize][Joint::IndexKnuckle.index()].position + miss,
        }
    }
}

/// The direction, clamped to the maximum angle from the head's forward direction.
fn clamp_to_eye_range(ahead: DVec3, direction: DVec3) -> DVec3 {
    if ahead.angle_between(direction) <= MAX_TURN {
        return direction;
    }
    let axis = ahead.cross(direction).normalize();
    DQuat::from_axis_angle(axis, MAX_TURN) * ahead
}
