//! The rotations of a hand's joints that the recorded positions indicate.

use glam::DQuat;

use crate::check::joint_position::JointPosition;
use crate::skeleton::joint_rotation;
use crate::{Hand, HandCurves, Joint};

/// The positions of a hand's joints.
#[derive(Debug)]
pub(super) struct HandPositions<'a> {
    hand: Hand,
    points: [Option<JointPosition<'a>>; Joint::COUNT],
}

impl<'a> HandPositions<'a> {
    pub(super) fn new(hand: Hand, curves: &'a HandCurves) -> Self {
        Self { hand, points: curves.joints.each_ref().map(JointPosition::new) }
    }

    /// The rotation of a joint at a time; `None` if positions are missing.
    pub(super) fn rotation(&self, joint: Joint, time: f64) -> Option<DQuat> {
        joint_rotation(self.hand, joint, &|joint| self.points[joint.index()].as_ref()?.at(time))
    }
}
