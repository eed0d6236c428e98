//! The curves that the statistics are about: head, gaze, flags, and one joint of each hand. Only these are sampled.

use super::gaze::GazeBuilder;
use super::movement::MovementBuilder;
use super::{Fixation, GazeStats, HandStats, PinchStats, Stats, StatsOptions};
use crate::curve::total_secs;
use crate::error::Result;
use crate::{CurveId, Frame, FrameLimit, Hand, Joint, Recording, check_rate_hz, times_at_rate};

/// The joints whose movement is that of the hand: the first one that has keys.
const REFERENCE_JOINTS: [Joint; 2] = [Joint::Palm, Joint::Wrist];

/// Whether the statistics depend on the keys of a curve.
pub(super) fn is_measured(id: CurveId) -> bool {
    match id {
        CurveId::Joint(_, joint, _) => REFERENCE_JOINTS.contains(&joint),
        CurveId::Camera(_) | CurveId::Gaze(_) | CurveId::Tracked(_) | CurveId::Pinching(_) => true,
    }
}

/// A recording of which only the measured curves are used, and what is known about the others.
#[derive(Debug)]
pub(super) struct MeasuredCurves<'a> {
    pub(super) recording: &'a Recording,
    /// The duration of the complete recording.
    pub(super) duration_secs: f64,
    /// The limit of the complete recording.
    pub(super) limit: FrameLimit,
    pub(super) marker_count: usize,
}

impl<'a> MeasuredCurves<'a> {
    pub(super) fn of_recording(recording: &'a Recording) -> Self {
        Self {
            recording,
            duration_secs: recording.duration_secs().into(),
            limit: FrameLimit::for_recording(recording),
            marker_count: recording.markers.len(),
        }
    }

    pub(super) fn stats(&self, options: &StatsOptions) -> Result<(Stats, Vec<Fixation>)> {
        let Self { recording, duration_secs, marker_count, .. } = *self;
        let mut head = MovementBuilder::default();
        let mut palms = [MovementBuilder::default(); 2];
        let joints = Hand::ALL.map(|hand| reference_joint(recording, hand));
        self.for_each_frame(&paths(recording, joints), options.path_rate_hz, |frame| {
            head.push(frame.time, frame.camera.as_ref());
            for ((palm, hand), joint) in palms.iter_mut().zip(Hand::ALL).zip(joints) {
                palm.push(frame.time, frame.hand(hand).and_then(|hand| hand.joint(joint?)).as_ref());
            }
        })?;
        let [left, right] = Hand::ALL.map(|hand| {
            let curves = recording.hands.as_ref().map(|_| recording.hand(hand))?;
            let tracked = curves.tracked.spans_within_secs(duration_secs);
            let tracked_secs = total_secs(&tracked);
            Some(HandStats {
                tracked_fraction: if duration_secs > 0.0 { tracked_secs / duration_secs } else { 0.0 },
                tracked_secs,
                tracked_span_count: tracked.len(),
                movement: palms[hand as usize].finish(),
                pinches: PinchStats::new(&curves.pinching.spans_within_secs(duration_secs)),
            })
        });
        let (gaze, fixations) = self.gaze(options)?.unzip();
        let head = head.has_poses().then(|| head.finish());
        Ok((Stats { duration_secs, head, left, right, gaze, marker_count }, fixations.unwrap_or_default()))
    }

    /// The statistics of the gaze and its fixations.
    pub(super) fn gaze(&self, options: &StatsOptions) -> Result<Option<(GazeStats, Vec<Fixation>)>> {
        let mut gaze = GazeBuilder::new(options);
        if let Some(rays) = &self.recording.gaze {
            let camera = self.recording.camera.clone();
            let part = Recording { camera, gaze: Some(rays.clone()), ..Recording::default() };
            self.for_each_frame(&part, options.gaze_rate_hz, |frame| gaze.push(frame))?;
        }
        Ok(gaze.finish())
    }

    /// Samples a part of the recording for its whole duration.
    fn for_each_frame(&self, part: &Recording, rate_hz: f64, mut each: impl FnMut(&Frame)) -> Result<()> {
        check_rate_hz(rate_hz)?;
        self.limit.check(self.duration_secs, rate_hz)?;
        let mut sampler = part.sampler();
        let mut frame = Frame::default();
        for time in times_at_rate(0.0..=self.duration_secs, rate_hz) {
            sampler.frame_into(time, &mut frame);
            each(&frame);
        }
        Ok(())
    }
}

/// The joint whose movement is that of the hand.
fn reference_joint(recording: &Recording, hand: Hand) -> Option<Joint> {
    let has_keys = |joint: &Joint| !recording.hand(hand).joint(*joint).position[0].keys.is_empty();
    REFERENCE_JOINTS.into_iter().find(has_keys)
}

/// The head, and one joint of each hand with the flag that says when it is tracked.
fn paths(recording: &Recording, joints: [Option<Joint>; 2]) -> Recording {
    let mut paths = Recording { camera: recording.camera.clone(), ..Recording::default() };
    if recording.hands.is_some() {
        for (hand, joint) in Hand::ALL.into_iter().zip(joints) {
            let (from, to) = (recording.hand(hand), paths.hand_mut(hand));
            to.tracked = from.tracked.clone();
            if let Some(joint) = joint {
                to.joints[joint.index()] = from.joint(joint).clone();
            }
        }
    }
    paths
}
