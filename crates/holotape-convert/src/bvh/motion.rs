//! Writes frames as rows of numbers.

use glam::{DQuat, DVec3};
use holotape::{Frame, Hand, PoseId};

use super::euler::{self, Angles};
use super::push_numbers;
use super::skeleton::{Node, Skeleton, pose_of};
use crate::deviation::{NOTICEABLE_DEG, NOTICEABLE_M};
use crate::rigid::RigidPose;
use crate::{LossKind, Losses};

/// An error below 0.1 µm at arm's length.
const ANGLE_DECIMALS: usize = 5;

pub(super) struct BvhWriter<'a> {
    skeleton: &'a Skeleton,
    states: Vec<JointState>,
    frames: usize,
    untracked_frames: [usize; 2],
    unusable: usize,
    /// The largest distance of a joint from its recorded position, and its node.
    max_position_error: (f64, Option<usize>),
    max_rotation_error_deg: f64,
}

/// A joint in the last frame.
struct JointState {
    recorded: RigidPose,
    written: RigidPose,
    angles: Angles,
}

impl<'a> BvhWriter<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let state = |node: &Node| JointState { recorded: node.first, written: node.first, angles: [0.0; 3] };
        Self {
            skeleton,
            states: skeleton.nodes.iter().map(state).collect(),
            frames: 0,
            untracked_frames: [0; 2],
            unusable: 0,
            max_position_error: (NOTICEABLE_M, None),
            max_rotation_error_deg: 0.0,
        }
    }

    /// Adds the row of a frame.
    pub(super) fn push_row(&mut self, frame: &Frame, text: &mut Vec<u8>) {
        self.update(frame);
        // Position and rotation of the static root.
        text.extend_from_slice(b"0 0 0 0 0 0");
        for index in 0..self.states.len() {
            let local = self.local_pose(index);
            let node = &self.skeleton.nodes[index];
            if node.has_position {
                self.skeleton.unit.push_vector(text, local.position);
            }
            let angles = euler::angles_near(local.rotation, self.states[index].angles);
            self.states[index].angles = angles;
            push_numbers(text, angles, ANGLE_DECIMALS);
        }
        text.push(b'\n');
    }

    /// Updates all joints with a pose in this frame.
    fn update(&mut self, frame: &Frame) {
        self.frames += 1;
        let is_tracked = Hand::ALL.map(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked));
        for (untracked, is_tracked) in self.untracked_frames.iter_mut().zip(is_tracked) {
            *untracked += usize::from(!is_tracked);
        }
        for (state, node) in self.states.iter_mut().zip(&self.skeleton.nodes) {
            match pose_of(frame, node.id) {
                Some(pose) => state.recorded = pose,
                None => self.unusable += usize::from(is_expected(node.id, is_tracked)),
            }
        }
    }

    /// Computes the pose of a joint in the file, and returns it relative to its parent.
    fn local_pose(&mut self, index: usize) -> RigidPose {
        let node = &self.skeleton.nodes[index];
        let parent = node.parent.map_or(RigidPose::ORIGIN, |parent| self.states[parent].written);
        let recorded = self.states[index].recorded;
        let mut written = recorded;
        if !node.has_position {
            written.position = parent.position + parent.rotation * node.offset;
        }
        if let Some(child) = node.only_child().filter(|child| !self.skeleton.nodes[*child].has_position) {
            let bone = self.skeleton.nodes[child].offset;
            written.rotation = aim_rotation(&written, bone, self.states[child].recorded.position);
        }
        self.states[index].written = written;
        self.measure(index);
        written.relative_to(&parent)
    }

    fn measure(&mut self, index: usize) {
        let JointState { recorded, written, .. } = &self.states[index];
        let distance_m = recorded.position.distance(written.position);
        if distance_m > self.max_position_error.0 {
            self.max_position_error = (distance_m, Some(index));
        }
        let angle_deg = recorded.rotation.angle_between(written.rotation).to_degrees();
        self.max_rotation_error_deg = self.max_rotation_error_deg.max(angle_deg);
    }

    pub(super) fn add_losses(&self, losses: &mut Losses) {
        for hand in Hand::ALL.into_iter().filter(|hand| self.skeleton.has_hand(*hand)) {
            let (untracked, frames) = (self.untracked_frames[hand as usize], self.frames);
            losses.push_if(untracked > 0, LossKind::Untracked, || {
                format!("held the pose of the {hand} hand in {untracked} of {frames} frames: not tracked")
            });
        }
        losses.push_if(self.unusable > 0, LossKind::Unusable, || {
            format!("replaced {} non-finite poses by the previous pose", self.unusable)
        });
        let (distance_m, node) = self.max_position_error;
        let distance = node.map(|node| format!("{:.3} mm ({})", distance_m * 1e3, self.skeleton.nodes[node].name()));
        let max_deg = self.max_rotation_error_deg;
        let angle = (max_deg > NOTICEABLE_DEG).then(|| format!("{max_deg:.3}°"));
        let errors: Vec<_> = distance.into_iter().chain(angle).collect();
        losses.push_if(!errors.is_empty(), LossKind::Bones, || {
            format!("moved joints by up to {}: bones have a fixed length", errors.join(" and "))
        });
    }
}

fn is_expected(id: PoseId, is_tracked: [bool; 2]) -> bool {
    match id {
        PoseId::Camera => true,
        PoseId::Joint(hand, _) => is_tracked[hand as usize],
    }
}

/// The smallest change of a rotation that lets a bone point at a target.
fn aim_rotation(from: &RigidPose, bone: DVec3, target: DVec3) -> DQuat {
    let (current, wanted) = (from.rotation * bone, target - from.position);
    match (current.try_normalize(), wanted.try_normalize()) {
        (Some(current), Some(wanted)) => DQuat::from_rotation_arc(current, wanted) * from.rotation,
        _ => from.rotation,
    }
}
