//! Interpolates between hand poses: smooth paths, waving, tremor and sway.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::hand::{self, Joints, RigidPose, mirror_to};
use super::hand_shape::HandShape;
use super::noise::{SmoothNoise, SplitMix64};
use super::script::{HandTransition, Script};
use crate::Hand;

/// The elbow relative to the wrist of a waving hand.
const FOREARM: DVec3 = DVec3::new(0.0, -0.25, 0.0);

pub(super) fn lerp(from: f64, to: f64, fraction: f64) -> f64 {
    from + (to - from) * fraction
}

/// The fraction of a movement that is done after a fraction of its time: the path of minimum jerk, which human arms
/// follow.
pub(super) fn minimum_jerk(fraction: f64) -> f64 {
    let u = fraction.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// The pose of a wrist and the shape of its hand, as for a right hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandPose {
    pub(super) wrist: RigidPose,
    pub(super) shape: HandShape,
}

impl HandPose {
    /// Interpolates to another pose.
    pub(super) fn interpolate(&self, to: &Self, way: HandTransition, fraction: f64) -> Self {
        match way {
            HandTransition::Move { lift } => self.move_pose(to, lift, fraction),
            HandTransition::Wave { swings } => self.wave_pose(swings, fraction),
        }
    }

    fn move_pose(&self, to: &Self, lift: f64, fraction: f64) -> Self {
        let done = minimum_jerk(fraction);
        let arc = lift * (PI * done).sin();
        Self {
            wrist: RigidPose {
                position: self.wrist.position.lerp(to.wrist.position, done) + DVec3::Y * arc,
                rotation: self.wrist.rotation.slerp(to.wrist.rotation, done),
            },
            shape: self.shape.interpolate(&to.shape, done),
        }
    }

    /// The forearm swings about the elbow, and the hand also about the wrist.
    fn wave_pose(&self, swings: f64, fraction: f64) -> Self {
        let strength = minimum_jerk(4.0 * fraction) * minimum_jerk(4.0 * (1.0 - fraction));
        let swing = strength * (TAU * swings * fraction).sin();
        let arm = DQuat::from_rotation_z(12.0_f64.to_radians() * swing);
        let hand = DQuat::from_rotation_z(10.0_f64.to_radians() * swing);
        let position = self.wrist.position + FOREARM - arm * FOREARM;
        Self { wrist: RigidPose { position, rotation: hand * arm * self.wrist.rotation }, ..*self }
    }
}

/// A script with noise: tremor and sway.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) script: Script,
    sway: SmoothNoise,
    tremor: [SmoothNoise; 2],
    fidget: [[SmoothNoise; 2]; 2],
}

impl Motion {
    pub(super) fn new(script: Script, random: &mut SplitMix64) -> Self {
        Self {
            script,
            sway: SmoothNoise::new(random, 0.012, 0.08, 0.35),
            tremor: Hand::ALL.map(|_| SmoothNoise::new(random, 0.000_5, 7.0, 11.0)),
            fidget: Hand::ALL.map(|_| [0, 1].map(|_| SmoothNoise::new(random, 3.0, 0.15, 0.5))),
        }
    }

    /// How far the body sways, and hands and head with it.
    pub(super) fn sway_at(&self, time: f64) -> DVec3 {
        self.sway.at(time) * DVec3::new(1.0, 0.3, 1.0)
    }

    /// A hand's joints in world space.
    pub(super) fn joints_at(&self, side: Hand, time: f64) -> Joints {
        let HandPose { mut wrist, shape } = self.script.pose_at(side, time);
        let sway = mirror_to(side, self.sway_at(time));
        wrist.position += sway + self.tremor[side as usize].at(time);
        let [a, b] = self.fidget[side as usize].map(|wobble| wobble.at(time));
        let joints = hand::joints(wrist, &shape.with_noise([a.x, a.y, a.z, b.x, b.y]));
        match side {
            Hand::Left => joints.map(RigidPose::mirrored),
            Hand::Right => joints,
        }
    }

    /// The approximate centre of a hand in world space.
    pub(super) fn hand_at(&self, side: Hand, time: f64) -> DVec3 {
        mirror_to(side, self.script.pose_at(side, time).wrist.point(DVec3::Z * 0.09)) + self.sway_at(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movements_start_and_end_at_rest() {
        assert_eq!(
            [minimum_jerk(-1.0), minimum_jerk(0.0), minimum_jerk(0.5), minimum_jerk(1.0), minimum_jerk(2.0)],
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
        assert!(minimum_jerk(0.01) < 1e-5 && 1.0 - minimum_jerk(0.99) < 1e-5);
    }
}
