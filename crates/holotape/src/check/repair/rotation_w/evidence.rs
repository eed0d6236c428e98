//! Evidence for the two candidates of each key, from bones and gaze.

use glam::{DQuat, DVec3};

use super::candidates::Candidate;
use super::hand_positions::HandPositions;
use super::sign_path::penalty;
use crate::sample::RaySampler;
use crate::{Hand, Joint, PoseId, Recording};

/// The typical angle between a joint's rotation and the one that its bone indicates.
const TYPICAL_BONE_ERROR_DEG: f64 = 15.0;

/// The typical angle between the head's forward direction and the gaze.
const TYPICAL_GAZE_OFFSET_DEG: f64 = 30.0;

/// Keys closer in time than this are correlated, so their evidence is weighted down.
const CORRELATION_SECS: f64 = 0.1;

/// The data that indicates rotations: joint positions and the gaze.
pub(super) struct RotationEvidence<'a> {
    hands: [HandPositions<'a>; 2],
    gaze: Option<RaySampler<'a>>,
}

impl<'a> RotationEvidence<'a> {
    pub(super) fn new(recording: &'a Recording) -> Self {
        Self {
            hands: Hand::ALL.map(|hand| HandPositions::new(hand, recording.hand(hand))),
            gaze: recording.gaze.as_ref().map(RaySampler::new),
        }
    }

    /// The costs of both candidates of each key of a pose.
    pub(super) fn candidate_costs(&self, id: PoseId, candidates: &[Candidate]) -> Vec<[f64; 2]> {
        let costs = match id {
            PoseId::Camera => candidates.iter().map(|candidate| self.camera_costs(candidate)).collect(),
            PoseId::Joint(hand, joint) => self.joint_costs(hand, joint, candidates),
        };
        let weighted = key_weights(candidates).zip(costs);
        weighted.map(|(weight, costs): (f64, [f64; 2])| costs.map(|cost| weight * cost)).collect()
    }

    fn joint_costs(&self, hand: Hand, joint: Joint, candidates: &[Candidate]) -> Vec<[f64; 2]> {
        let positions = &self.hands[hand as usize];
        let expected = |candidate: &Candidate| positions.rotation(joint, candidate.time);
        let offset = candidates.iter().find_map(|candidate| joint_to_bone_offset(candidate, expected(candidate)?));
        let offset = offset.unwrap_or(DQuat::IDENTITY);
        let cost = |candidate: &Candidate| {
            let Some(expected) = expected(candidate) else { return [0.0; 2] };
            let off_deg = |rotated: DQuat| (expected * offset).angle_between(rotated).to_degrees();
            candidate.rotations().map(|rotated| penalty(off_deg(rotated) / TYPICAL_BONE_ERROR_DEG))
        };
        candidates.iter().map(cost).collect()
    }

    /// That heads are usually upright is no evidence: a rotation and its inverse tilt by the same angle.
    fn camera_costs(&self, candidate: &Candidate) -> [f64; 2] {
        let Some(look) = self.gaze_direction(candidate.time) else { return [0.0; 2] };
        let off_deg = |rotated: DQuat| (rotated * DVec3::Z).angle_between(look).to_degrees();
        candidate.rotations().map(|rotated| penalty(off_deg(rotated) / TYPICAL_GAZE_OFFSET_DEG))
    }

    /// The gaze direction, which is close to the head's forward direction.
    fn gaze_direction(&self, time: f64) -> Option<DVec3> {
        let gaze = self.gaze.as_ref()?.at(time)?;
        DVec3::from_array(gaze.direction.map(f64::from)).try_normalize()
    }
}

/// The rotation of a joint relative to its bone, from a known key. It differs between devices and rigs.
fn joint_to_bone_offset(candidate: &Candidate, expected: DQuat) -> Option<DQuat> {
    let known = candidate.rotations()[candidate.known_sign()?];
    Some(expected.conjugate() * known)
}

/// The weight of each key's evidence, from 0 to 1.
fn key_weights(keys: &[Candidate]) -> impl Iterator<Item = f64> {
    (0..keys.len()).map(|key| {
        let before = keys[key.saturating_sub(1)].time;
        let after = keys[(key + 1).min(keys.len() - 1)].time;
        (0.5 * (after - before) / CORRELATION_SECS).min(1.0)
    })
}
