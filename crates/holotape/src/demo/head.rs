//! Synthetic head motion: it follows the hands. Also which points a device's cameras see.

use glam::{DQuat, DVec3};

use super::hand::RigidPose;
use super::motion::Motion;
use super::noise::{SmoothNoise, SplitMix64};

/// The pivot of the head, and the eyes relative to it.
const NECK: DVec3 = DVec3::new(0.0, 1.52, -0.09);
const EYES_FROM_NECK: DVec3 = DVec3::new(0.0, 0.08, 0.09);

/// The fraction of a turn that the head makes; the eyes make the rest.
const HEAD_TURN_FRACTION: f64 = 0.65;
const MAX_YAW: f64 = 40.0_f64.to_radians();
const MAX_PITCH_DOWN: f64 = 22.0_f64.to_radians();
const MAX_PITCH_UP: f64 = 15.0_f64.to_radians();
/// The maximum noise of each angle.
const MAX_WOBBLE: f64 = 1.2_f64.to_radians();

/// How fast the head follows, per second: it lags by about two over this.
const FOLLOW_RATE: f64 = 7.0;
/// The interval between updates of the target direction. Fixed, so that the motion does not depend on the frame rate.
const UPDATE_SECS: f64 = 0.02;

/// The centre of a device's tracking volume is below the centre of the field of view.
const VIEW_AXIS: DVec3 = DVec3::new(0.0, -0.2588, 0.9659);
const VIEW_IN: f64 = 48.0_f64.to_radians();
const VIEW_OUT: f64 = 52.0_f64.to_radians();

/// A critically damped angle.
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

    /// Yaw and pitch a number of seconds after the last update.
    fn angles_after(&self, motion: &Motion, seconds: f64) -> (DampedFollower, DampedFollower) {
        let time = self.looks as f64 * UPDATE_SECS;
        let Some(cue) = motion.script.cue_at(time) else { return (self.yaw, self.pitch) };
        let direction = |point: DVec3| (point - NECK - EYES_FROM_NECK).normalize();
        let target = direction(cue.target);
        // The hand reaches the target later: the head turns half to the target and half to the hand.
        let hand = if cue.action.attracts_gaze() { direction(motion.hand_at(cue.hand, time)) } else { target };
        let [yaw, pitch] = angles(target + hand).map(|angle| angle * HEAD_TURN_FRACTION);
        let yaw = self.yaw.after(yaw.clamp(-MAX_YAW, MAX_YAW), seconds);
        (yaw, self.pitch.after(pitch.clamp(-MAX_PITCH_UP, MAX_PITCH_DOWN), seconds))
    }
}

/// Yaw to the right and downward pitch of a direction.
fn angles(direction: DVec3) -> [f64; 2] {
    let level = direction.x.hypot(direction.z);
    [direction.x.atan2(direction.z), (-direction.y).atan2(level)]
}

/// Whether a point is in the tracking volume. With hysteresis: a visible point stays visible up to a larger angle.
pub(super) fn is_visible(head: &RigidPose, point: DVec3, seen_before: bool) -> bool {
    let angle = (head.rotation * VIEW_AXIS).angle_between(point - head.position);
    angle < if seen_before { VIEW_OUT } else { VIEW_IN }
}
