//! The recording: what it has, and its frame at a time.

use std::sync::{Mutex, PoisonError};

use holotape::{Frame, Hand, Recording, Sampler};

use super::inputs::{Input, InputState};
use crate::rigid::Rigid;

/// A head higher than this above the origin was recorded in a space whose origin is on the floor.
const MIN_HEAD_HEIGHT_M: f64 = 0.7;

pub(super) struct Recorded {
    pub(super) duration_secs: f64,
    pub(super) has_head: bool,
    pub(super) has_hands: bool,
    pub(super) has_gaze: bool,
    /// The head at the start.
    pub(super) first_head: Option<Rigid>,
    /// Applications ask many questions about one time, so the last frame is kept.
    frames: Mutex<(Sampler, Frame)>,
}

impl Recorded {
    pub(super) fn new(recording: &Recording) -> Self {
        let mut sampler = recording.sampler().with_untracked_poses(true);
        let first = sampler.frame_at(0.0);
        let has_joints = |hand| first.hand(hand).is_some_and(|hand| hand.joints.iter().any(Option::is_some));
        Self {
            duration_secs: f64::from(recording.duration_secs()),
            has_head: first.camera.is_some(),
            has_hands: Hand::ALL.into_iter().any(has_joints),
            has_gaze: first.gaze.is_some(),
            first_head: first.camera.map(Rigid::from_unity),
            frames: Mutex::new((recording.sampler(), Frame { time: f64::NAN, ..Frame::default() })),
        }
    }

    /// Whether the recording was made in a space whose origin is on the floor.
    pub(super) fn is_above_floor(&self) -> bool {
        self.first_head.is_some_and(|head| head.position.y > MIN_HEAD_HEIGHT_M)
    }

    /// Whether the recording has what an input needs.
    pub(super) fn has(&self, input: Input) -> bool {
        if input == Input::Gaze { self.has_gaze } else { self.has_hands }
    }

    /// Reads the frame at a time.
    pub(super) fn frame<T>(&self, secs: f64, read: impl FnOnce(&Frame) -> T) -> T {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let (sampler, frame) = &mut *frames;
        if frame.time != secs {
            sampler.frame_into(secs, frame);
        }
        read(frame)
    }

    pub(super) fn inputs(&self, secs: f64) -> InputState {
        self.frame(secs, |frame| {
            let hand = |hand| frame.hand(hand).map_or((false, false), |hand| (hand.tracked, hand.pinching));
            let [left, right] = Hand::ALL.map(hand);
            InputState {
                tracked: [left.0, right.0],
                pinching: [left.0 && left.1, right.0 && right.1],
                gaze: frame.gaze.is_some(),
            }
        })
    }
}
