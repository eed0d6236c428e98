//! The hands of written frames: all joints or none.

use std::ops::RangeInclusive;

use holotape::{Frame, Hand, Pose, Recording, Sampler, align_sign};

use super::{JOINT_COUNT, JOINTS, SKELETON};
use crate::joint::CompleteHand;
use crate::{LossKind, Losses};

/// A hand of the recording, from which every frame takes all joints or none.
pub(super) struct HandWriter {
    hand: Hand,
    /// `None` without a wrist.
    complete: Option<CompleteHand>,
    /// The first and the last frame with all joints.
    frames: Option<RangeInclusive<usize>>,
    /// The poses of the last frame that had them.
    last: Option<[Pose; JOINT_COUNT]>,
    pub(super) is_pinch_known: bool,
    unusable: usize,
}

/// What a frame says about a hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HandState {
    Tracked,
    /// Between two tracked spans.
    Lost,
    /// Before the first and after the last tracked span.
    Absent,
}

impl HandWriter {
    pub(super) fn new(recording: &Recording, hand: Hand, sampler: &mut Sampler, times: &[f32]) -> Self {
        let curves = recording.hand(hand);
        let mut writer = Self {
            hand,
            complete: CompleteHand::new(recording, hand),
            frames: None,
            last: None,
            is_pinch_known: !curves.pinching.keys.is_empty(),
            unusable: 0,
        };
        if !curves.tracked.spans_secs().is_empty() {
            writer.frames = writer.find_frames(sampler, times);
        }
        writer
    }

    /// Searches from both ends, so that few frames are sampled twice.
    fn find_frames(&self, sampler: &mut Sampler, times: &[f32]) -> Option<RangeInclusive<usize>> {
        let mut frame = Frame::default();
        let mut has_joints = |n: &usize| {
            sampler.frame_into(times[*n].into(), &mut frame);
            self.poses(&frame).is_some()
        };
        let first = (0..times.len()).find(&mut has_joints)?;
        let last = (first..times.len()).rev().find(has_joints)?;
        Some(first..=last)
    }

    /// The sampled poses of all joints; `None` if the hand is not tracked or a pose is not finite.
    fn poses(&self, frame: &Frame) -> Option<[Pose; JOINT_COUNT]> {
        let hand = frame.hand(self.hand).filter(|hand| hand.tracked)?;
        let joints = self.complete.as_ref()?.joints(hand)?;
        Some(JOINTS.map(|joint| joints[joint.index()].unwrap_or(Pose::IDENTITY)))
    }

    /// The state in the frame with this index. Frames come in order.
    pub(super) fn state(&mut self, index: usize, frame: &Frame) -> HandState {
        let poses = self.poses(frame);
        let is_tracked = frame.hand(self.hand).is_some_and(|hand| hand.tracked);
        self.unusable += usize::from(is_tracked && self.complete.is_some() && poses.is_none());
        let Some(mut poses) = poses else {
            let is_gap = self.frames.as_ref().is_some_and(|frames| frames.contains(&index));
            return if is_gap && self.last.is_some() { HandState::Lost } else { HandState::Absent };
        };
        for (pose, last) in poses.iter_mut().zip(self.last.iter().flatten()) {
            pose.rotation = align_sign(last.rotation, pose.rotation);
        }
        self.last = Some(poses);
        HandState::Tracked
    }

    /// The poses of the last frame in which the hand was tracked.
    pub(super) fn last_poses(&self) -> Option<&[Pose; JOINT_COUNT]> {
        self.last.as_ref()
    }

    /// Frames in which a tracked hand has poses that are not finite.
    pub(super) fn unusable(&self) -> usize {
        self.unusable
    }

    pub(super) fn add_losses(&self, losses: &mut Losses, recording: &Recording) {
        let (hand, curves) = (self.hand, recording.hand(self.hand));
        let Some(complete) = &self.complete else {
            let has_joints = JOINTS.into_iter().any(|joint| curves.joint(joint).pose_at(0.0).is_some());
            losses.push_if(has_joints || !curves.tracked.spans_secs().is_empty(), LossKind::Joints, || {
                format!("dropped the {hand} hand: it has no wrist, which {SKELETON} requires")
            });
            return;
        };
        losses.extend(complete.loss(SKELETON));
    }
}
