//! Frames without gaps: while something is missing, its last value is held, because LeRobot has no missing values.
//!
//! Before its first value, the first value is used; without any value, zeros and the identity rotation. Quaternions keep the
//! sign that is closest to the previous frame; the first one has w ≥ 0.

use holotape::{Frame, Hand, Joint, Pose, Ray, Recording, Sampler, align_sign, construct_missing};
use holotape_convert::Space;

/// All values of a frame, and what was present in it.
#[derive(Clone, Debug)]
pub(super) struct HeldFrame {
    pub(super) head: Pose,
    pub(super) has_head: bool,
    pub(super) gaze: Ray,
    pub(super) has_gaze: bool,
    hands: [HeldHand; 2],
}

#[derive(Clone, Debug)]
pub(super) struct HeldHand {
    pub(super) joints: [Pose; Joint::COUNT],
    pub(super) tracked: bool,
    pub(super) pinching: bool,
}

const UNTRACKED: HeldHand = HeldHand { joints: [Pose::IDENTITY; Joint::COUNT], tracked: false, pinching: false };

impl HeldFrame {
    /// The first value of everything, from the frames at these times.
    pub(super) fn first(recording: &Recording, sampler: &mut Sampler, times: &[f64], space: Space) -> Self {
        let mut held = Self {
            head: Pose::IDENTITY,
            has_head: false,
            gaze: Ray { origin: [0.0; 3], direction: [0.0; 3] },
            has_gaze: false,
            hands: [UNTRACKED, UNTRACKED],
        };
        let mut first_times: Vec<f64> = times.first().copied().into_iter().collect();
        for hand in Hand::ALL {
            let tracked = recording.hand(hand).tracked.evaluator();
            first_times.extend(times.iter().copied().find(|time| tracked.value_at(*time)));
        }
        // The latest first, so that of two frames the earlier one is kept.
        first_times.sort_by(|a, b| b.total_cmp(a));
        for time in first_times {
            held.update(&mut sampler.frame_at(time), space);
        }
        let joints = held.hands.iter_mut().flat_map(|hand| &mut hand.joints);
        for pose in joints.chain([&mut held.head]) {
            pose.rotation = align_sign(Pose::IDENTITY.rotation, pose.rotation);
        }
        held
    }

    /// Takes all values that a frame has, and keeps the others. Joints that a tracked hand lacks are constructed. The frame is
    /// converted to a space.
    pub(super) fn update(&mut self, frame: &mut Frame, space: Space) {
        for hand in Hand::ALL {
            if let Some(hand) = frame.hand_mut(hand).as_mut().filter(|hand| hand.tracked) {
                construct_missing(&mut hand.joints);
            }
        }
        space.convert_frame(frame);
        self.has_head = frame.camera.is_some_and(|pose| hold_pose(&mut self.head, &pose));
        let gaze = frame.gaze.filter(|ray| is_finite(&ray.origin) && is_finite(&ray.direction));
        self.has_gaze = gaze.is_some();
        self.gaze = gaze.unwrap_or(self.gaze);
        for (held, hand) in self.hands.iter_mut().zip(Hand::ALL) {
            let hand = frame.hand(hand).filter(|hand| hand.tracked);
            held.tracked = hand.is_some_and(|hand| held.update(&hand.joints));
            held.pinching = hand.is_some_and(|hand| hand.pinching);
        }
    }

    pub(super) fn hand(&self, hand: Hand) -> &HeldHand {
        &self.hands[hand as usize]
    }
}

impl HeldHand {
    /// Whether the wrist is present.
    fn update(&mut self, joints: &[Option<Pose>; Joint::COUNT]) -> bool {
        let mut has_wrist = false;
        for ((held, pose), joint) in self.joints.iter_mut().zip(joints).zip(Joint::ALL) {
            let is_present = pose.is_some_and(|pose| hold_pose(held, &pose));
            has_wrist |= is_present && joint == Joint::Wrist;
        }
        has_wrist
    }
}

/// Whether the pose is finite; it is held then.
fn hold_pose(held: &mut Pose, pose: &Pose) -> bool {
    let is_valid = is_finite(&pose.position) && is_finite(&pose.rotation);
    if is_valid {
        *held = Pose { position: pose.position, rotation: align_sign(held.rotation, pose.rotation) };
    }
    is_valid
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}
