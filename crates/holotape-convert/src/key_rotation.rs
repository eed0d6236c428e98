//! Rotations as they are stored. The sampler normalizes rotations, which can change the last bit of a key.

use holotape::{Curve, Frame, Hand, Joint, Keys, LinearKey, Recording};

/// Rotations this close to length 1 need not be normalized.
const UNIT_TOLERANCE: f64 = 1e-5;

/// Visits the rotations of a recording frame by frame, in order of time.
pub(crate) struct KeyRotations<'a> {
    camera: Option<RotationKeys<'a>>,
    hands: [Option<Box<[RotationKeys<'a>; Joint::COUNT]>>; 2],
}

impl<'a> KeyRotations<'a> {
    pub(crate) fn new(recording: &'a Recording) -> Self {
        let joints = |hand| Joint::ALL.map(|joint| RotationKeys::new(&recording.hand(hand).joint(joint).rotation));
        Self {
            camera: recording.camera.as_ref().map(|camera| RotationKeys::new(&camera.rotation)),
            hands: Hand::ALL.map(|hand| recording.hands.as_ref().map(|_| Box::new(joints(hand)))),
        }
    }

    /// Replaces the sampled rotations of a frame by those of keys at the same time, if these are unit quaternions.
    pub(crate) fn restore(&mut self, frame: &mut Frame) {
        let time_secs = frame.time;
        if let (Some(keys), Some(pose)) = (&mut self.camera, &mut frame.camera) {
            keys.restore(time_secs, &mut pose.rotation);
        }
        for (hand, frame) in self.hands.iter_mut().zip([&mut frame.left, &mut frame.right]) {
            let (Some(joints), Some(frame)) = (hand, frame) else { continue };
            for (keys, pose) in joints.iter_mut().zip(&mut frame.joints) {
                if let Some(pose) = pose {
                    keys.restore(time_secs, &mut pose.rotation);
                }
            }
        }
    }
}

/// The curves of a rotation, and the number of keys of each that have been passed.
struct RotationKeys<'a> {
    curves: &'a [Curve; 4],
    passed: [usize; 4],
}

impl<'a> RotationKeys<'a> {
    fn new(curves: &'a [Curve; 4]) -> Self {
        Self { curves, passed: [0; 4] }
    }

    fn restore(&mut self, time_secs: f64, rotation: &mut [f32; 4]) {
        let mut stored = [0.0; 4];
        for ((value, curve), passed) in stored.iter_mut().zip(self.curves).zip(&mut self.passed) {
            while key(&curve.keys, *passed).is_some_and(|key| f64::from(key.time) < time_secs) {
                *passed += 1;
            }
            let at = |n| key(&curve.keys, n).filter(|key| f64::from(key.time) == time_secs);
            // Of two keys at one time, the sampler knows which one counts.
            let (Some(key), None) = (at(*passed), at(*passed + 1)) else { return };
            *value = key.value;
        }
        let length = stored.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= UNIT_TOLERANCE {
            *rotation = stored;
        }
    }
}

fn key(keys: &Keys, index: usize) -> Option<LinearKey> {
    match keys {
        Keys::Linear(keys) => keys.get(index).copied(),
        Keys::Bezier(keys) => keys.get(index).map(|key| LinearKey::new(key.time, key.value)),
    }
}
