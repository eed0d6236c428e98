//! Keys as they come in, frame by frame, and the recording that they make.

use glam::{DQuat, DVec3};

use super::hand::{Joints, RigidPose, pinch_gap};
use crate::format::Channels;
use crate::{BoolCurve, Curve, Hand, HandCurves, Joint, LinearKey, PoseCurves, RayCurves, Recording};

/// Tips nearer than this begin a pinch, in metres; tips further apart than the second end it.
const PINCH_START_M: f64 = 0.003;
const PINCH_END_M: f64 = 0.0045;

/// Curves that share their key times.
#[derive(Debug)]
struct VectorBuilder<const N: usize>([Vec<LinearKey>; N]);

impl<const N: usize> VectorBuilder<N> {
    fn new() -> Self {
        Self([const { Vec::new() }; N])
    }

    fn push(&mut self, time: f32, values: [f64; N]) {
        for (keys, value) in self.0.iter_mut().zip(values) {
            keys.push(LinearKey::new(time, value as f32));
        }
    }

    fn curves(self) -> [Curve; N] {
        self.0.map(Curve::from_iter)
    }
}

#[derive(Debug)]
struct PoseBuilder {
    positions: VectorBuilder<3>,
    rotations: VectorBuilder<4>,
    last: Option<DQuat>,
}

impl PoseBuilder {
    fn new() -> Self {
        Self { positions: VectorBuilder::new(), rotations: VectorBuilder::new(), last: None }
    }

    /// Adds a key. Of the two quaternions of a rotation it takes the one nearer to the key before, so that what
    /// lies between the keys is a rotation too.
    fn push(&mut self, time: f32, pose: &RigidPose) {
        let q = pose.rotation;
        let flipped = self.last.map_or(q.w < 0.0, |last| last.dot(q) < 0.0);
        let q = if flipped { -q } else { q };
        self.last = Some(q);
        self.positions.push(time, pose.position.to_array());
        self.rotations.push(time, q.to_array());
    }

    fn curves(self) -> PoseCurves {
        PoseCurves { position: self.positions.curves(), rotation: self.rotations.curves() }
    }
}

/// A curve of true and false with keys only where it changes.
#[derive(Debug, Default)]
struct FlagKeys {
    keys: Vec<LinearKey>,
    value: bool,
}

impl FlagKeys {
    fn push(&mut self, time: f32, value: bool) {
        if self.keys.is_empty() || value != self.value {
            self.keys.push(LinearKey::new(time, if value { 1.0 } else { 0.0 }));
            self.value = value;
        }
    }

    fn curve(self) -> BoolCurve {
        BoolCurve::from_iter(self.keys)
    }
}

#[derive(Debug)]
struct HandBuilder {
    tracked: FlagKeys,
    pinching: FlagKeys,
    joints: [PoseBuilder; Joint::COUNT],
}

impl HandBuilder {
    fn new() -> Self {
        let joints = std::array::from_fn(|_| PoseBuilder::new());
        Self { tracked: FlagKeys::default(), pinching: FlagKeys::default(), joints }
    }

    fn push(&mut self, time: f32, tracked: bool, joints: &Joints) {
        let gap = pinch_gap(joints);
        let pinching = tracked && gap < if self.pinching.value { PINCH_END_M } else { PINCH_START_M };
        self.tracked.push(time, tracked);
        self.pinching.push(time, pinching);
        for (track, pose) in self.joints.iter_mut().zip(joints).skip(1) {
            if tracked {
                track.push(time, pose);
            } else {
                track.last = None;
            }
        }
    }

    fn curves(self) -> HandCurves {
        HandCurves {
            tracked: self.tracked.curve(),
            pinching: self.pinching.curve(),
            joints: self.joints.map(PoseBuilder::curves),
        }
    }
}

/// A recording in the making, as a device makes one.
#[derive(Debug)]
pub(super) struct RecordingBuilder {
    camera: PoseBuilder,
    hands: [HandBuilder; 2],
    gaze: [VectorBuilder<3>; 2],
}

impl RecordingBuilder {
    pub(super) fn new() -> Self {
        Self {
            camera: PoseBuilder::new(),
            hands: Hand::ALL.map(|_| HandBuilder::new()),
            gaze: [VectorBuilder::new(), VectorBuilder::new()],
        }
    }

    /// Whether a hand was tracked in the last frame.
    pub(super) fn tracked(&self, hand: Hand) -> bool {
        self.hands[hand as usize].tracked.value
    }

    pub(super) fn push_head(&mut self, time: f32, head: &RigidPose, gaze: DVec3) {
        self.camera.push(time, head);
        self.gaze[0].push(time, head.position.to_array());
        self.gaze[1].push(time, gaze.to_array());
    }

    /// Adds what a device knows of a hand: nothing of its joints while it is not tracked.
    pub(super) fn push_hand(&mut self, time: f32, hand: Hand, tracked: bool, joints: &Joints) {
        self.hands[hand as usize].push(time, tracked, joints);
    }

    pub(super) fn finish(self) -> Recording {
        let mut recording = Recording::with_channels(Channels::ALL);
        recording.camera = Some(self.camera.curves());
        let [origin, direction] = self.gaze.map(VectorBuilder::curves);
        recording.gaze = Some(RayCurves { origin, direction });
        for (hand, tape) in Hand::ALL.into_iter().zip(self.hands) {
            *recording.hand_mut(hand) = tape.curves();
        }
        recording
    }
}
