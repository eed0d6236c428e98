//! Frames to rows of numbers.

use glam::{DQuat, DVec3};
use holotape::{Frame, Hand, PoseId};

use super::euler::{self, Angles};
use super::push_numbers;
use super::skeleton::{Node, Skeleton, pose_of};
use crate::rigid::RigidPose;
use crate::timing::{NOTICEABLE_DEG, NOTICEABLE_M};
use crate::{Loss, LossKind};

/// Less than a ten-millionth of a metre at an arm's length.
const ANGLE_DECIMALS: usize = 5;

pub(super) struct BvhWriter<'a> {
    skeleton: &'a Skeleton,
    states: Vec<JointState>,
    frames: usize,
    unseen: [usize; 2],
    unusable: usize,
    farthest: Option<PositionError>,
    most_turned_deg: f64,
}

/// A joint, as it was in the last frame.
struct JointState {
    recorded: RigidPose,
    written: RigidPose,
    angles: Angles,
}

/// A joint that is not where it was recorded.
struct PositionError {
    distance_m: f64,
    place: usize,
}

impl<'a> BvhWriter<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let state = |node: &Node| JointState { recorded: node.first, written: node.first, angles: [0.0; 3] };
        Self {
            skeleton,
            states: skeleton.nodes.iter().map(state).collect(),
            frames: 0,
            unseen: [0; 2],
            unusable: 0,
            farthest: None,
            most_turned_deg: 0.0,
        }
    }

    /// Adds the row of a frame.
    pub(super) fn push_row(&mut self, frame: &Frame, text: &mut Vec<u8>) {
        self.update(frame);
        // The root stays where it is.
        text.extend_from_slice(b"0 0 0 0 0 0");
        for place in 0..self.states.len() {
            let local = self.local_pose(place);
            let node = &self.skeleton.nodes[place];
            if node.has_position {
                self.skeleton.unit.push_vector(text, local.position);
            }
            let angles = euler::angles_near(local.rotation, self.states[place].angles);
            self.states[place].angles = angles;
            push_numbers(text, angles, ANGLE_DECIMALS);
        }
        text.push(b'\n');
    }

    /// Takes over what there is in a frame. Everything else stays as it was.
    fn update(&mut self, frame: &Frame) {
        self.frames += 1;
        let is_tracked = Hand::ALL.map(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked));
        for (unseen, is_tracked) in self.unseen.iter_mut().zip(is_tracked) {
            *unseen += usize::from(!is_tracked);
        }
        for (state, node) in self.states.iter_mut().zip(&self.skeleton.nodes) {
            match pose_of(frame, node.id) {
                Some(placed) => state.recorded = placed,
                None => self.unusable += usize::from(is_there(node.id, is_tracked)),
            }
        }
    }

    /// Puts a joint where the file will have it, and gives that as its parent sees it.
    fn local_pose(&mut self, place: usize) -> RigidPose {
        let node = &self.skeleton.nodes[place];
        let parent = node.parent.map_or(RigidPose::ORIGIN, |parent| self.states[parent].written);
        let recorded = self.states[place].recorded;
        let mut written = recorded;
        if !node.has_position {
            written.position = parent.position + parent.rotation * node.offset;
        }
        if let Some(child) = node.only_child().filter(|child| !self.skeleton.nodes[*child].has_position) {
            let bone = self.skeleton.nodes[child].offset;
            written.rotation = aim_rotation(&written, bone, self.states[child].recorded.position);
        }
        self.states[place].written = written;
        self.measure(place);
        written.relative_to(&parent)
    }

    fn measure(&mut self, place: usize) {
        let JointState { recorded, written, .. } = &self.states[place];
        let distance_m = recorded.position.distance(written.position);
        if distance_m > self.farthest.as_ref().map_or(NOTICEABLE_M, |miss| miss.distance_m) {
            self.farthest = Some(PositionError { distance_m, place });
        }
        self.most_turned_deg = self.most_turned_deg.max(recorded.rotation.angle_between(written.rotation).to_degrees());
    }

    pub(super) fn losses(&self) -> impl Iterator<Item = Loss> {
        let untracked = Hand::ALL.into_iter().filter_map(|hand| self.untracked_loss(hand));
        let unusable = (self.unusable > 0).then(|| {
            let message = format!("poses with numbers that are none ({}): the pose before is kept", self.unusable);
            Loss::new(LossKind::Unusable, message)
        });
        untracked.chain(unusable).chain(self.bones_loss())
    }

    fn untracked_loss(&self, hand: Hand) -> Option<Loss> {
        let (unseen, frames) = (self.unseen[hand as usize], self.frames);
        let message = || format!("{hand} hand: not tracked in {unseen} of {frames} frames, in which it keeps a pose");
        (unseen > 0 && self.skeleton.has_hand(hand)).then(|| Loss::new(LossKind::Untracked, message()))
    }

    fn bones_loss(&self) -> Option<Loss> {
        let distance = self.farthest.as_ref().map(|PositionError { distance_m, place }| {
            format!("{:.3} mm ({})", distance_m * 1e3, self.skeleton.nodes[*place].name())
        });
        let angle = (self.most_turned_deg > NOTICEABLE_DEG).then(|| format!("{:.3}°", self.most_turned_deg));
        let off: Vec<_> = distance.into_iter().chain(angle).collect();
        let message = || format!("bones keep their length: joints are up to {} off", off.join(" and "));
        (!off.is_empty()).then(|| Loss::new(LossKind::Bones, message()))
    }
}

fn is_there(id: PoseId, is_tracked: [bool; 2]) -> bool {
    match id {
        PoseId::Camera => true,
        PoseId::Joint(hand, _) => is_tracked[hand as usize],
    }
}

/// A rotation turned no further than it takes for a bone to point at a target.
fn aim_rotation(from: &RigidPose, bone: DVec3, target: DVec3) -> DQuat {
    let (is, shall) = (from.rotation * bone, target - from.position);
    match (is.try_normalize(), shall.try_normalize()) {
        (Some(is), Some(shall)) => DQuat::from_rotation_arc(is, shall) * from.rotation,
        _ => from.rotation,
    }
}
