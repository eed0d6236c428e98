//! The routines of a script: fetching, pointing, waving.
//!
//! Positions are those of a right hand of a body that stands at the origin and faces +Z; the left hand's are mirrored.

use glam::{DQuat, DVec3};

use super::hand::{RigidPose, joint_from_wrist, look_rotation, mirror_to};
use super::hand_shape::HandShape;
use super::motion::HandPose;
use super::noise::SplitMix64;
use super::script::{Action, ActionCue, HandStep, HandTransition, Script};
use crate::{Hand, Joint};

const SHOULDER: DVec3 = DVec3::new(0.18, 1.38, 0.0);
const EYES: DVec3 = DVec3::new(0.0, 1.6, 0.0);
/// The gaze target of an idle person.
pub(super) const IDLE_GAZE_TARGET: DVec3 = DVec3::new(0.0, 1.3, 0.9);
/// Palm down and slightly inwards, as a hand moves forward.
const BACK_OF_HAND: DVec3 = DVec3::new(0.5, 0.85, 0.0);

/// The maximum planned speed of a movement, in m/s. Waving, lifting and swaying are added to it.
const PLANNED_SPEED: f64 = 1.25;
/// The maximum speed of the minimum-jerk path relative to its mean speed.
const PEAK_OVER_MEAN: f64 = 1.875;

#[derive(Clone, Copy, Debug)]
enum Routine {
    Fetch,
    Point,
    Wave,
}

/// Both hands at rest.
pub(super) fn initial_pose() -> HandPose {
    resting(DVec3::ZERO)
}

/// Adds routines to a script until they exceed a time. A round has every routine once, in random order, uses both
/// hands and lowers one out of view; then both hands fetch something at once.
pub(super) fn add_routines(script: &mut Script, seed: u64, seconds: f64) {
    let random = &mut SplitMix64::new(seed, 1);
    let mut now = random.uniform(0.3, 0.5);
    while now <= seconds {
        let mut scenes = [Routine::Fetch, Routine::Point, Routine::Wave];
        random.shuffle(&mut scenes);
        let mut hands = [Hand::Left, Hand::Right, if random.chance(0.3) { Hand::Left } else { Hand::Right }];
        random.shuffle(&mut hands);
        let lowered = usize::from(random.chance(0.5));
        for (index, (scene, hand)) in scenes.into_iter().zip(hands).enumerate() {
            now = HandAnimator::new(script, random, hand, now).run(scene, index == lowered);
        }
        now += random.uniform(0.6, 1.2);
        let ends = Hand::ALL.map(|hand| {
            let lower = random.chance(0.5);
            HandAnimator::new(script, random, hand, now).run(Routine::Fetch, lower)
        });
        now = ends[0].max(ends[1]) + random.uniform(0.8, 1.6);
    }
}

/// One hand in one routine.
struct HandAnimator<'a> {
    script: &'a mut Script,
    random: &'a mut SplitMix64,
    hand: Hand,
    now: f64,
}

impl<'a> HandAnimator<'a> {
    fn new(script: &'a mut Script, random: &'a mut SplitMix64, hand: Hand, start: f64) -> Self {
        let (_, free) = script.last_pose(hand);
        Self { script, random, hand, now: start.max(free) }
    }

    /// Runs a routine. Returns when the next may start, which is before this hand is back.
    fn run(mut self, scene: Routine, lower: bool) -> f64 {
        match scene {
            Routine::Fetch => self.fetch(),
            Routine::Point => self.point(),
            Routine::Wave => self.wave(),
        }
        let next = self.now + self.random.uniform(0.1, 0.25);
        self.return_to_rest(lower);
        next
    }

    fn fetch(&mut self) {
        let [from, to] = self.two_spots();
        self.cue(Action::Reach, from);
        self.move_to(holding_at(from, HandShape::READY), 0.02, 0.6);
        self.cue(Action::Pinch, from);
        self.move_to(holding_at(from, HandShape::PINCHED), 0.0, 0.3);
        self.wait(0.15, 0.3);
        self.cue(Action::Carry, to);
        self.move_to(holding_at(to, HandShape::PINCHED), 0.04, 0.65);
        self.wait(0.15, 0.25);
        self.cue(Action::Release, to);
        self.move_to(holding_at(to, HandShape::READY), 0.0, 0.25);
        self.wait(0.05, 0.1);
    }

    fn point(&mut self) {
        let first = self.far_spot();
        self.cue(Action::Point, first);
        self.move_to(pointing_at(first), 0.0, 0.7);
        self.wait(0.6, 0.9);
        let second = first + self.random.uniform_point(DVec3::new(-0.7, -0.2, 0.0), DVec3::new(-0.3, 0.25, 0.0));
        self.cue(Action::Point, second);
        self.move_to(pointing_at(second), 0.0, 0.4);
        self.wait(0.4, 0.6);
    }

    fn wave(&mut self) {
        let target = self.random.uniform_point(DVec3::new(0.1, 1.4, 1.8), DVec3::new(0.7, 1.65, 2.6));
        self.cue(Action::Wave, target);
        let raised = raised(self.random.uniform_point(DVec3::splat(-0.02), DVec3::splat(0.02)));
        self.move_to(raised, 0.0, 0.8);
        let swings = if self.random.chance(0.5) { 3.0 } else { 2.0 };
        let end = self.now + swings * self.random.uniform(0.5, 0.6);
        self.step(end, HandTransition::Wave { swings }, raised);
    }

    /// Ends a routine: the hand rests, or is lowered out of view.
    fn return_to_rest(&mut self, lower: bool) {
        let about = self.random.uniform_point(DVec3::splat(-0.02), DVec3::splat(0.02));
        let (action, stance) = if lower { (Action::Lower, lowered(about)) } else { (Action::Rest, resting(about)) };
        self.cue(action, IDLE_GAZE_TARGET);
        self.move_to(stance, 0.0, 0.7);
    }

    /// Two positions within reach, not too close to each other.
    fn two_spots(&mut self) -> [DVec3; 2] {
        let (low, high) = (DVec3::new(0.07, 1.14, 0.36), DVec3::new(0.26, 1.38, 0.46));
        let from = self.random.uniform_point(low, high);
        let mut to = self.random.uniform_point(low, high);
        // Moved up or down if necessary: sideways it could collide with the other hand.
        if from.distance(to) < 0.15 {
            to.y = if from.y > 1.26 { from.y - 0.15 } else { from.y + 0.15 };
        }
        [from, to]
    }

    fn far_spot(&mut self) -> DVec3 {
        self.random.uniform_point(DVec3::new(0.0, 1.1, 2.0), DVec3::new(0.9, 1.8, 3.0))
    }

    fn cue(&mut self, action: Action, target: DVec3) {
        let target = mirror_to(self.hand, target);
        self.script.add_cue(ActionCue { start: self.now, hand: self.hand, action, target });
    }

    fn wait(&mut self, min_secs: f64, max_secs: f64) {
        self.now += self.random.uniform(min_secs, max_secs);
    }

    /// Moves at a comfortable speed, but in at least `min_secs` seconds.
    fn move_to(&mut self, to: HandPose, lift: f64, min_secs: f64) {
        let (from, _) = self.script.last_pose(self.hand);
        let distance = from.wrist.position.distance(to.wrist.position);
        let seconds = min_secs.max(PEAK_OVER_MEAN * distance / PLANNED_SPEED) * self.random.uniform(1.0, 1.2);
        self.step(self.now + seconds, HandTransition::Move { lift }, to);
    }

    fn step(&mut self, end: f64, way: HandTransition, to: HandPose) {
        self.script.add_step(self.hand, HandStep { start: self.now, end, way, to });
        self.now = end;
    }
}

fn resting(about: DVec3) -> HandPose {
    let rotation = look_rotation(DVec3::new(-0.35, 0.0, 1.0), DVec3::new(0.6, 1.0, 0.1));
    HandPose {
        wrist: RigidPose { position: DVec3::new(0.17, 1.17, 0.33) + about, rotation },
        shape: HandShape::RELAXED,
    }
}

/// Beside the hip, fingers down, palm to the thigh.
fn lowered(about: DVec3) -> HandPose {
    let rotation = look_rotation(DVec3::new(0.0, -1.0, 0.15), DVec3::new(1.0, 0.0, 0.25));
    HandPose {
        wrist: RigidPose { position: DVec3::new(0.29, 0.82, -0.06) + about, rotation },
        shape: HandShape::RELAXED,
    }
}

/// Beside the face, fingers up, palm away from it.
fn raised(about: DVec3) -> HandPose {
    let rotation = look_rotation(DVec3::new(0.08, 1.0, 0.05), DVec3::new(0.0, 0.05, -1.0));
    HandPose { wrist: RigidPose { position: DVec3::new(0.25, 1.40, 0.34) + about, rotation }, shape: HandShape::OPEN }
}

/// The fingers of a pinch at a position, closed or about to close.
fn holding_at(spot: DVec3, shape: HandShape) -> HandPose {
    let rotation = look_rotation((spot - SHOULDER) * DVec3::new(1.0, 0.4, 1.0) - DVec3::X * 0.08, BACK_OF_HAND);
    let grip = joint_from_wrist(Joint::IndexTip, &HandShape::PINCHED).position;
    HandPose { wrist: RigidPose { position: spot - rotation * grip, rotation }, shape }
}

/// The index finger on the line from the eyes to a position, pointing along it.
fn pointing_at(spot: DVec3) -> HandPose {
    let along = (spot - EYES).normalize();
    let tip = joint_from_wrist(Joint::IndexTip, &HandShape::POINTING);
    let rotation = look_rotation(along, BACK_OF_HAND) * DQuat::from_rotation_arc(tip.rotation * DVec3::Z, DVec3::Z);
    let wrist = EYES + along * 0.6 - rotation * tip.position;
    HandPose { wrist: RigidPose { position: wrist, rotation }, shape: HandShape::POINTING }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palm_direction(stance: &HandPose) -> DVec3 {
        stance.wrist.rotation * (DVec3::Y * -1.0)
    }

    #[test]
    fn a_waving_hand_shows_its_palm_to_the_front() {
        let raised = raised(DVec3::ZERO);
        assert!(palm_direction(&raised).z > 0.95);
        assert!((raised.wrist.rotation * DVec3::Z).y > 0.95);
    }

    #[test]
    fn other_hands_face_down_and_inwards() {
        let spots = [DVec3::new(0.02, 1.14, 0.36), DVec3::new(0.24, 1.38, 0.46)];
        let far = [DVec3::new(-0.7, 1.0, 2.0), DVec3::new(0.9, 1.8, 3.0)];
        let stances = spots.map(|spot| holding_at(spot, HandShape::READY)).into_iter().chain(far.map(pointing_at));
        for stance in stances.chain([initial_pose()]) {
            let palm = palm_direction(&stance);
            assert!(palm.y < -0.6 && palm.x < -0.2, "{palm:?}");
        }
    }

    #[test]
    fn fingers_get_where_they_are_meant_to() {
        let spot = DVec3::new(0.2, 1.3, 0.4);
        let held = holding_at(spot, HandShape::PINCHED);
        let tips = [Joint::IndexTip, Joint::ThumbTip].map(|tip| joint_from_wrist(tip, &held.shape).position);
        assert!(tips.into_iter().all(|tip| held.wrist.point(tip).distance(spot) < 0.002));

        let far = DVec3::new(0.5, 1.4, 2.5);
        let pointing = pointing_at(far);
        let tip = joint_from_wrist(Joint::IndexTip, &pointing.shape);
        let along = pointing.wrist.rotation * tip.rotation * DVec3::Z;
        assert!(along.angle_between(far - pointing.wrist.point(tip.position)) < 1e-6);
    }
}
