//! A head that turns after what the hands do, and what it can see of them.

use glam::{DQuat, DVec3};

use super::hand::RigidPose;
use super::motion::Motion;
use super::noise::{SmoothNoise, SplitMix64};

/// Where the head turns about, and where the eyes are from there.
const NECK: DVec3 = DVec3::new(0.0, 1.52, -0.09);
const EYES_FROM_NECK: DVec3 = DVec3::new(0.0, 0.08, 0.09);

/// How much of the way to what they look at people turn the head; the eyes do the rest.
const HEAD_TURN_FRACTION: f64 = 0.65;
const MAX_YAW: f64 = 40.0_f64.to_radians();
const MAX_PITCH_DOWN: f64 = 22.0_f64.to_radians();
const MAX_PITCH_UP: f64 = 15.0_f64.to_radians();
/// Largest wobble of each angle.
const MAX_WOBBLE: f64 = 1.2_f64.to_radians();

/// How fast the head comes after, per second: it lags by about two over this.
const FOLLOW_RATE: f64 = 7.0;
/// Seconds between two looks at where to turn. Fixed, so that the head does not depend on the rate of the frames.
const UPDATE_SECS: f64 = 0.02;

/// The middle of what a device sees is below the middle of what its wearer sees.
const VIEW_AXIS: DVec3 = DVec3::new(0.0, -0.2588, 0.9659);
const VIEW_IN: f64 = 48.0_f64.to_radians();
const VIEW_OUT: f64 = 52.0_f64.to_radians();

/// An angle that comes to rest at what it follows, without going beyond it.
#[derive(Clone, Copy, Debug)]
struct DampedFollower {
    value: f64,
    speed: f64,
}

impl DampedFollower {
    fn after(self, target: f64, seconds: f64) -> Self {
        let offset = self.value - target;
        let push = self.speed + FOLLOW_RATE * offset;
        let fade = (-FOLLOW_RATE * seconds).exp();
        let value = target + (offset + push * seconds) * fade;
        Self { value, speed: (self.speed - FOLLOW_RATE * push * seconds) * fade }
    }
}

#[derive(Debug)]
pub(super) struct Head {
    looks: u64,
    yaw: DampedFollower,
    pitch: DampedFollower,
    wobble: SmoothNoise,
}

impl Head {
    pub(super) fn new(random: &mut SplitMix64) -> Self {
        let still = |value| DampedFollower { value, speed: 0.0 };
        let wobble = SmoothNoise::new(random, MAX_WOBBLE, 0.1, 0.5);
        Self { looks: 0, yaw: still(0.0), pitch: still(12.0_f64.to_radians()), wobble }
    }

    /// The pose of the head. Times must not decrease from call to call.
    pub(super) fn at(&mut self, motion: &Motion, time: f64) -> RigidPose {
        while (self.looks + 1) as f64 * UPDATE_SECS <= time {
            (self.yaw, self.pitch) = self.angles_after(motion, UPDATE_SECS);
            self.looks += 1;
        }
        let (yaw, pitch) = self.angles_after(motion, time - self.looks as f64 * UPDATE_SECS);
        let wobble = self.wobble.at(time);
        let rotation = DQuat::from_rotation_y(yaw.value + wobble.x)
            * DQuat::from_rotation_x(pitch.value + wobble.y)
            * DQuat::from_rotation_z(wobble.z);
        let neck = RigidPose { position: NECK + motion.sway_at(time), rotation };
        RigidPose { position: neck.point(EYES_FROM_NECK), rotation }
    }

    /// Yaw and pitch some seconds after the last look.
    fn angles_after(&self, motion: &Motion, seconds: f64) -> (DampedFollower, DampedFollower) {
        let time = self.looks as f64 * UPDATE_SECS;
        let Some(cue) = motion.script.cue_at(time) else { return (self.yaw, self.pitch) };
        let direction = |point: DVec3| (point - NECK - EYES_FROM_NECK).normalize();
        let target = direction(cue.target);
        // The hand comes to the target later: half of the head goes ahead and half goes with the hand.
        let hand = if cue.action.attracts_gaze() { direction(motion.hand_at(cue.hand, time)) } else { target };
        let [yaw, pitch] = angles(target + hand).map(|angle| angle * HEAD_TURN_FRACTION);
        let yaw = self.yaw.after(yaw.clamp(-MAX_YAW, MAX_YAW), seconds);
        (yaw, self.pitch.after(pitch.clamp(-MAX_PITCH_UP, MAX_PITCH_DOWN), seconds))
    }
}

/// Yaw to the right and pitch downwards of a direction.
fn angles(direction: DVec3) -> [f64; 2] {
    let level = direction.x.hypot(direction.z);
    [direction.x.atan2(direction.z), (-direction.y).atan2(level)]
}

/// Whether the head sees a point. What it saw the moment before it does not lose at the very same angle.
pub(super) fn is_visible(head: &RigidPose, point: DVec3, seen_before: bool) -> bool {
    let angle = (head.rotation * VIEW_AXIS).angle_between(point - head.position);
    angle < if seen_before { VIEW_OUT } else { VIEW_IN }
}
